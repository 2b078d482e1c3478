// The checks of operations as they are collected: sizes, tolerances, and the device that they run on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "selftest/op_checks.h"
#include "selftest/op_run.h"

namespace bscope {

// Element by element; sums over rows in fp32; matrix products and attention in fp32. With bf16 operands what
// is written is rounded, too; and in attention what one product hands to the next.
constexpr double kElement = 2e-6, kSum = 1e-5, kProduct = 1e-5, kElementBf16 = 5e-3, kProductBf16 = 1e-2;
constexpr std::size_t kRows = 131, kIn = 72, kOut = 104;

class OpChecks {
public:
    OpChecks(Device& device, Stream& stream, Ops& its_ops, const OpCheckOptions& options)
        : device_(device),
          stream_(stream),
          ops(its_ops),
          precision(options.bf16 ? Precision::Bf16 : Precision::Fp32),
          element_tolerance(options.bf16 ? kElementBf16 : kElement),
          product_tolerance(options.bf16 ? kProductBf16 : kProduct) {}

    // Numbers that an operand of this device can be.
    Floats operandNoise(std::size_t count, std::uint64_t seed) const {
        return rounded(noise(count, seed), precision);
    }

    // `body` prepares, runs and gives the greatest error.
    void add(const std::string& name, double tolerance, const std::function<double(OpRun&)>& body) {
        Check check{.name = name, .tolerance = tolerance, .failure = {}};
        OpRun run(device_, stream_);
        try {
            check.error = body(run);
            check.same_bits = run.sameBits();
        } catch (const std::exception& error) {
            check.failure = error.what();
        }
        results.push_back(check);
    }

    std::vector<Check> results;

private:
    Device& device_;
    Stream& stream_;

public:
    Ops& ops;
    const Precision precision;
    const double element_tolerance, product_tolerance;
};

inline reference::Values mapped(reference::Values values, double (*f)(double)) {
    for (double& value : values) value = f(value);
    return values;
}

// Matrix products and linear layers.
void addProducts(OpChecks& checks);
// Attention of samples that are cut into segments.
void addSegmentAttention(OpChecks& checks, const std::vector<std::size_t>& head_sizes);

}  // namespace bscope
