// The list of layers, and the way of a tensor to and from host memory.
#include "model/model.h"

#include <stdexcept>

#include "model/block.h"
#include "model/embedding.h"
#include "model/head.h"

namespace bscope {

namespace {

void requireLegal(const ModelShape& shape) {
    if (shape.L == 0 || shape.C == 0 || shape.heads == 0 || shape.T == 0 || shape.V == 0)
        throw std::invalid_argument("model shape: every size must be at least 1");
    if (shape.C % shape.heads != 0)
        throw std::invalid_argument("model shape: hidden size " + std::to_string(shape.C) +
                                    " is not a multiple of " + std::to_string(shape.heads) + " heads");
    if (shape.t == 0 || shape.heads % shape.t != 0)
        throw std::invalid_argument("model shape: " + std::to_string(shape.heads) +
                                    " heads cannot be cut into " + std::to_string(shape.t) + " shards");
    if (shape.V % shape.t != 0)
        throw std::invalid_argument("model shape: a vocabulary of " + std::to_string(shape.V) +
                                    " cannot be cut into " + std::to_string(shape.t) + " shards");
}

float* tensorData(const Layer& layer, std::size_t parameter, TensorKind kind) {
    const std::size_t offset = layer.parameters()[parameter].offset;
    switch (kind) {
        case TensorKind::Weight:
            return layer.weights() + offset;
        case TensorKind::Gradient:
            return layer.gradients() + offset;
        case TensorKind::AdamM:
            return layer.adamM() + offset;
        case TensorKind::AdamV:
            return layer.adamV() + offset;
    }
    throw std::invalid_argument("tensorData: unknown kind of tensor");
}

using Numbers = float* (Layer::*)() const;
enum class Way { ToPart, ToFull };

// Between a part of a layer, shard `index` of t, and the full one: of the part's numbers those of a slice, of
// which the memory of these begins with number `first`.
void copyPart(const Layer& part, const Layer& full, std::size_t index, std::size_t t, Numbers numbers,
              const FloatSlice& slice, std::size_t first, Way way) {
    for (std::size_t i = 0; i < part.parameters().size(); ++i) {
        const Parameter& parameter = part.parameters()[i];
        float* const there = (full.*numbers)() + full.parameters()[i].offset;
        eachRun(parameter, index, t, [&](std::size_t whole, std::size_t own, std::size_t floats) {
            const std::size_t begin = parameter.offset + own;
            const FloatSlice run = slice.within(begin, floats);
            if (run.floats() == 0) return;
            float* const here = (part.*numbers)() + (begin + run.begin - first);
            float* const wide = there + whole + run.begin;
            if (way == Way::ToPart)
                copyBetween(part.device(), here, full.device(), wide, run.bytes());
            else
                copyBetween(full.device(), wide, part.device(), here, run.bytes());
        });
    }
}

constexpr Numbers kMoments[] = {&Layer::adamM, &Layer::adamV};

}  // namespace

Model::Model(Device& device, const ModelShape& shape, std::uint64_t seed, std::size_t shard)
    : device_(&device), shape_(shape), shard_(shard) {
    requireLegal(shape);
    const Shard part{shard, shape.t};
    layers_.push_back(std::make_unique<Embedding>(device, shape, seed, part));
    for (std::size_t i = 0; i < shape.L; ++i)
        layers_.push_back(std::make_unique<Block>(device, shape, i, seed, part));
    layers_.push_back(std::make_unique<Head>(device, shape, seed, part));
    first_tensor_.push_back(0);
    for (const auto& layer : layers_)
        first_tensor_.push_back(first_tensor_.back() + layer->parameters().size());
}

std::size_t Model::parameterCount() const {
    std::size_t floats = 0;
    for (const auto& layer : layers_) floats += layer->parameterFloats();
    return floats;
}

std::vector<float> Model::read(std::size_t layer, std::size_t parameter, TensorKind kind) const {
    std::vector<float> values(layers_[layer]->parameters()[parameter].size());
    layers_[layer]->device().copy(values.data(), tensorData(*layers_[layer], parameter, kind),
                                  values.size() * sizeof(float));
    return values;
}

void Model::keepState(const StageRange& range, const FloatSlice& slice) {
    std::size_t first = 0;
    for (std::size_t i = firstLayer(range); i < pastLastLayer(range); ++i) {
        layers_[i]->keepState(slice.within(first, layers_[i]->parameterFloats()));
        first += layers_[i]->parameterFloats();
    }
}

void Model::copyStateOf(const Model& other) {
    const std::size_t t = shape_.t / other.shape_.t, index = t > 1 ? shard_ : 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer &from = *other.layers_[i], &to = *layers_[i];
        copyPart(to, from, index, t, &Layer::weights, {0, to.parameterFloats()}, 0, Way::ToPart);
        for (const Numbers moments : kMoments)
            copyPart(to, from, index, t, moments, to.state(), to.state().begin, Way::ToPart);
    }
}

void Model::dropTraining() {
    for (const auto& layer : layers_) layer->dropTraining();
}

void Model::gather(const Model& part) {
    const std::size_t t = part.shape_.t / shape_.t;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer &from = *part.layers_[i], &to = *layers_[i];
        for (const Numbers numbers : {&Layer::weights, &Layer::gradients})
            copyPart(from, to, part.shard_, t, numbers, from.state(), 0, Way::ToFull);
        for (const Numbers moments : kMoments)
            copyPart(from, to, part.shard_, t, moments, from.state(), from.state().begin, Way::ToFull);
    }
}

void Model::write(std::size_t layer, std::size_t parameter, TensorKind kind, std::span<const float> values) {
    const Parameter& target = layers_[layer]->parameters()[parameter];
    if (values.size() != target.size())
        throw std::invalid_argument(target.name + " has " + std::to_string(target.size()) + " values, not " +
                                    std::to_string(values.size()));
    layers_[layer]->device().copy(tensorData(*layers_[layer], parameter, kind), values.data(),
                                  values.size_bytes());
}

// The embedding is layer 0, block i is layer i + 1, the head is layer L + 1.
std::size_t firstLayer(const StageRange& range) {
    return range.embedding ? 0 : range.first_block + 1;
}

std::size_t pastLastLayer(const StageRange& range) {
    return range.first_block + range.blocks + 1 + (range.head ? 1 : 0);
}

std::vector<Layer*> layersOf(const Model& model, const StageRange& range) {
    const std::size_t L = model.shape().L;
    if (range.first_block + range.blocks > L || (range.embedding && range.first_block != 0) ||
        (range.head && range.first_block + range.blocks != L))
        throw std::invalid_argument("blocks " + std::to_string(range.first_block) + " to " +
                                    std::to_string(range.first_block + range.blocks) +
                                    " are not a stage of a model of " + std::to_string(L));
    std::vector<Layer*> layers;
    for (std::size_t i = firstLayer(range); i < pastLastLayer(range); ++i) layers.push_back(&model.layer(i));
    if (layers.empty()) throw std::invalid_argument("a stage needs at least one layer");
    return layers;
}

}  // namespace bscope
