/* Operand: numbers that are there to enter a matrix product or attention, in memory in the precision that
 * their device keeps such numbers in; everything else is fp32 (float*), which an operand may be, too. A view:
 * the allocator of the memory owns it. C sees the same 16 bytes as C++, without a gap. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* bfloat16: the upper half of an fp32 number. */
enum { BSCOPE_FP32 = 0, BSCOPE_BF16 = 1 };

#ifdef __cplusplus

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace bscope {

enum class Precision : std::int64_t { Fp32 = BSCOPE_FP32, Bf16 = BSCOPE_BF16 };

constexpr std::size_t bytesOf(Precision precision) {
    return precision == Precision::Bf16 ? 2 : 4;
}

template <class Void, class Float>
class BasicOperand {
public:
    BasicOperand(Float* data) : data_(data) {}
    BasicOperand(Void* data, Precision precision) : data_(data), precision_(precision) {}
    // What may be written may be read.
    template <class OtherVoid, class OtherFloat>
    BasicOperand(const BasicOperand<OtherVoid, OtherFloat>& other)
        : data_(other.data()), precision_(other.precision()) {}

    Void* data() const { return data_; }
    Precision precision() const { return precision_; }
    explicit operator bool() const { return data_ != nullptr; }
    // Throws std::logic_error when the numbers are not fp32.
    Float* fp32() const {
        if (precision_ != Precision::Fp32) throw std::logic_error("this device computes with fp32 only");
        return static_cast<Float*>(data_);
    }
    // The operand that begins so many numbers further on.
    BasicOperand operator+(std::size_t numbers) const {
        using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
        return {static_cast<Void*>(static_cast<Byte*>(data_) + numbers * bytesOf(precision_)), precision_};
    }

private:
    Void* data_;
    Precision precision_ = Precision::Fp32;
};

using Operand = BasicOperand<void, float>;
using ConstOperand = BasicOperand<const void, const float>;

}  // namespace bscope

typedef bscope::Operand BscopeOperand;
typedef bscope::ConstOperand BscopeConstOperand;

#else

typedef struct BscopeOperand {
    void* data;
    int64_t precision;
} BscopeOperand;
typedef struct BscopeConstOperand {
    const void* data;
    int64_t precision;
} BscopeConstOperand;

#endif
