// Operands as arrays of float or Bf16.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "kernels/cuda/device_language.cuh"
#include "kernels/operand.h"
#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

// The operands of one call are all the same.
template <class Number>
Number* numbers(Operand operand) {
    if (operand && (operand.precision() == Precision::Bf16) != std::is_same_v<Number, Bf16>)
        throw Refusal("this operation takes its operands in one precision, not in two");
    return static_cast<Number*>(operand.data());
}
template <class Number>
const Number* numbers(ConstOperand operand) {
    return numbers<Number>(Operand(const_cast<void*>(operand.data()), operand.precision()));
}

// Calls `with` with a number of the operand's precision.
template <class With>
void withNumber(ConstOperand operand, With with) {
    if (operand.precision() == Precision::Bf16) return with(Bf16{});
    return with(float{});
}

}  // namespace bscope::cuda
