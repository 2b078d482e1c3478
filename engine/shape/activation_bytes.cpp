// Counts floats layer by layer as Stage::forward takes and drops them; tests hold it against the arena.
#include "shape/activation_bytes.h"

#include <algorithm>
#include <vector>

namespace bscope {

namespace {

// Floats of one layer's stash, without its input: what forward takes, what selective checkpointing drops of
// it, and what stays for backwardWeight, of it and of the gradients that took its place, with the output's
// gradient; and the gradients in all rows that backwardInput gathers.
struct LayerFloats {
    std::size_t input = 0, taken = 0, dropped_selective = 0, for_weight = 0, gathered = 0;
};

std::vector<LayerFloats> stageFloats(const ModelShape& shape, const StageRange& range, std::size_t rows,
                                     const DeviceMemory& device) {
    const std::size_t own_rows = rows / shape.rowParts();
    const std::size_t activation = own_rows * shape.C, of_shard = rows * shape.shardC();
    const std::size_t in_all_rows = 2 * rows * shape.C;  // the gradients of a block's result and residual
    const auto operand = [&](std::size_t numbers) { return operandFloats(numbers, device.operands); };
    const std::size_t heads = shape.shardHeads();
    const std::size_t per_row = device.attention == AttentionMemory::Probabilities ? heads * shape.T : heads;
    const std::size_t attention = rows * per_row + operand(of_shard);  // what is kept, and the result
    std::vector<LayerFloats> layers;
    if (range.embedding) layers.push_back({.for_weight = activation});
    // Operands: ln1, qkv, ln2, hidden and GELU's result. Beside them the residual, and two LayerNorms'
    // statistics and sums; for the weights also attention's result and the output's gradient.
    const std::size_t operands = 2 * operand(activation) + operand(3 * of_shard) + 2 * operand(4 * of_shard);
    const LayerFloats block = {.input = activation,
                               .taken = operands + activation + attention + 4 * own_rows + 4 * shape.C,
                               .dropped_selective = attention + operand(4 * of_shard),
                               .for_weight = operands + operand(of_shard) + in_all_rows + 4 * shape.C,
                               .gathered = shape.sequence_parallel ? in_all_rows : 0};
    layers.insert(layers.end(), range.blocks, block);
    if (range.head)
        layers.push_back({.input = activation,
                          .taken = operand(activation) + rows * shape.shardV() + 2 * own_rows + 2 * shape.C,
                          .for_weight = operand(activation) + rows * shape.shardV() + 2 * shape.C});
    return layers;
}

enum class Backward { Whole, InputHalf };

// Most that a backward has live above what was live before it: what the layers that are left hold, all of one
// layer, the gradient that it is handed or what it gathers, and of the layers after it what a weight half
// still reads. again: each layer, of which the input alone is held, is first computed again.
std::size_t backwardPeak(const std::vector<LayerFloats>& layers, std::size_t before,
                         std::size_t first_gradient, Backward backward, bool again) {
    std::size_t peak = before, live = before, gradient = first_gradient;
    for (std::size_t i = layers.size(); i-- > 0;) {
        const LayerFloats& layer = layers[i];
        if (again) live += layer.taken;
        peak = std::max(peak, live + std::max(gradient, layer.gathered));
        live -= layer.input + layer.taken;
        gradient = layer.input;
        if (backward == Backward::InputHalf) live += layer.for_weight;
    }
    return peak - before;
}

}  // namespace

ActivationBytes activationBytes(const ModelShape& shape, const StageRange& range, std::size_t micro_batch,
                                Checkpointing checkpointing, bool forward_only, const DeviceMemory& device) {
    const std::size_t rows = micro_batch * shape.tokens();
    const std::vector<LayerFloats> layers = stageFloats(shape, range, rows, device);
    ActivationBytes floats;
    std::size_t complete = 0;  // of the whole stage, when nothing is dropped
    // As the stage runs: a layer's input is there before it, the next one's is taken, then its own slots.
    std::size_t live = layers.empty() ? 0 : layers.front().input;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerFloats& layer = layers[i];
        live += layer.taken + (i + 1 < layers.size() ? layers[i + 1].input : 0);
        floats.forward_peak = std::max(floats.forward_peak, live);
        const bool keeps_input = !forward_only && (checkpointing != Checkpointing::Full || i == 0);
        if (!keeps_input) live -= layer.input;
        if (forward_only || checkpointing == Checkpointing::Full ||
            checkpointing == Checkpointing::FullByLayer)
            live -= layer.taken;
        else if (checkpointing == Checkpointing::Selective)
            live -= layer.dropped_selective;
        complete += layer.input + layer.taken;
        floats.kept_for_weight += layer.for_weight;
    }
    floats.held = live;
    const bool again = checkpointing == Checkpointing::FullByLayer;
    if (!again) floats.recomputed = complete - floats.held;
    const std::size_t before = floats.held + floats.recomputed;
    // A whole backward works in the memory of the message that brings the gradient.
    floats.backward_peak = backwardPeak(layers, before, 0, Backward::Whole, again);
    floats.input_peak = backwardPeak(layers, before, range.head ? 0 : rows * shape.C / shape.rowParts(),
                                     Backward::InputHalf, again);
    if (forward_only) floats = {.forward_peak = floats.forward_peak};
    const auto bytes = [](std::size_t count) { return count * sizeof(float); };
    return {bytes(floats.held),         bytes(floats.recomputed), bytes(floats.kept_for_weight),
            bytes(floats.forward_peak), bytes(floats.input_peak), bytes(floats.backward_peak)};
}

std::size_t workspaceFloats(const ModelShape& shape, std::size_t micro_batch) {
    // The head's: the maxima of all parts, and the sums and logits of the targets.
    const std::size_t of_cross_entropy = shape.t > 1 ? shape.t + 2 : 0;
    return micro_batch * shape.tokens() * std::max({shape.C, 4 * shape.shardC(), of_cross_entropy}) +
           joinedFloats(shape, micro_batch);
}

std::size_t joinedFloats(const ModelShape& shape, std::size_t micro_batch) {
    return shape.segments > 1 ? micro_batch * shape.T * 3 * shape.shardC() : 0;
}

std::size_t joinedGradientFloats(const ModelShape& shape, const StageRange& range, std::size_t micro_batch) {
    return range.blocks * joinedFloats(shape, micro_batch);
}

std::size_t summandFloats(const ModelShape& shape, const StageRange& range) {
    return shape.sequence_parallel ? (4 * range.blocks + (range.head ? 2 : 0)) * shape.C : 0;
}

std::size_t weightBytes(const ModelShape& shape, const StageRange& range) {
    const std::size_t C = shape.C;
    // Cut: the four matrices and the biases of QKV and fc; whole: two LayerNorms, the other two biases.
    std::size_t floats = range.blocks * ((12 * C + 7) * shape.shardC() + 6 * C);
    if (range.embedding) floats += (shape.shardV() + shape.T) * C;
    if (range.head) floats += shape.shardV() * C + 2 * C;
    return floats * sizeof(float);
}

}  // namespace bscope
