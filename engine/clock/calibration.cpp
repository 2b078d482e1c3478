#include "clock/calibration.h"

#include <utility>

#include "timeline/median.h"

namespace bscope {

void Calibration::add(const std::vector<DurationSample>& samples) {
    for (const DurationSample& sample : samples)
        fresh_[{sample.stage, sample.op}].push_back(sample.duration_ns);
}

void Calibration::endIteration() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [key, samples] : fresh_) {
        Kind& kind = kinds_[key];
        kind.iterations.push_back(std::move(samples));
        if (kind.iterations.size() > kIterations) kind.iterations.pop_front();
        std::vector<std::int64_t> all;
        for (const auto& iteration : kind.iterations)
            all.insert(all.end(), iteration.begin(), iteration.end());
        kind.median_ns = median(std::move(all));
    }
    fresh_.clear();
}

std::optional<double> Calibration::median_ns(int stage, Op op) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kinds_.find({stage, op});
    return found == kinds_.end() ? std::nullopt : found->second.median_ns;
}

}  // namespace bscope
