// SizeFit: how the time of an operation grows with the size of a micro-batch: a fixed part, which every
// operation has whatever its size, and a part for each sample. Least squares over measured sizes; docs/
// NUMBERS.md, "What would help". Pure functions.
#pragma once

#include <optional>
#include <span>

#include "timeline/costs.h"

namespace bscope {

struct MeasuredSize {
    int size = 0;   // samples of a micro-batch
    double ns = 0;  // of its operations on all stages
};

struct SizeFit {
    double fixed_ns = 0, sample_ns = 0;  // of all operations of a micro-batch
    double residual = 0;                 // root mean square of measured over fitted - 1
    int sizes = 0;                       // different ones

    double at(int size) const { return fixed_ns + sample_ns * size; }
};

// Relative errors count, so that small sizes do. The fixed part is 0 where it is not above twice its standard
// error. nullopt: less than three sizes, whose scatter says how sure it is, or larger ones take no longer.
std::optional<SizeFit> sizeFit(std::span<const MeasuredSize> measured);
// All operations of one micro-batch, ns.
double workOf(const Costs& costs);
// With the durations of that fit, in the proportions that they have.
Costs withSizeFit(Costs costs, const SizeFit& fit, int size);

}  // namespace bscope
