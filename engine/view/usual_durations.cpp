#include "view/usual_durations.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace bscope {

namespace {

constexpr double kAlike = 0.25;

template <class Value>
double middleOf(std::span<Value> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
}

}  // namespace

void UsualDurations::add(const Event& event) {
    const auto op = static_cast<std::size_t>(event.op);
    if (op >= kOps || event.stage < 0) return;
    std::vector<Samples>& stages = operations_[op].stages;
    const auto stage = static_cast<std::size_t>(event.stage);
    if (stages.size() <= stage) stages.resize(stage + 1);
    Samples& samples = stages[stage];
    if (samples.count < kEnough) samples.times_ns[samples.count++] = event.duration_ns();
}

void UsualDurations::settle(const UsualDurations& otherwise) {
    for (std::size_t op = 0; op < kOps; ++op) {
        Operation& operation = operations_[op];
        if (operation.stages.empty()) operation = otherwise.operations_[op];
        std::vector<double> middles;
        for (Samples& samples : operation.stages) {
            samples.middle_ns = middleOf(std::span(samples.times_ns).first(samples.count));
            if (samples.count > 0) middles.push_back(samples.middle_ns);
        }
        operation.middle_ns = middleOf(std::span(middles));
    }
}

double UsualDurations::of_ns(Op op, int stage) const {
    if (static_cast<std::size_t>(op) >= kOps) return 0;
    const Operation& operation = operations_[static_cast<std::size_t>(op)];
    if (stage < 0 || static_cast<std::size_t>(stage) >= operation.stages.size()) return operation.middle_ns;
    const double own = operation.stages[static_cast<std::size_t>(stage)].middle_ns;
    const bool alike = own <= 0 || std::abs(own - operation.middle_ns) <= kAlike * operation.middle_ns;
    return alike ? operation.middle_ns : own;
}

}  // namespace bscope
