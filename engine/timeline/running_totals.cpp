#include "timeline/running_totals.h"

#include <algorithm>
#include <span>
#include <utility>

namespace bscope {

void RunningTotals::push_back(const Totals& totals) {
    for (std::size_t op = 0; op < totals.size(); ++op) {
        const auto columns = std::span(ops_).first(columns_);
        if (totals[op] != 0 && std::ranges::find(columns, op) == columns.end()) addColumn(op);
    }
    for (std::size_t column = 0; column < columns_; ++column) sums_.push_back(totals[ops_[column]]);
    ++size_;
}

void RunningTotals::addColumn(std::size_t op) {
    std::vector<std::int64_t> wider;
    wider.reserve(std::max(expected_, size_ + 1) * (columns_ + 1));
    for (std::size_t row = 0; row < size_; ++row) {
        const auto from = sums_.begin() + static_cast<std::ptrdiff_t>(row * columns_);
        wider.insert(wider.end(), from, from + static_cast<std::ptrdiff_t>(columns_));
        wider.push_back(0);
    }
    sums_ = std::move(wider);
    ops_[columns_++] = static_cast<std::uint8_t>(op);
}

}  // namespace bscope
