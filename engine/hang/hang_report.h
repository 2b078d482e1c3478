// analyseHang: which rank waits for which, since when and why, from what the ranks of a PyTorch program
// recorded of their communication, and from the order that was planned, where it is known. No I/O; pure, any
// thread.
//
// The k-th send of one rank to another within a process group meets its k-th receive. Where both records are
// whole they are counted from their beginning; where a ring buffer has lost it, the last receive that ended
// is taken to have met the last send that ended, which is noted. A rank that others wait for and of which
// nothing is outstanding is the one that never posted its side; where every rank that is waited for waits
// itself, they wait in a circle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hang/flight_dump.h"
#include "hang/message_plan.h"
#include "hang/stack_dump.h"

namespace bscope {

enum class OtherSide : std::uint8_t { NoDump, NotPosted, Posted, Ended };

// What a rank has posted and what has not ended.
struct OutstandingOperation {
    FlightKind kind = FlightKind::Send;
    std::string name, group;     // as in the dump
    std::vector<int> waits_for;  // ranks that have not done their part; of both sides posted: the peer
    int peer = -1;               // of a send or receive
    OtherSide other = OtherSide::NotPosted;
    std::string shape;  // "Float [4, 16]"
    std::string where;
    std::int64_t since_ns = 0;                   // of the computer's clock
    double waited_s = 0;                         // until the last that any rank recorded; NaN: not known
    std::int64_t number = 0;                     // of the collective in its group
    int iteration = -1;                          // from 0, by the plan; -1: not known
    std::optional<Action> message, computation;  // by the plan: 2RECV_B5, and 2B5 that needs or made it
    std::optional<Action> made_by;               // of a receive, by the plan: 3B5 of the other rank
    Sentence text() const;
};

struct HangRank {
    int rank = -1;
    bool has_dump = false;
    std::size_t recorded = 0, ended = 0;  // operations
    std::string last;                     // operation that ended last; "" when none is known to have
    double idle_s = 0;                    // since then; NaN: not known
    std::optional<OutstandingOperation> stands_at;
    std::size_t outstanding = 0;
    std::optional<int> planned;  // its rank in the plan
    std::vector<std::string> stack;  // frames of its Python, the innermost first; empty: not known
    std::optional<Action> next;  // computation after what made its last send, by the plan
    Sentence text() const;       // "stands at ... for 601.2 s: rank 3 has not posted its side"
};

struct HangFinding {
    enum class Kind : std::uint8_t {
        OrderDiffers,
        SizeDiffers,
        TypeDiffers,
        CollectiveDiffers,
        NoDump,
        NeverPosted,
        NotJoined,
        Circle,
        TransferStands,
        PlanDiffers,
        PlanStandsStill,
    };
    Kind kind = Kind::Circle;
    std::vector<int> ranks;
    Sentence what;
};
const char* kindName(HangFinding::Kind kind);  // in files: "order-differs"

struct HangReport {
    std::vector<HangRank> ranks;        // by rank: those with a dump, and those that are waited for
    std::vector<HangFinding> findings;  // what explains the most first
    std::vector<int> circle;            // each waits for the next, the last for the first
    std::int64_t last_ns = 0;           // the last that any rank recorded, of the computer's clock
    std::vector<Sentence> notes;
    bool waits() const;  // any rank
};

// Whether the planned order of sends and receives can stand still by itself, added to the findings.
void judgePlan(HangReport& report, const Schedule& schedule, const MessagePlan& plan);

// "601.2", or "?" of what is not known.
std::string secondsText(double seconds);

// Where the Python of the ranks stands; of a rank without a dump it is all there is. Notes two of one rank.
void addStacks(HangReport& report, const std::vector<StackDump>& stacks);

// plan: null when the order is not known. Throws SentenceError when two dumps are of one rank.
HangReport analyseHang(const std::vector<FlightDump>& dumps, const MessagePlan* plan = nullptr);

}  // namespace bscope
