// What decides every tensor's size: the GPT's shape, and which layers a pipeline stage has.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/operand.h"

namespace bscope {

// tok_embedding (V, C) and pos_embedding (T, C), L blocks, final LayerNorm and untied head (V, C).
struct ModelShape {
    std::size_t L = 0;  // transformer blocks
    std::size_t C = 0;  // hidden size, a multiple of heads
    std::size_t heads = 0;
    std::size_t T = 0;  // sequence length
    std::size_t V = 0;  // vocabulary
    // Tensor-parallel shards of every layer: each has heads / t heads, 4C / t of what is between the two
    // products of the MLP, and V / t rows of the token embedding and of the head; positions and LayerNorms
    // are whole on each.
    std::size_t t = 1;
    // LayerNorms and the residual stream on T / t tokens of each shard (arXiv:2205.05198, section 4.2.2);
    // only with t > 1.
    bool sequence_parallel = false;
    // Segments that every sequence is cut into, of as many tokens: what one operation works on.
    std::size_t segments = 1;

    std::size_t tokens() const { return T / segments; }                 // of a sample in one operation
    std::size_t rowParts() const { return sequence_parallel ? t : 1; }  // of the residual stream
    std::size_t shardHeads() const { return heads / t; }
    std::size_t shardC() const { return C / t; }  // of attention, and a fourth of the MLP's
    std::size_t shardV() const { return V / t; }

    bool operator==(const ModelShape&) const = default;
};

// A slice of numbers that lie side by side, as the copies of a stage or its shards divide them.
struct FloatSlice {
    std::size_t begin = 0, end = 0;
    std::size_t floats() const { return end - begin; }
    std::size_t bytes() const { return floats() * sizeof(float); }
    // What it has of [first, first + floats), counted from there.
    FloatSlice within(std::size_t first, std::size_t floats) const;
    bool operator==(const FloatSlice&) const = default;
};
inline constexpr std::size_t kCacheLineFloats = 16;
// The part'th of so many slices: all equal and of whole grains but the last ones, which are shorter or empty
// where there are fewer grains.
FloatSlice sliceOf(std::size_t floats, int parts, int part, std::size_t grain = kCacheLineFloats);

// What a stage keeps of a micro-batch between its forward and its backward.
enum class Checkpointing {
    None,         // every activation that backward reads
    Full,         // the stage's input only; recompute() runs the stage forward again
    FullByLayer,  // every layer's input; backward runs a layer forward again directly before its own backward
    Selective,    // all but what attention and GELU make; recompute() runs those two again
};

// What attention keeps for its backward, by kind of device: see Ops::attentionKeptFloats.
enum class AttentionMemory {
    Probabilities,  // (B, heads, T, T): a CPU
    LogSums,        // (B, heads, T): a GPU
};

// What the size of activations depends on besides their shape.
struct DeviceMemory {
    AttentionMemory attention = AttentionMemory::Probabilities;
    Precision operands = Precision::Fp32;
};

// The consecutive layers of one stage.
struct StageRange {
    std::size_t first_block = 0;
    std::size_t blocks = 0;
    bool embedding = false;  // the first stage
    bool head = false;       // the last stage: final LayerNorm, head, loss

    bool operator==(const StageRange&) const = default;
};

// Stages of `blocks_per_stage` blocks each, embedding on the first and head on the last. Throws
// std::invalid_argument when the blocks do not add up to shape.L.
std::vector<StageRange> stageRanges(const ModelShape& shape, std::span<const int> blocks_per_stage);

// Multiplications of one token's way forward through a shard of a stage: (12 C^2 + 2 T C) / t a block,
// C V / t the head. A backward takes twice as many everywhere, so this is the work of stages against each
// other.
double multiplicationsPerToken(const ModelShape& shape, const StageRange& range);

}  // namespace bscope
