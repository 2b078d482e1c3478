// MessageRule: what a message layer asks of an order of sends and receives; playMessages: whether an order
// runs to its end under one, and if not, where every rank stands and who waits for whom in a circle. No I/O;
// pure functions, any thread.
//
// All rules: between two ranks the k-th SEND of one to the other meets the k-th RECV, and both must name the
// same message. Under the first two a rank does one action after the other; under the queues a message is
// handed over at once, computation waits for what it receives, and the heads of two queues must be the two
// ends of one message:
//   Buffered    SEND never waits; RECV waits, where it stands, until its message was sent.
//   Rendezvous  SEND and RECV wait until the other side stands at its end.
//   PairQueue   one queue for two ranks, in both directions: NCCL's communicator of a pair, which PyTorch
//   makes
//               for every pair it sends and receives between.
//   RankQueue   one queue a rank: all its messages on one stream, where a receive that was posted early holds
//               whatever comes after it (pytorch/pytorch#172668, #188833).
// What runs under Rendezvous runs under all four.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/formats/schedule_file.h"

namespace bscope {

enum class MessageRule : std::uint8_t { Buffered, Rendezvous, PairQueue, RankQueue };
inline constexpr std::array kMessageRules = {MessageRule::Buffered, MessageRule::Rendezvous,
                                             MessageRule::PairQueue, MessageRule::RankQueue};

const char* ruleName(MessageRule rule);  // in files: "buffered", "rendezvous", "pair-queue", "rank-queue"
Sentence ruleTitle(MessageRule rule);    // "sends and receives wait for each other (rendezvous)"

// Durations in nanoseconds; B lasts i + w, a message `c` from the moment it may go.
struct RuleCosts {
    std::int64_t f = 1'000'000'000, i = 1'000'000'000, w = 1'000'000'000, c = 0;
};

// A rank that never gets any further.
struct WaitingRank {
    int rank = 0;
    int position = 0;       // of the action in the rank's list
    Action action;          // that never ends
    int waits_for = -1;     // rank; itself, where its own order is wrong; -1: nothing can help
    Action until;           // what that rank would have to do
    Sentence text() const;  // "rank 0 stands at 0SEND_F1 until rank 1 does 1RECV_F1"
};

struct RuleOutcome {
    MessageRule rule = MessageRule::Buffered;
    std::vector<WaitingRank> standing;   // by rank; empty: it runs
    std::vector<WaitingRank> cycle;      // each waits for the next, the last for the first; may be empty
    std::size_t messages = 0;            // that arrived
    std::int64_t makespan_ns = 0;        // where it runs
    bool runs() const { return standing.empty(); }
    // "...: runs, makespan 27", "...: stands still, ...; rank 0 stands at ..."; in units of 1e9 ns. anew:
    // what the same comes to with the messages placed anew; null: not known.
    Sentence text(const RuleOutcome* anew = nullptr) const;
};

// "rank 0 stands at ... until rank 1 does ...; rank 1 stands at ...". Not empty.
Sentence circleText(const std::vector<WaitingRank>& ranks);

// lists (ranks, ...) as those of a Program: what each rank does in order. What no rank does is waited for in
// vain; nullopt when a message has no other end (its stage, micro-batch or rank does not exist).
std::optional<RuleOutcome> playMessages(const Schedule& schedule,
                                        const std::vector<std::vector<Action>>& lists, MessageRule rule,
                                        const RuleCosts& costs = {});

// Where the computation of a schedule alone stands still: messages take no turn and no time. nullopt when it
// names what does not exist.
std::optional<RuleOutcome> playComputation(const Schedule& schedule, const RuleCosts& costs = {});

// Of a file whose computation is legal: under all four rules, its own messages or, where it has none, those
// of lower(). Empty when the computation is broken, or a message has no other end.
std::vector<RuleOutcome> judgeMessages(const ScheduleFile& file, const RuleCosts& costs = {});

// The same of the messages that safeMessages() places. The computation must be legal and of one chain.
std::vector<RuleOutcome> judgeSafeMessages(const ScheduleFile& file, const RuleCosts& costs = {});

// What judgeMessages() plays of each rank.
std::vector<std::vector<Action>> messageLists(const ScheduleFile& file);

// An order of sends and receives around the same computation that runs under all rules: the messages in the
// order in which they are made when nothing waits for a link, so that every list is a projection of one order
// and no receive stands before computation that does not need it. Cells about weights and gradients keep
// their place. The computation must be legal and of one chain.
std::vector<std::vector<Cell>> safeMessages(const ScheduleFile& file);

}  // namespace bscope
