// How many bytes a stage's activations take, by formula: exactly what its arena will measure. For the memory
// cap before a run and for the predicted memory curve. Pure functions.
#pragma once

#include <cstddef>

#include "shape/shape.h"

namespace bscope {

// For one micro-batch, or one of its shape.segments segments, in one stage. Live bytes change like this: F
// +held; R +recomputed; then B -(held + recomputed), or I -(held + recomputed - kept_for_weight) and W
// -kept_for_weight. Where layers are computed again one by one inside B or I, there is no R and `recomputed`
// is 0. With sequence parallelism what belongs to the residual stream has a t-th of the rows; a backward
// gathers two gradients in all rows in every block.
struct ActivationBytes {
    std::size_t held = 0;             // after F, until R, B or I
    std::size_t recomputed = 0;       // what R adds; 0 without R
    std::size_t kept_for_weight = 0;  // after I, until W
    std::size_t forward_peak = 0;     // most that F has live above what was live before it, >= held
    std::size_t input_peak = 0;       // the same for I, on top of held + recomputed
    std::size_t backward_peak = 0;    // the same for B
};

ActivationBytes activationBytes(const ModelShape& shape, const StageRange& range, std::size_t micro_batch,
                                Checkpointing checkpointing, bool forward_only = false,
                                const DeviceMemory& device = {});

// Floats that hold so many numbers as operands.
constexpr std::size_t operandFloats(std::size_t numbers, Precision precision) {
    return (numbers * bytesOf(precision) + sizeof(float) - 1) / sizeof(float);
}

// Floats of working space a stage of this shape reserves in its workplace. Where sequences are cut, its last
// joinedFloats() are for the queries, keys and values of all segments side by side.
std::size_t workspaceFloats(const ModelShape& shape, std::size_t micro_batch);
std::size_t joinedFloats(const ModelShape& shape, std::size_t micro_batch);
// Floats in which a stage adds up the gradients of those, of every block; 0 where no sequence is cut.
std::size_t joinedGradientFloats(const ModelShape& shape, const StageRange& range, std::size_t micro_batch);

// Numbers of whose gradients each shard has a summand: with sequence parallelism those of the LayerNorms.
std::size_t summandFloats(const ModelShape& shape, const StageRange& range);

// Bytes of the stage's weights; its gradients take as many, its optimizer state twice as many.
std::size_t weightBytes(const ModelShape& shape, const StageRange& range);

}  // namespace bscope
