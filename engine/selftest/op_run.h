// OpRun: runs one operation of a device twice from the same start and keeps what came out, to compare the two
// runs bit by bit and the result with a reference. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "kernels/device.h"
#include "selftest/reference.h"

namespace bscope {

using Floats = std::vector<float>;

// Numbers in [-1, 1) from a counter.
Floats noise(std::size_t count, std::uint64_t seed);
reference::Values toDouble(const Floats& values);
// What is left of numbers in that precision.
Floats rounded(Floats values, Precision precision);

class OpRun {
public:
    OpRun(Device& device, Stream& stream) : device_(device), stream_(stream) {}

    // Device memory with this content at the start of each run.
    float* floats(const Floats& start) { return put<float>(start); }
    float* floats(std::size_t count) { return put<float>(Floats(count)); }
    // The same in that precision; what is rounded is rounded() of the start.
    Operand operands(const Floats& start, Precision precision);
    Operand operands(std::size_t count, Precision precision) { return operands(Floats(count), precision); }
    std::int32_t* integers(const std::vector<std::int32_t>& start) { return put<std::int32_t>(start); }
    double* doubles(std::size_t count) { return put<double>(std::vector<double>(count)); }

    void run(const std::function<void()>& operation);

    // After run(): both runs left the same bits everywhere.
    bool sameBits() const { return same_bits_; }
    // Greatest difference from the reference, as a share of the reference's greatest number; infinite where
    // something is no number.
    double error(const float* tensor, const reference::Values& expected) const;
    double error(ConstOperand tensor, const reference::Values& expected) const;
    double error(const double* tensor, const reference::Values& expected) const;

private:
    struct Tensor {
        Buffer memory;
        std::vector<char> start, after;
    };

    template <class Number>
    Number* put(const std::vector<Number>& start) {
        const char* bytes = reinterpret_cast<const char*>(start.data());
        const std::size_t size = start.size() * sizeof(Number);
        tensors_.push_back({Buffer(device_, size), std::vector<char>(bytes, bytes + size), {}});
        return tensors_.back().memory.as<Number>();
    }
    void once(const std::function<void()>& operation);
    const Tensor& tensorAt(const void* memory) const;
    template <class Number>
    double errorOf(const Number* tensor, const reference::Values& expected, double (*value)(Number)) const;

    Device& device_;
    Stream& stream_;
    std::deque<Tensor> tensors_;
    bool same_bits_ = false;
};

}  // namespace bscope
