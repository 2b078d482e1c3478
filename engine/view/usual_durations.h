// UsualDurations: how long an operation usually takes, by operation and stage: the middle one of its first
// few times. Stages that differ by less than a quarter from the middle of all stages count as equal, so that
// noise does not tell apart what the model makes alike. A value.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "timeline/event.h"

namespace bscope {

class UsualDurations {
public:
    void add(const Event& event);
    // Takes over the operations of which nothing is known here; then works out the usual ones.
    void settle(const UsualDurations& otherwise);
    double of_ns(Op op, int stage) const;  // 0: unknown

private:
    static constexpr std::size_t kOps = static_cast<std::size_t>(Op::BackwardWeight) + 1;
    static constexpr std::size_t kEnough = 15;
    struct Samples {
        std::array<std::int64_t, kEnough> times_ns{};
        std::size_t count = 0;
        double middle_ns = 0;
    };
    struct Operation {
        std::vector<Samples> stages;
        double middle_ns = 0;
    };
    std::array<Operation, kOps> operations_;
};

}  // namespace bscope
