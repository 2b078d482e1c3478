// IdlePeriods: when one lane stood still, read from the gaps of the iteration's numbers, each with the gap of
// the analysis that says why. A value; its iterators refer to it.
#pragma once

#include <vector>

#include "timeline/idle_gaps.h"

namespace bscope {

// Time without work on one lane, from one box to the next.
struct IdlePeriod {
    std::int64_t start_ns = 0, end_ns = 0;
    int gap = -1;  // of the analysis; -1: its cause is not known
};

class IdlePeriods {
public:
    using value_type = IdlePeriod;

    IdlePeriods() = default;
    IdlePeriods(IdleGaps gaps, std::size_t first, std::size_t size)
        : gaps_(std::move(gaps)), first_(first), size_(size) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    IdlePeriod operator[](std::size_t index) const {
        const IdleGap gap = gaps_[first_ + index];
        return {gap.start_ns, gap.end_ns, index < explained_.size() ? explained_[index] : -1};
    }
    IdlePeriod back() const { return (*this)[size_ - 1]; }
    auto begin() const { return Slice<IdlePeriods>(*this, 0, size_).begin(); }
    auto end() const { return Slice<IdlePeriods>(*this, 0, size_).end(); }
    void prefetch(std::size_t index) const {
        if (index < size_) gaps_.prefetch(first_ + index);
    }
    void explain(std::size_t index, int gap) {
        explained_.resize(size_, -1);
        explained_[index] = gap;
    }

private:
    IdleGaps gaps_;
    std::size_t first_ = 0, size_ = 0;
    std::vector<int> explained_;  // (size,) or empty
};

}  // namespace bscope
