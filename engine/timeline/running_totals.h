// RunningTotals: durations by operation, added up before every 32nd event of a row, so that the sum over any
// range is the difference of two of them and a few events. Each operation that has taken any time has a
// column; a row has few of them. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "schedule/action.h"

namespace bscope {

class RunningTotals {
public:
    static constexpr std::size_t kBlock = 32;  // events
    // Nanoseconds by operation, all but F, B, I, W and R in one.
    using Totals = std::array<std::int64_t, static_cast<std::size_t>(Op::Recompute) + 2>;
    static constexpr std::size_t place(Op op) {
        return isCompute(op) ? static_cast<std::size_t>(op) : Totals().size() - 1;
    }

    // Of everything before event size() * kBlock.
    void push_back(const Totals& totals);
    std::size_t size() const { return size_; }
    Totals operator[](std::size_t index) const {
        Totals totals{};
        const std::int64_t* sum = sums_.data() + index * columns_;
        for (std::size_t column = 0; column < columns_; ++column) totals[ops_[column]] = sum[column];
        return totals;
    }
    void prefetch(std::size_t index) const { __builtin_prefetch(sums_.data() + index * columns_); }
    void reserve(std::size_t size) { expected_ = size; }

private:
    void addColumn(std::size_t op);

    std::size_t size_ = 0, expected_ = 0, columns_ = 0;
    std::array<std::uint8_t, std::tuple_size_v<Totals>> ops_{};  // (columns_,) places of their operations
    std::vector<std::int64_t> sums_;                             // (size_, columns_)
};

}  // namespace bscope
