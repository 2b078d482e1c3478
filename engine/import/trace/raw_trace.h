// RawTrace: what a profiler's file of one rank holds of what matters here, on the host's clock, before it is
// known what an operation is. Filled by the readers of Kineto's JSON and of nsys' SQLite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/trace/traced_run.h"
#include "schedule/action.h"

namespace bscope {

struct HostRange {
    std::int64_t start_ns = 0, end_ns = 0;
};
inline bool byStart(const HostRange& a, const HostRange& b) {
    return a.start_ns < b.start_ns;
}

struct OperationRange : HostRange {
    std::vector<Action> actions;  // one, or the two of an overlapped cell
    int chunk = -1;               // of the rank, where the name has it instead of the stage
};

struct KernelRange : HostRange {
    std::int64_t correlation = -1;
    enum class Kind : std::uint8_t { Compute, Collective, SendRecv } kind = Kind::Compute;
};

struct Launch {
    std::int64_t time_ns = 0, correlation = -1;
    std::int64_t thread = 0;
};

struct ProfilerStep : HostRange {
    int number = 0;
};

// A call that works for a stage, or one that sends or receives; only for files that name no operation.
struct HostCall : HostRange {
    std::int64_t thread = 0;
    enum class Kind : std::uint8_t { Work, Bookkeeping, Autograd, Send, Receive } kind = Kind::Work;
    // PyTorch counts the nodes of autograd's graph as a thread makes them. Of a forward: the number of the
    // next one; of a backward: of the one that it works for. -1: not recorded, as where no gradient is
    // wanted.
    std::int64_t node = -1;
    bool isMessage() const { return kind == Kind::Send || kind == Kind::Receive; }
};

// What else the ranks of a file did together; says what a run without a pipeline is.
struct Collectives {
    int all_reduces = 0, gathers_and_scatters = 0, all_to_alls = 0;
    int count() const { return all_reduces + gathers_and_scatters + all_to_alls; }
};

struct RawTrace {
    std::string file, host;
    int rank = -1;
    int job_ranks = 0;                     // 0: not recorded
    std::vector<int> pipeline_group;       // global ranks in the order of the stages; empty: unknown
    std::vector<std::vector<int>> groups;  // all that the file lists and the rank is in, whatever their names
    std::int64_t base_ns = 0;
    bool whole = true;
    std::vector<ProfilerStep> steps;
    std::vector<OperationRange> named;
    std::vector<OperationRange> plain;       // ScheduleGPipe: forwards and backwards without a stage
    std::vector<HostRange> sends, receives;  // gloo
    bool has_calls = false;                  // the file holds calls of PyTorch, whether they were read or not
    std::vector<HostRange> optimizer;
    std::vector<Launch> launches;
    std::vector<KernelRange> kernels;
    std::vector<HostCall> calls;
    int device_messages = 0;
    std::vector<HostRange> sent, received;  // calls, of any backend
    Peers peers;
    Collectives collectives;
    bool from_messages = false;  // operations follow from the names of messages

    // A range whose name lists its operations, at its place.
    void add(OperationRange range, const HostRange& when) {
        static_cast<HostRange&>(range) = when;
        const bool of_gpipe = range.actions.front().stage < 0 && range.chunk < 0;
        (of_gpipe ? plain : named).push_back(std::move(range));
    }

    // Every list of ranges; launches, which have one time, are none.
    template <class Take>
    void forRanges(Take&& take) {
        take(steps), take(named), take(plain), take(sends), take(receives), take(optimizer);
        take(kernels), take(calls), take(sent), take(received);
    }

    // From the first start to the last end; start > end where nothing has a time.
    HostRange span();

    // Whole, and nothing of a training in it.
    bool holdsNothing() const {
        return whole && !namesOperations() && steps.empty() && calls.empty() && kernels.empty() &&
               !hasMessages() && collectives.count() == 0 && optimizer.empty();
    }
    bool hasKernels() const { return !kernels.empty() && !launches.empty(); }
    bool namesOperations() const { return !named.empty() || !plain.empty(); }
    bool hasMessages() const {
        return device_messages > 0 || !sends.empty() || !receives.empty() || !sent.empty() ||
               !received.empty();
    }
};

// Throws ImportError where the times of a file span more than kLongestRun_ns.
void requireOneRun(RawTrace& trace);

// As parseAction() reads it; nullopt as well for numbers beyond any that is counted on.
std::optional<Action> actionOf(std::string_view text);

// "PP:2F0", "PP:0SEND_F1", "PP:(0F8;7B0)OVERLAP_F_B" of torch.distributed.pipelining, "Forward 3" and
// "Backward 3" of its ScheduleGPipe, "F0.1.7" of sail's zero bubble (micro-batch, chunk, number). nullopt:
// the name of something else.
std::optional<OperationRange> namedRange(std::string_view name);

// Kernels of a name.
KernelRange::Kind kindOfKernel(std::string_view name);

// What a rank did, by the names; sorts the trace.
TracedRank namedOperations(RawTrace& trace);

// What a rank did where nothing is named: work that PyTorch's autograd does is backward, other work forward,
// and an operation ends where messages are sent or received, and where one becomes the other. Empty
// operations when the trace holds no calls.
TracedRank unnamedOperations(RawTrace& trace);

// The files of one run: in the order of the pipeline's group where the files name it, else by rank; of
// several replicas the one that is wanted. Throws ImportError: ranks doubled or missing, no operation of a
// pipeline.
TracedRun runOf(std::vector<RawTrace> traces, std::string source, std::optional<int> replica);

}  // namespace bscope
