// TracedRun: what the files of another program say about a pipeline that ran there, as they say it: nothing
// is inferred, numbers that the files lack are -1. Times are nanoseconds on a clock of the rank's own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "import/trace/growing_files.h"
#include "schedule/action.h"
#include "report/report.h"
#include "words/sentence.h"

namespace bscope {

// 73 years: times are as near to their clock's zero, and clocks to each other, so that no sum of them leaves
// its type.
constexpr std::int64_t kFarthest_ns = std::int64_t{1} << 61;

// A year: no run lasts longer, so that a few hundred times a duration stay in their type.
constexpr std::int64_t kLongestRun_ns = 366LL * 24 * 3600 * 1'000'000'000;

// B, or one half of it.
inline bool isBackward(Op op) {
    return op == Op::Backward || op == Op::BackwardInput || op == Op::BackwardWeight;
}

struct TracedOp {
    // Of a backward: whether the files show that it worked, by gradients that were sent or received or by
    // work of autograd.
    enum class Evidence : std::uint8_t { None, Worked, Idle };

    Op op = Op::Forward;         // F, B, I, W or OPT
    int stage = -1;              // of the pipeline; -1: unknown
    int chunk = -1;              // of the rank, 0..v-1; -1: unknown
    int microbatch = -1;         // 0..m-1; -1: unknown
    int iteration = 0;           // as the files count
    int pass = 0;                // through the micro-batches within it (passes.h); 0 after numberPasses()
    bool sent = false;           // of what no file names: something was sent between this and the next
    bool overlaps_next = false;  // one cell with the next operation that overlaps_before
    bool overlaps_before = false;
    Evidence evidence = Evidence::None;
    std::int64_t start_ns = 0, end_ns = 0;
    // Of these, on the host: of an operation that no file names, before its first and behind its last call,
    // where the time may be that of the code around it; of a named one, how far off its ends may be.
    std::int64_t around_ns = 0;
};

// A message at its receiver: from the call that waits for it to the arrival.
struct TracedReceive {
    Op op = Op::RecvForward;
    int stage = -1, microbatch = -1, iteration = 0;
    std::int64_t start_ns = 0, end_ns = 0;
    std::int64_t transfer_ns =
        0;  // TracedRun::messages_recorded: when it set out; before that it was waited for
    int pass = 0;
};

// The beginning of a message at its sender.
struct TracedSend {
    Op op = Op::SendForward;
    int stage = -1, microbatch = -1, iteration = 0;
    std::int64_t start_ns = 0;
    int pass = 0;
};

// Work that a file records; what of it lies beside the operations has no name.
struct RecordedWork {
    std::int64_t start_ns = 0, end_ns = 0;
    int iteration = 0, pass = 0;
    bool backward = false;  // autograd's
};

// Whether a rank has one before it, or after it, as far as its messages prove it.
enum class Neighbour : std::uint8_t { Unknown, None, There };

// Whom a rank sends to and receives from, as the files number them; empty: not said.
struct Peers {
    std::set<int> sends_to, receives_from;
    bool known() const { return !sends_to.empty() || !receives_from.empty(); }
};

struct TracedRank {
    int rank = 0;     // of the pipeline, 0..p-1
    int in_job = -1;  // as the files number it; -1: the same as rank
    Neighbour before = Neighbour::Unknown, after = Neighbour::Unknown;
    // It receives nothing for its first forward and something for half of them: it runs several stages.
    bool forwards_return = false;
    Peers peers;
    std::string file;
    bool cut_off = false;       // the file ends in the middle
    int job_ranks = 0;          // of the job that it was a part of; 0: not recorded
    std::vector<TracedOp> ops;  // by start within an iteration
    std::vector<TracedReceive> receives;
    std::vector<TracedSend> sends;
    std::vector<RecordedWork> work;  // by start; of files that name operations
    bool has_messages = false;       // anything went to or came from another rank
    bool leaves_out_forwards = false;  // of a file without names: those that have no backward
    // What the program that recorded the run calls the rank's bubble, a share, by iteration.
    std::map<int, double> bubble_of_source;
};

// A replica that is not shown.
struct OtherReplica {
    int number = 0;  // as --replica counts
    std::vector<TracedRank> ranks;
};

using Clocks = ImportOrigin::Clocks;
using Times = ImportOrigin::Times;

struct TracedRun {
    std::string source;       // the program and its format: "Primus pp_vis"
    int p = 0, v = 0, m = 0;  // from the files; 0: unknown
    Clocks clocks = Clocks::PerRank;
    Times times = Times::Recorded;
    bool messages_recorded = false;    // receives are whole: waiting, then transfer
    bool operations_inferred = false;  // what is a forward, what a backward: no file names it
    Provenance provenance = Provenance::Imported;
    bool stages_by_rank = false;  // no file names a stage or its pipeline: the ranks are taken in their order
    bool chunks_inferred = false;  // v is unknown: that of the first schedule which fits
    int shards = 1;                // ranks that compute a stage together; those given are the first of each
    int replicas = 1;              // of the pipeline in the files; the ranks are those of one
    bool placed = false;           // the order of the ranks is that which a person gave
    bool chunks_in_turn = false;   // numbers follow from it: a chunk runs all micro-batches before the next
    bool steps_seen = true;        // the profiler marked the iterations
    bool pipeline_named = false;   // the files say which ranks its pipeline has
    bool lacks_ranks = false;      // the one of `groups` has ranks without a file
    // Groups of ranks of the job, as the files list them, each in its order.
    std::vector<std::vector<int>> groups;
    std::vector<TracedRank> ranks;     // by rank
    std::vector<OtherReplica> others;  // whole ones, by number
    std::vector<Sentence> left_out;    // files that are no traces, and why
    std::vector<Sentence> notes;       // what could not be read or does not fit
    std::vector<GrowingFile> growing;  // its files, where they may grow
    // It goes on where an earlier reading of its files ended: its times begin at base_ns of the files' clock,
    // and it not before end_ns of these.
    bool goes_on = false;
    std::int64_t base_ns = 0, end_ns = 0;
};

}  // namespace bscope
