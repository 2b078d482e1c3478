#include "selftest/op_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/plugin/bf16.h"

namespace bscope {

Floats noise(std::size_t count, std::uint64_t seed) {
    Floats values(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t z = (seed * 1000003 + i + 1) * 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 31)) * 0xBF58476D1CE4E5B9ULL;
        values[i] = static_cast<float>(static_cast<double>(z >> 40) / 8388608.0 - 1.0);
    }
    return values;
}

reference::Values toDouble(const Floats& values) {
    return {values.begin(), values.end()};
}

Floats rounded(Floats values, Precision precision) {
    if (precision == Precision::Bf16)
        for (float& value : values) value = fromBf16(toBf16(value));
    return values;
}

Operand OpRun::operands(const Floats& start, Precision precision) {
    if (precision == Precision::Fp32) return floats(start);
    std::vector<std::uint16_t> bits(start.size());
    std::transform(start.begin(), start.end(), bits.begin(), &toBf16);
    return {put<std::uint16_t>(bits), precision};
}

void OpRun::once(const std::function<void()>& operation) {
    for (Tensor& tensor : tensors_)
        device_.copy(tensor.memory.as<void>(), tensor.start.data(), tensor.start.size());
    operation();
    stream_.synchronize();
    for (Tensor& tensor : tensors_) {
        tensor.after.resize(tensor.start.size());
        device_.copy(tensor.after.data(), tensor.memory.as<void>(), tensor.after.size());
    }
}

void OpRun::run(const std::function<void()>& operation) {
    once(operation);
    std::vector<std::vector<char>> first;
    for (const Tensor& tensor : tensors_) first.push_back(tensor.after);
    once(operation);
    same_bits_ = std::equal(tensors_.begin(), tensors_.end(), first.begin(),
                            [](const Tensor& tensor, const auto& before) { return tensor.after == before; });
}

const OpRun::Tensor& OpRun::tensorAt(const void* memory) const {
    for (const Tensor& tensor : tensors_)
        if (tensor.memory.as<void>() == memory) return tensor;
    throw std::logic_error("OpRun: no tensor begins there");
}

template <class Number>
double OpRun::errorOf(const Number* tensor, const reference::Values& expected,
                      double (*value_of)(Number)) const {
    const std::vector<char>& bytes = tensorAt(tensor).after;
    if (bytes.size() != expected.size() * sizeof(Number))
        throw std::logic_error("OpRun: result and reference have different sizes");
    double worst = 0, greatest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        Number value;
        std::memcpy(&value, bytes.data() + i * sizeof(Number), sizeof(Number));
        const double off = std::abs(value_of(value) - expected[i]);
        if (std::isnan(off)) return std::numeric_limits<double>::infinity();
        worst = std::max(worst, off);
        greatest = std::max(greatest, std::abs(expected[i]));
    }
    return greatest > 0 ? worst / greatest : worst;
}

double OpRun::error(const float* tensor, const reference::Values& expected) const {
    return errorOf<float>(tensor, expected, [](float value) { return static_cast<double>(value); });
}
double OpRun::error(ConstOperand tensor, const reference::Values& expected) const {
    if (tensor.precision() == Precision::Fp32) return error(tensor.fp32(), expected);
    return errorOf<std::uint16_t>(static_cast<const std::uint16_t*>(tensor.data()), expected,
                                  [](std::uint16_t bits) { return static_cast<double>(fromBf16(bits)); });
}
double OpRun::error(const double* tensor, const reference::Values& expected) const {
    return errorOf<double>(tensor, expected, [](double value) { return value; });
}

}  // namespace bscope
