#include "gpu/tracing_cost.h"

#include <vector>

#include "timeline/median.h"

namespace bscope {

namespace {

constexpr std::size_t kRecent = 8;  // iterations that count

double medianOf(const std::deque<std::int64_t>& values) {
    return median(std::vector<std::int64_t>(values.begin(), values.end()));
}

}  // namespace

bool isTraced(const RunConfig& config, int iteration) {
    const int every = config.trace_cost;
    return every == 0 || iteration % every != every - 1;
}

Timing untraced() {
    return {TimingSource::Untraced, sentence("not traced: times are the host's, and there are no events")};
}

void TracingCost::add(bool traced, std::int64_t run_ns) {
    std::deque<std::int64_t>& recent = traced ? traced_ns_ : untraced_ns_;
    recent.push_back(run_ns);
    if (recent.size() > kRecent) recent.pop_front();
}

std::optional<double> TracingCost::value() const {
    if (traced_ns_.empty() || untraced_ns_.empty()) return std::nullopt;
    return medianOf(traced_ns_) / medianOf(untraced_ns_) - 1;
}

}  // namespace bscope
