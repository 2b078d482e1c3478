#include "report/sweep_ranking.h"

#include <algorithm>

#include "words/number_text.h"

namespace bscope {

namespace {

bool canRun(const SweepPoint& point) {
    return !point.over_cap && point.problems.empty();
}
bool isComplete(const SweepPoint& point) {
    return point.median && point.iterations_done >= point.iterations;
}
bool apart(const SweepPoint& slow, const SweepPoint& fast) {
    return noiseVerdict(rateOf(slow), rateOf(fast)).differs();
}

}  // namespace

Sampled rateOf(const SweepPoint& point) {
    return samplesOf(point.median->tokens_per_s, point.tokens_per_s_min, point.tokens_per_s_max,
                     static_cast<std::size_t>(std::max(0, point.iterations_done)));
}

std::int64_t peakBytes(const SweepPoint& point) {
    std::int64_t peak = 0;
    for (const RankReport& rank : point.median->ranks) peak = std::max(peak, rank.peak_activation_bytes);
    return peak;
}

bool holdsLess(const SweepPoint& a, const SweepPoint& b) {
    return peakBytes(a) < peakBytes(b) && megabytesText(static_cast<double>(peakBytes(a))) !=
                                              megabytesText(static_cast<double>(peakBytes(b)));
}

SweepRanking standingOf(std::span<const SweepPoint> points) {
    SweepRanking standing;
    std::vector<const SweepPoint*> measured, complete;
    for (const SweepPoint& point : points) {
        if (!canRun(point)) continue;
        ++standing.legal;
        if (point.median) measured.push_back(&point);
        if (isComplete(point)) complete.push_back(&point);
    }
    standing.complete = static_cast<int>(complete.size());
    standing.open = standing.complete < standing.legal;
    if (!complete.empty()) measured = complete;
    if (measured.empty()) return standing;
    std::ranges::stable_sort(measured, [](const SweepPoint* a, const SweepPoint* b) {
        return a->median->tokens_per_s > b->median->tokens_per_s;
    });
    const SweepPoint& fastest = *measured.front();
    std::vector<const SweepPoint*> alike;
    for (const SweepPoint* each : measured)
        if (each == &fastest || !apart(*each, fastest)) alike.push_back(each);
    const SweepPoint& best = **std::ranges::min_element(
        alike, [](const SweepPoint* a, const SweepPoint* b) { return holdsLess(*a, *b); });
    standing.best = best.value;
    for (const SweepPoint* each : alike)
        if (each != &best) standing.equals.push_back(each->value);
    std::ranges::sort(standing.equals);
    if (measured.size() > 1)
        standing.closest = noiseVerdict(rateOf(best), rateOf(&best == &fastest ? *measured[1] : fastest));
    return standing;
}

}  // namespace bscope
