// From the files of the ranks to one run.
#include <algorithm>
#include <set>

#include "import/import_error.h"
#include "import/imported_run.h"
#include "import/raw_trace.h"

namespace bscope {
namespace {

bool computes(const TracedRank& rank) {
    return std::any_of(rank.ops.begin(), rank.ops.end(), [](const TracedOp& op) { return isCompute(op.op); });
}

[[noreturn]] void refuseWithoutOperations(const RawTrace& trace) {
    if (!trace.hasMessages())
        throw ImportError(trace.file +
                          " holds no operation of a pipeline: no range named PP:2F0, Forward 3 or F0.1.0");
    throw ImportError(
        trace.file +
        " names no operation of a pipeline, only messages, and holds no calls of PyTorch's autograd "
        "to tell forwards from backwards. Record with ProfilerActivity.CPU, too, or name "
        "operations with torch.profiler.record_function(\"PP:0F0\")");
}

// The ranks in the order of the pipeline's group; those of other replicas are left out.
std::vector<RawTrace> inOrder(std::vector<RawTrace> traces, std::vector<std::string>& notes) {
    std::stable_sort(traces.begin(), traces.end(),
                     [](const RawTrace& a, const RawTrace& b) { return a.rank < b.rank; });
    if (traces.size() > 1 && traces.front().rank < 0)
        throw ImportError(traces.front().file +
                          " does not say its rank, neither inside nor in its name (rank0...)");
    for (std::size_t at = 1; at < traces.size(); ++at)
        if (traces[at - 1].rank == traces[at].rank)
            throw ImportError(traces[at - 1].file + " and " + traces[at].file + " are both of rank " +
                              std::to_string(traces[at].rank) + "; import the files of one run");
    // Of several pipelines side by side the one of the first rank is taken.
    const std::vector<int> group = traces.front().pipeline_group;
    if (group.empty()) return traces;
    std::vector<RawTrace> ordered;
    for (const int rank : group)
        for (RawTrace& trace : traces)
            if (trace.rank == rank) ordered.push_back(std::move(trace));
    if (group.size() != ordered.size())
        throw ImportError("the pipeline has " + std::to_string(group.size()) +
                          " ranks and the files are of " + std::to_string(ordered.size()) +
                          " of them; add the others");
    if (const std::size_t others = traces.size() - ordered.size(); others > 0)
        notes.push_back(std::to_string(others) + (others == 1 ? " file is" : " files are") +
                        " of other replicas of the pipeline and left out");
    return ordered;
}

}  // namespace

void placeRanks(TracedRun& run, std::span<const std::pair<int, int>> places) {
    const std::size_t p = run.ranks.size();
    std::vector<TracedRank*> by_place(p, nullptr);
    std::set<int> placed;
    for (const auto& [rank, place] : places) {
        const auto of = std::find_if(run.ranks.begin(), run.ranks.end(),
                                     [rank = rank](const TracedRank& each) { return each.rank == rank; });
        if (of == run.ranks.end()) throw ImportError("there is no rank " + std::to_string(rank));
        if (static_cast<std::size_t>(place) >= p || by_place[static_cast<std::size_t>(place)] != nullptr ||
            !placed.insert(rank).second)
            throw ImportError("the places of the ranks must be 0 to " + std::to_string(p - 1) +
                              ", each of them once");
        if (std::any_of(of->ops.begin(), of->ops.end(), [](const TracedOp& op) { return op.stage >= 0; }))
            throw ImportError(of->file + " names its stages itself, so that no order can be given");
        by_place[static_cast<std::size_t>(place)] = &*of;
    }
    if (placed.size() != p)
        throw ImportError("places are given for " + std::to_string(placed.size()) + " of " +
                          std::to_string(p) + " ranks");
    std::vector<TracedRank> ordered;
    for (TracedRank* rank : by_place) ordered.push_back(std::move(*rank));
    for (std::size_t at = 0; at < p; ++at) ordered[at].rank = static_cast<int>(at);
    run.ranks = std::move(ordered);
}

TracedRun runOf(std::vector<RawTrace> traces, std::string source) {
    TracedRun run;
    run.source = std::move(source);
    const bool one_host = std::all_of(traces.begin(), traces.end(), [&](const RawTrace& trace) {
        return !trace.host.empty() && trace.host == traces.front().host;
    });
    run.clocks = one_host ? Clocks::Shared : Clocks::PerRank;
    for (const RawTrace& trace : traces)
        if (!trace.whole) run.notes.push_back(trace.file + " is cut off: what comes before its end is shown");
    traces = inOrder(std::move(traces), run.notes);
    const bool named = std::any_of(traces.begin(), traces.end(),
                                   [](const RawTrace& trace) { return trace.namesOperations(); });
    run.operations_inferred = !named || std::any_of(traces.begin(), traces.end(), [](const RawTrace& trace) {
        return trace.from_messages;
    });
    bool kernels = false;
    for (RawTrace& trace : traces) {
        TracedRank rank = named ? namedOperations(trace) : unnamedOperations(trace);
        if (!computes(rank)) refuseWithoutOperations(trace);
        kernels |= trace.hasKernels();
        rank.rank = static_cast<int>(run.ranks.size());
        run.ranks.push_back(std::move(rank));
    }
    run.times = kernels ? Times::Kernels : Times::Host;
    return run;
}

}  // namespace bscope
