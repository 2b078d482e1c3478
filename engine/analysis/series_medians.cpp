#include "analysis/series_medians.h"

#include <utility>

#include "schedule/index.h"
#include "timeline/iteration_events.h"
#include "timeline/median.h"

namespace bscope {

namespace {

constexpr std::size_t kLeastCalm = 3;  // durations of a kind

}  // namespace

IterationMedians iterationMedians(const Timeline& timeline, std::int32_t iteration, bool heeds_disturbance) {
    std::vector<std::array<std::vector<double>, kMedianOps>> all, undisturbed;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : ofIteration(timeline.compute(rank), iteration)) {
            if (!isCompute(event.op) || event.stage < 0) continue;
            if (at(event.stage) >= all.size()) {
                all.resize(at(event.stage) + 1);
                undisturbed.resize(all.size());
            }
            const auto op = static_cast<std::size_t>(event.op);
            const auto duration_ns = static_cast<double>(event.duration_ns());
            all[at(event.stage)][op].push_back(duration_ns);
            if (!event.disturbed || !heeds_disturbance)
                undisturbed[at(event.stage)][op].push_back(duration_ns);
        }
    IterationMedians found;
    found.of_stages.resize(all.size());
    found.calm.assign(all.size(), true);
    for (std::size_t stage = 0; stage < all.size(); ++stage)
        for (std::size_t op = 0; op < all[stage].size(); ++op) {
            const bool calm = undisturbed[stage][op].size() >= kLeastCalm ||
                              undisturbed[stage][op].size() == all[stage][op].size();
            std::vector<double>& durations = (calm ? undisturbed : all)[stage][op];
            if (durations.empty()) continue;
            if (!calm) found.calm[stage] = false;
            found.of_stages[stage][op] = median(std::move(durations));
        }
    return found;
}

SharedSeries seriesOf(SeriesMedians newest_first, bool imported) {
    if (newest_first.empty() || (imported && newest_first.size() < kLeastInSeries)) return nullptr;
    if (newest_first.size() > kSeriesIterations) newest_first.resize(kSeriesIterations);
    return std::make_shared<const SeriesMedians>(std::move(newest_first));
}

std::size_t operationsOf(const Timeline& timeline, std::int32_t iteration) {
    std::size_t operations = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        operations += ofIteration(timeline.compute(rank), iteration).size();
    return operations;
}

}  // namespace bscope
