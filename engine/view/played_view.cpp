#include "view/played_view.h"

#include <algorithm>
#include <map>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

std::vector<std::int64_t> eachOnce(std::vector<std::int64_t> times_ns) {
    std::ranges::sort(times_ns);
    times_ns.erase(std::unique(times_ns.begin(), times_ns.end()), times_ns.end());
    return times_ns;
}

}  // namespace

const std::shared_ptr<const Timeline>& playedOf(const IterationView& view) {
    return view.ran->empty() ? view.planned : view.ran;
}

bool canBePlayed(const IterationView& view) {
    return view.now_ns < 0 && !view.covered && !view.numbers_hidden;
}

std::vector<std::int64_t> operationEnds(const IterationView& view) {
    std::vector<std::int64_t> ends;
    const Timeline& events = *playedOf(view);
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& event : ofIteration(events.compute(rank), view.iteration))
            ends.push_back(event.end_ns - view.start_ns);
    return eachOnce(std::move(ends));
}

std::vector<std::int64_t> microbatchEnds(const IterationView& view) {
    std::map<std::int32_t, std::int64_t> last;
    const Timeline& events = *playedOf(view);
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& event : ofIteration(events.compute(rank), view.iteration))
            if (event.microbatch >= 0)
                last[event.microbatch] = std::max(last[event.microbatch], event.end_ns - view.start_ns);
    std::vector<std::int64_t> ends;
    for (const auto& [microbatch, end_ns] : last) ends.push_back(end_ns);
    return eachOnce(std::move(ends));
}

IterationView playedUntil(const IterationView& whole, std::int64_t time_ns) {
    IterationView view = whole;
    view.ran = playedOf(whole);
    view.now_ns = view.start_ns + time_ns;
    view.iteration_state = IterationState::Replayed;
    view.summary.reset();
    view.report.reset();
    view.analysis.reset();
    view.kernels.reset();
    return view;
}

}  // namespace bscope
