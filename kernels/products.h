// Products: what multiplies matrices on the CPU. The same one gives the same bits for the same factors on one
// kind of processor; two of them add in different orders.
#pragma once

#include <cstdint>

namespace bscope {

enum class Products : std::uint8_t {
    Usual,   // the quicker one on this kind of processor
    Loops,   // of kernels/cpu/simd/product.cpp
    OneDnn,  // its sgemm
};

}  // namespace bscope
