// at(): ranks, stages and micro-batches are ints; containers are indexed with std::size_t.
#pragma once

#include <cstddef>

namespace bscope {

// index >= 0.
constexpr std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace bscope
