#include "view/range_reading.h"

#include <algorithm>
#include <cmath>

namespace bscope {

const RangeNumbers::OfRank* RangeReading::ofRank(int rank) const {
    const auto own = std::ranges::find(numbers.ranks, rank, &RangeNumbers::OfRank::rank);
    return own == numbers.ranks.end() ? nullptr : &*own;
}

std::optional<RangeReading> readRange(const PreparedView& view, const TimeRange& range,
                                      const std::optional<LaneSpan>& lanes, const Filter& filter) {
    const IterationView& shown = view.view();
    if (shown.numbers_hidden || shown.covered) return std::nullopt;
    const BubbleCauses* const causes = view.causes();
    const IterationSummary* const summary = view.numbersSoFar();
    if (summary == nullptr) return std::nullopt;

    RangeReading reading;
    reading.from_ns = range.from_ns;
    reading.to_ns = range.to_ns;
    reading.lanes = lanes;
    reading.is_filtered = filter.isOn();
    reading.has_causes = causes != nullptr;
    RangeQuery query;
    const std::int64_t origin_ns = shown.axisOrigin_ns();
    query.from_ns = origin_ns + std::llround(range.from_ns);
    query.to_ns = origin_ns + std::llround(range.to_ns);
    for (int rank = 0; rank < view.lanes(); ++rank)
        if (!reading.lanes || reading.lanes->holds(rank)) query.ranks.push_back(rank);
    if (query.ranks.empty()) return std::nullopt;
    if (reading.is_filtered)
        query.passes = [&filter](int rank, const Action& action) { return filter.passes(rank, action); };
    const Timeline& events = !view.hasRun()    ? *shown.planned
                             : view.analysis() ? *view.analysis()->events
                             : shown.summed    ? *shown.summed
                                               : *shown.ran;
    reading.numbers = rangeNumbers(*summary, causes, events, query);
    for (const RangeNumbers::OfRank& each : reading.numbers.ranks)
        reading.peaks.push_back(peakIn(view.memory(each.rank), query.from_ns, query.to_ns));
    return reading;
}

}  // namespace bscope
