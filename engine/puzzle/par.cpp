#include "puzzle/par.h"

#include <algorithm>

#include "puzzle/exhaustive_search.h"
#include "schedule/activation_ledger.h"
#include "search/search.h"

namespace bscope {

namespace {

constexpr double kStepNs = 1e9;

// Without a split backward a gradient is ready no sooner than the whole backward is done.
Costs searchedCosts(const PuzzleLevel& level) {
    Costs costs = level.costs();
    if (!level.split)
        for (StageCosts& stage : costs.stages) stage.input_ns = stage.weight_ns = stage.backward_ns;
    return costs;
}

int chunksAllowed(const PuzzleLevel& level, int most_chunks) {
    const int all = level.m * level.v;
    const int cap = level.cap > 0 ? std::min(level.cap, all) : all;
    return most_chunks > 0 ? std::min(most_chunks, cap) : cap;
}

SearchResult searchWith(const PuzzleLevel& level, int most_chunks) {
    SearchRequest request;
    request.params = level.empty().params;
    request.costs = searchedCosts(level);
    request.memory_cap = static_cast<double>(most_chunks) / level.v;
    request.placement = level.empty().placement;
    return searchSchedule(request);
}

bool isExcluded(const PuzzleLevel& level, int steps, int most_chunks) {
    return !someOrderTakes(level, steps, most_chunks).value_or(true);
}

int peakOf(const Schedule& schedule) {
    int most = 0;
    for (const std::vector<Action>& order : schedule.orders) most = std::max(most, peakInFlight(order));
    return most;
}

}  // namespace

LowerBound boundOf(const PuzzleLevel& level, int most_chunks) {
    return SearchInstance(level.p, level.v, level.m, level.empty().placement, searchedCosts(level),
                          chunksAllowed(level, most_chunks))
        .lowerBound();
}

// A micro-batch has all chunks of a rank in flight before its first backward there: fewer than v never do.
FoundPar searchPar(const PuzzleLevel& level) {
    SearchResult best = searchWith(level, chunksAllowed(level, 0));
    int peak = peakOf(best.schedule);
    while (peak > level.v) {
        SearchResult fewer = searchWith(level, peak - 1);
        if (fewer.makespan_ns > best.makespan_ns) break;
        best = std::move(fewer);
        peak = peakOf(best.schedule);
    }
    FoundPar found;
    const int steps = static_cast<int>(static_cast<double>(best.makespan_ns) / kStepNs + 0.5);
    found.par.steps = steps;
    found.par.steps_proved =
        best.makespan_ns <= boundOf(level).ns || isExcluded(level, steps - 1, chunksAllowed(level, 0));
    found.par.peak = peak;
    found.par.peak_proved = peak <= level.v || boundOf(level, peak - 1).ns > best.makespan_ns ||
                            isExcluded(level, steps, peak - 1);
    found.par.found_by = best.found_by;
    found.schedule = std::move(best.schedule);
    return found;
}

}  // namespace bscope
