// From the files of the ranks to one run.
#include "import/ranks_of_run.h"

#include <algorithm>
#include <set>

#include "import/imported_run.h"
#include "import/neighbours.h"
#include "import/trace/raw_trace.h"

namespace bscope {
namespace {

bool computes(const TracedRank& rank) {
    return std::any_of(rank.ops.begin(), rank.ops.end(), [](const TracedOp& op) { return isCompute(op.op); });
}

// What a run without messages between neighbours did together.
Sentence kindOfRun(const Collectives& did) {
    std::vector<Sentence> kinds;
    if (did.all_reduces > 0) kinds.push_back(sentence("all-reduces"));
    if (did.gathers_and_scatters > 0) kinds.push_back(sentence("all-gathers or reduce-scatters"));
    if (did.all_to_alls > 0) kinds.push_back(sentence("all-to-alls"));
    return inARow(kinds);
}

[[noreturn]] void refuseWithoutMessages(const RawTrace& trace) {
    throw ImportError(
        sentence("{0} is not of a pipeline: {1}, and no messages between neighbours. That is data, tensor or "
                 "expert parallelism; no pipeline schedule could change it",
                 trace.file, kindOfRun(trace.collectives)));
}

[[noreturn]] void refuseWithoutOperations(const RawTrace& trace) {
    if (!trace.whole)
        throw ImportError(sentence("{0} is cut off before its first operation of a pipeline", trace.file));
    const bool point_to_point = !trace.sent.empty() || !trace.received.empty();
    if (!point_to_point && trace.collectives.count() > 0) refuseWithoutMessages(trace);
    if (!trace.hasMessages())
        throw ImportError(
            sentence("{0} holds no operation of a pipeline: no range named PP:2F0, Forward 3 or F0.1.0, and "
                     "no message between ranks. If it is of a pipeline, record the files of its training "
                     "processes with ProfilerActivity.CPU",
                     trace.file));
    throw ImportError(
        sentence("{0} names no operation of a pipeline, only messages, and lacks the calls that distinguish "
                 "forwards from backwards: of PyTorch's autograd, or of its messages (c10d::send, c10d::recv_). "
                 "Record with ProfilerActivity.CPU, too, or name operations with "
                 "torch.profiler.record_function(\"PP:0F0\")",
                 trace.file));
}

// Where nothing goes backward, work of which the calls are known is forward; kernels alone may be either.
bool hidesBackward(const RawTrace& trace, const TracedRank& rank) {
    return trace.calls.empty() ||
           (std::ranges::none_of(trace.calls,
                                 [](const HostCall& call) { return call.kind == HostCall::Kind::Work; }) &&
            std::ranges::none_of(rank.ops, [](const TracedOp& op) { return op.op == Op::Backward; }));
}

// The groups that the files name; none when a file names none.
Replicas groupsOf(const std::vector<RawTrace>& traces) {
    Replicas groups;
    for (const RawTrace& trace : traces) {
        if (trace.pipeline_group.empty()) return {};
        if (std::ranges::find(groups, trace.pipeline_group) == groups.end())
            groups.push_back(trace.pipeline_group);
    }
    std::ranges::sort(groups);
    return groups;
}

}  // namespace

void placeRanks(TracedRun& run, std::span<const std::pair<int, int>> places) {
    const std::size_t p = run.ranks.size();
    std::vector<TracedRank*> by_place(p, nullptr);
    std::set<int> placed;
    for (const auto& [rank, place] : places) {
        const auto of = std::find_if(run.ranks.begin(), run.ranks.end(),
                                     [rank = rank](const TracedRank& each) { return each.rank == rank; });
        if (of == run.ranks.end()) throw ImportError(sentence("there is no rank {0}", rank));
        if (static_cast<std::size_t>(place) >= p || by_place[static_cast<std::size_t>(place)] != nullptr ||
            !placed.insert(rank).second)
            throw ImportError(sentence("the places of the ranks must be 0 to {0}, each of them once", p - 1));
        if (std::any_of(of->ops.begin(), of->ops.end(), [](const TracedOp& op) { return op.stage >= 0; }))
            throw ImportError(
                sentence("{0} names its stages itself, so that no order can be given", of->file));
        by_place[static_cast<std::size_t>(place)] = &*of;
    }
    if (placed.size() != p)
        throw ImportError(sentence("places are given for {0} of {1} ranks", placed.size(), p));
    std::vector<TracedRank> ordered;
    for (TracedRank* rank : by_place) ordered.push_back(std::move(*rank));
    numberByPlace(ordered);
    run.ranks = std::move(ordered);
    run.others.clear();  // which places their ranks have is not said
    run.placed = true;
}

namespace {

// On the host its messages alone part what a rank waits for from its work.
void requireMessagesOfAll(const std::vector<RawTrace>& traces) {
    if (std::ranges::any_of(traces, &RawTrace::hasKernels)) return;
    const auto with = std::ranges::find_if(traces, &RawTrace::hasMessages),
               without = std::ranges::find_if_not(traces, &RawTrace::hasMessages);
    if (with == traces.end() || without == traces.end()) return;
    throw ImportError(sentence(
        "{0} holds no message, and {1} does: what its rank waited for would count as work. Record the "
        "messages of all ranks, or of none and with ranges that hold no receive",
        without->file, with->file));
}

// Else a training would be read as forward only, with its backwards as idle time.
void requireNamedBackwards(const std::vector<RawTrace>& traces, const std::vector<TracedRank>& ranks) {
    for (const TracedRank& rank : ranks)
        if (std::ranges::any_of(rank.ops, [](const TracedOp& op) { return isBackward(op.op); })) return;
    for (const RawTrace& trace : traces)
        if (std::ranges::any_of(trace.calls,
                                [](const HostCall& call) { return call.kind == HostCall::Kind::Autograd; }))
            throw ImportError(sentence(
                "{0} names forwards alone, and PyTorch's autograd worked beside them: its backwards have no "
                "name. Name them as well, as with torch.profiler.record_function(\"PP:0B0\")",
                trace.file));
}

// A rank without names beside ranks with names would be one without work.
void requireNamesOfAll(const std::vector<RawTrace>& traces) {
    std::vector<int> with, without;
    for (const RawTrace& trace : traces)
        if (trace.whole || trace.namesOperations())
            (trace.namesOperations() ? with : without).push_back(trace.rank);
    if (with.empty() || without.empty()) return;
    throw ImportError(
        sentence("the files of ranks {0} name their operations, those of ranks {1} do not: as one run they "
                 "cannot be read. Name the operations of all ranks, as with "
                 "torch.profiler.record_function(\"PP:0F0\"), or of none; or give the files of one run",
                 numbersText(with), numbersText(without)));
}

}  // namespace

TracedRun runOf(std::vector<RawTrace> traces, std::string source, std::optional<int> replica) {
    TracedRun run;
    run.source = std::move(source);
    const bool one_host = std::all_of(traces.begin(), traces.end(), [&](const RawTrace& trace) {
        return !trace.host.empty() && trace.host == traces.front().host;
    });
    run.clocks = one_host ? Clocks::Shared : Clocks::PerRank;
    for (const RawTrace& trace : traces) {
        if (!trace.whole) run.notes.push_back(cutOffNote(trace.file));
        if (traces.size() > 1 && trace.rank < 0)
            throw ImportError(
                sentence("{0} does not say its rank, neither inside nor in its name (rank0...)", trace.file));
    }
    sortRanks(traces);
    const bool named = std::any_of(traces.begin(), traces.end(),
                                   [](const RawTrace& trace) { return trace.namesOperations(); });
    run.operations_inferred = !named || std::any_of(traces.begin(), traces.end(), [](const RawTrace& trace) {
        return trace.from_messages;
    });
    // Ranges that name no stage are those of a pipeline only where something passes between the ranks.
    const bool apart =
        named && traces.size() > 1 && std::ranges::all_of(traces, [](const RawTrace& trace) {
            return trace.named.empty() && !trace.hasMessages() && trace.collectives.count() > 0;
        });
    if (apart) refuseWithoutMessages(traces.front());
    if (named) requireMessagesOfAll(traces);
    bool kernels = false, calls = true;
    std::vector<TracedRank> ranks;
    for (RawTrace& trace : traces) {
        TracedRank evidence;
        if (named) findNeighboursOfPlain(trace, evidence);
        ranks.push_back(named ? namedOperations(trace) : unnamedOperations(trace));
        TracedRank& rank = ranks.back();
        if (named) rank.before = evidence.before, rank.after = evidence.after;
        rank.cut_off = !trace.whole;
        rank.job_ranks = trace.job_ranks;
        rank.in_job = trace.rank;
        rank.peers = std::move(trace.peers);
        rank.has_messages = trace.hasMessages();
        if (named && !computes(rank)) requireNamesOfAll(traces);
        const bool without_messages = !named && trace.sent.empty() && trace.received.empty();
        if (!computes(rank) || without_messages || (!named && hidesBackward(trace, rank)))
            refuseWithoutOperations(trace);
        kernels |= trace.hasKernels();
        calls = calls && trace.has_calls;
        run.steps_seen = run.steps_seen && !trace.steps.empty();
        for (const auto& group : trace.groups)
            if (std::ranges::find(run.groups, group) == run.groups.end()) run.groups.push_back(group);
    }
    if (named) requireNamedBackwards(traces, ranks);
    run.times = kernels ? Times::Kernels : calls ? Times::Host : Times::Ranges;
    Replicas groups = groupsOf(traces);
    if (groups.empty()) groups = pipelinesOfGroups(ranks, run.groups);
    if (groups.empty()) groups = pipelinesOfPeers(ranks);
    takeReplica(run, std::move(ranks), std::move(groups), replica);
    return run;
}

}  // namespace bscope
