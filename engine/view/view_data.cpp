#include "view/view_data.h"

#include <algorithm>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

constexpr std::size_t kEnoughForMedian = 2048;

std::vector<std::int64_t> forwardsOf(const Timeline& timeline, std::int32_t iteration, std::int64_t now_ns) {
    std::vector<std::int64_t> forwards;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : ofIteration(timeline.compute(rank), iteration))
            if (event.op == Op::Forward && forwards.size() < kEnoughForMedian &&
                (now_ns < 0 || event.end_ns <= now_ns))
                forwards.push_back(event.duration_ns());
    return forwards;
}

}  // namespace

double IterationView::medianForward_ns() const {
    std::vector<std::int64_t> forwards = forwardsOf(*ran, iteration, now_ns);
    if (forwards.empty()) forwards = forwardsOf(*planned, iteration, -1);
    if (forwards.empty()) return 0;
    const auto middle = forwards.begin() + static_cast<std::ptrdiff_t>(forwards.size() / 2);
    std::nth_element(forwards.begin(), middle, forwards.end());
    return static_cast<double>(*middle);
}

IterationPart partOf(const IterationView& view) {
    return {view.ran->empty() ? *view.planned : *view.ran, view.iteration,
            view.isStream() ? view.first_microbatch : 0};
}

bool isSameIteration(const IterationView& a, const IterationView& b) {
    return a.file == b.file && a.iteration == b.iteration && a.start_ns == b.start_ns && a.config == b.config &&
           a.report.has_value() == b.report.has_value() &&
           (!a.report || a.report->iteration_ms == b.report->iteration_ms);
}

bool IterationView::ranksAreGpus() const {
    return !ran->empty() && ran->provenance() == Provenance::Measured && !device.empty() &&
           !device.starts_with("CPU");
}

}  // namespace bscope
