// From the files of the ranks to one run.
#include "import/ranks_of_run.h"

#include <algorithm>
#include <set>

#include "import/imported_run.h"
#include "import/raw_trace.h"

namespace bscope {
namespace {

bool computes(const TracedRank& rank) {
    return std::any_of(rank.ops.begin(), rank.ops.end(), [](const TracedOp& op) { return isCompute(op.op); });
}

[[noreturn]] void refuseWithoutOperations(const RawTrace& trace) {
    if (!trace.whole)
        throw ImportError(sentence("{0} is cut off before its first operation of a pipeline", trace.file));
    if (!trace.hasMessages())
        throw ImportError(sentence(
            "{0} holds no operation of a pipeline: no range named PP:2F0, Forward 3 or F0.1.0", trace.file));
    throw ImportError(
        sentence("{0} names no operation of a pipeline, only messages, and holds no calls of PyTorch's "
                 "autograd to tell forwards from backwards. Record with ProfilerActivity.CPU, too, or name "
                 "operations with torch.profiler.record_function(\"PP:0F0\")",
                 trace.file));
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
    for (std::size_t at = 0; at < p; ++at) ordered[at].rank = static_cast<int>(at);
    run.ranks = std::move(ordered);
    run.others.clear();  // which places their ranks have is not said
}

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
    bool kernels = false;
    std::vector<TracedRank> ranks;
    for (RawTrace& trace : traces) {
        ranks.push_back(named ? namedOperations(trace) : unnamedOperations(trace));
        ranks.back().cut_off = !trace.whole;
        ranks.back().job_ranks = trace.job_ranks;
        if (!computes(ranks.back())) refuseWithoutOperations(trace);
        kernels |= trace.hasKernels();
    }
    run.times = kernels ? Times::Kernels : Times::Host;
    takeReplica(run, std::move(ranks), groupsOf(traces), replica);
    return run;
}

}  // namespace bscope
