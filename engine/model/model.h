// Model: all layers of the network in order, and the names of their tensors. Stages borrow layers from it;
// between iterations layers go to other stages without a copy, and training goes on. Not locked: different
// threads may use different layers at the same time, nothing more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "model/layer.h"
#include "shape/shape.h"

namespace bscope {

// The four kinds of numbers that a model has one of per parameter.
enum class TensorKind { Weight, Gradient, AdamM, AdamV };

class Model {
public:
    // Weights depend on shape and seed only, and those of a shard, one of shape.t, are its part of them.
    // Throws std::invalid_argument naming what is wrong with the shape.
    Model(Device& device, const ModelShape& shape, std::uint64_t seed, std::size_t shard = 0);

    const ModelShape& shape() const { return shape_; }
    std::size_t shard() const { return shard_; }
    // Where the layers were made; each may have moved since.
    Device& device() const { return *device_; }

    // Embedding, blocks 0..L-1, head.
    std::size_t layerCount() const { return layers_.size(); }
    Layer& layer(std::size_t index) const { return *layers_[index]; }
    // Place of a layer's first tensor in the model's order of tensors.
    std::size_t firstTensor(std::size_t layer) const { return first_tensor_[layer]; }
    std::size_t tensorCount() const { return first_tensor_.back(); }
    std::size_t parameterCount() const;  // floats

    // A tensor to or from host memory. Sizes must fit: std::invalid_argument.
    std::vector<float> read(std::size_t layer, std::size_t parameter, TensorKind kind) const;
    // Of the layers of a stage, those AdamW moments alone that a slice of all their numbers side by side has.
    void keepState(const StageRange& range, const FloatSlice& slice);
    // Weights and optimizer state, what it keeps of it, of a model of the same shape, or of the one that this
    // is a shard of.
    void copyStateOf(const Model& other);
    // Gradients and optimizer state, which shards and copies of this model have until they give them back.
    void dropTraining();
    // A shard or a copy of this model gives back its part of weights, gradients and optimizer state: what it
    // keeps optimizer state of.
    void gather(const Model& part);
    void write(std::size_t layer, std::size_t parameter, TensorKind kind, std::span<const float> values);

private:
    Device* device_;
    ModelShape shape_;
    std::size_t shard_;
    std::vector<std::unique_ptr<Layer>> layers_;
    std::vector<std::size_t> first_tensor_;  // (layers + 1,)
};

// Of a stage's layers, the place of the first in the model, and that behind the last.
std::size_t firstLayer(const StageRange& range);
std::size_t pastLastLayer(const StageRange& range);
// Its layers, in order. Throws std::invalid_argument when the range is not inside the model, or empty.
std::vector<Layer*> layersOf(const Model& model, const StageRange& range);

}  // namespace bscope
