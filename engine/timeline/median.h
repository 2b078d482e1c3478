// The median of numbers: the middle one, of an even count the mean of the two in the middle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bscope {

// values: one at least, none of them NaN.
template <class Number>
double median(std::vector<Number> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const auto upper = static_cast<double>(*middle);
    if (values.size() % 2 == 1) return upper;
    return (upper + static_cast<double>(*std::max_element(values.begin(), middle))) / 2;
}

}  // namespace bscope
