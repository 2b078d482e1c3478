// A stage walks its layers forth and back and hands slots along: the output of a layer is the input of the
// next, and the slot of a layer's input, turned into its gradient, is the output gradient of the layer
// before.
#include "model/stage.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/model.h"
#include "shape/activation_bytes.h"

namespace bscope {

namespace {

constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();

ModelShape withSegments(ModelShape shape, std::size_t segments) {
    shape.segments = segments;
    return shape;
}

std::string nameOf(Portion portion) {
    return std::to_string(portion.microbatch) +
           (portion.segment > 0 ? "." + std::to_string(portion.segment) : "");
}

// From (micro-batches, B, T) to (micro-batches, segments, B, T of a segment); empty where nothing is cut.
std::vector<std::int32_t> bySegments(std::span<const std::int32_t> samples, const ModelShape& shape,
                                     std::size_t micro_batch) {
    std::vector<std::int32_t> cut;
    if (shape.segments == 1) return cut;
    cut.reserve(samples.size());
    const std::size_t of_microbatch = micro_batch * shape.T;
    for (std::size_t first = 0; first < samples.size(); first += of_microbatch)
        for (std::size_t segment = 0; segment < shape.segments; ++segment)
            for (std::size_t b = 0; b < micro_batch; ++b) {
                const auto part =
                    samples.subspan(first + b * shape.T + segment * shape.tokens(), shape.tokens());
                cut.insert(cut.end(), part.begin(), part.end());
            }
    return cut;
}

}  // namespace

Stage::Stage(Model& model, Workplace& workplace, const StageOptions& options)
    : model_(&model),
      workplace_(&workplace),
      options_(options),
      shape_(withSegments(model.shape(), options.segments)),
      first_layer_(firstLayer(options.range)),
      layers_(layersOf(model, options.range)) {
    if (options.micro_batch == 0) throw std::invalid_argument("a micro-batch needs at least one sample");
    workplace.reserveWorkspace(std::max(workspaceFloats(shape_, options.micro_batch), summandFloats()));
    for (const Layer* layer : layers_) layer->prepareTraining();
}

std::size_t Stage::messageFloats() const {
    const ModelShape& shape = shape_;
    return options_.micro_batch * shape.tokens() * shape.C / shape.rowParts();
}

void Stage::beginIteration(const BatchView& batch, std::size_t m, std::size_t all) {
    reserve(m);
    microbatches_ = m;
    step_microbatches_ = all;
    const std::size_t samples = options_.micro_batch * shape_.T;
    for (const auto& [wanted, from] : {std::pair(isFirst(), batch.tokens), {isLast(), batch.targets}})
        if (wanted && from.size() != m * samples)
            throw std::invalid_argument("Stage::beginIteration: the batch has " +
                                        std::to_string(from.size()) + " tokens, not m B T");
    if (isFirst()) upload(tokens_, 0, batch.tokens);
    if (isLast()) upload(targets_, 0, batch.targets);
    takeWeights();
    if (!options_.forward_only) zeroGradients();
}

void Stage::beginStream(std::size_t places, std::size_t step_microbatches) {
    reserve(places);
    microbatches_ = kEndless;
    step_microbatches_ = step_microbatches;
    takeWeights();
    zeroGradients();
}

void Stage::load(int mb, const BatchView& samples) {
    const std::size_t place = static_cast<std::size_t>(mb) % places_;
    if (isFirst()) upload(tokens_, place, samples.tokens);
    if (isLast()) upload(targets_, place, samples.targets);
}

void Stage::zeroGradients() {
    for (Layer* layer : layers_)
        workplace_->ops().run(FillZero{.x = layer->gradients(), .count = layer->parameterFloats()});
}

void Stage::takeWeights() {
    for (const Layer* layer : layers_) layer->roundWeights(workplace_->ops());
}

void Stage::reserve(std::size_t places) {
    if (!kept_.empty())
        throw std::logic_error("Stage: " + std::to_string(kept_.size()) +
                               " micro-batches of the iteration before are still in flight");
    places_ = places;
    Device& device = workplace_->device();
    const ModelShape& shape = shape_;
    const std::size_t bytes = places * options_.micro_batch * shape.T * sizeof(std::int32_t);
    const auto resize = [&](Buffer& buffer, std::size_t wanted) {
        if (buffer.bytes() != wanted) buffer = Buffer(device, wanted);
    };
    const std::size_t joined = joinedGradientFloats(shape, options_.range, options_.micro_batch);
    if (joined * sizeof(float) != joined_gradients_.bytes()) {
        joined_gradients_ = Buffer(device, joined * sizeof(float));
        device.fillZero(joined_gradients_.as<void>(), joined_gradients_.bytes());
    }
    if (isFirst()) resize(tokens_, bytes);
    if (!isLast()) return;
    resize(targets_, bytes);
    resize(losses_, places * shape.segments * sizeof(double));
    device.fillZero(losses_.as<void>(), losses_.bytes());
}

void Stage::upload(Buffer& to, std::size_t place, std::span<const std::int32_t> from) {
    for (const std::int32_t token : from)
        if (token < 0 || static_cast<std::size_t>(token) >= shape_.V)
            throw std::invalid_argument("token " + std::to_string(token) + " is not in a vocabulary of " +
                                        std::to_string(shape_.V));
    const std::size_t first = place * options_.micro_batch * shape_.T;
    const std::vector<std::int32_t> cut = bySegments(from, shape_, options_.micro_batch);
    workplace_->device().copy(to.as<std::int32_t>() + first, cut.empty() ? from.data() : cut.data(),
                              from.size_bytes());
}

Pass Stage::pass(Portion portion) const {
    const ModelShape& shape = shape_;
    const auto segment = static_cast<std::size_t>(portion.segment);
    if (portion.microbatch < 0 || static_cast<std::size_t>(portion.microbatch) >= microbatches_ ||
        portion.segment < 0 || segment >= shape.segments)
        throw std::invalid_argument("Stage: micro-batch " + nameOf(portion) + " of " +
                                    std::to_string(microbatches_));
    const std::size_t place = static_cast<std::size_t>(portion.microbatch) % places_;
    const std::size_t index = place * shape.segments + segment;
    const std::size_t first = index * options_.micro_batch * shape.tokens();
    return {.workplace = *workplace_,
            .shape = shape,
            .B = options_.micro_batch,
            .tokens = isFirst() ? tokens_.as<std::int32_t>() + first : nullptr,
            .targets = isLast() ? targets_.as<std::int32_t>() + first : nullptr,
            .loss = isLast() ? losses_.as<double>() + index : nullptr,
            .gradient_scale = 1.0F / static_cast<float>(step_microbatches_ * options_.micro_batch * shape.T),
            .shard = model_->shard(),
            .segment = segment,
            .earlier = {}};
}

// With what a block of a cut sequence needs of the segments before.
Pass Stage::ofLayer(const Pass& pass, Portion portion, std::size_t layer) const {
    Pass own = pass;
    const std::size_t first_block = options_.range.embedding ? 1 : 0, block = layer - first_block;
    if (pass.shape.segments == 1 || layer < first_block || block >= options_.range.blocks) return own;
    for (int segment = 0; segment < portion.segment; ++segment)
        own.earlier.push_back(&kept_.at({portion.microbatch, segment})[layer]);
    own.joined_gradients = joined_gradients_.as<float>() + block * joinedFloats(pass.shape, pass.B);
    return own;
}

std::vector<Stash>& Stage::kept(Portion portion) {
    const auto found = kept_.find(portion);
    if (found == kept_.end())
        throw std::logic_error("Stage: nothing is kept of micro-batch " + nameOf(portion));
    return found->second;
}

// After the forward of a layer: gives back what is not kept.
void Stage::dropAfterForward(std::size_t layer, Stash& stash) const {
    const std::span<const Keep> keeps = layers_[layer]->keeps();
    for (std::size_t slot = 0; slot < keeps.size(); ++slot) {
        const bool layer_input = slot == 0, stage_input = layer == 0 && layer_input;
        const bool keep = !options_.forward_only &&
                          (options_.checkpointing == Checkpointing::None ||
                           (options_.checkpointing == Checkpointing::Full && stage_input) ||
                           (options_.checkpointing == Checkpointing::FullByLayer && layer_input) ||
                           (options_.checkpointing == Checkpointing::Selective && keeps[slot].selective));
        if (!keep) stash[slot].reset();
    }
}

void Stage::runForward(const Pass& pass, Portion portion, std::vector<Stash>& stashes, Slot input,
                       float* output, bool drop) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const bool last = i + 1 == layers_.size();
        Slot y = last ? Slot::view(output) : pass.take(messageFloats());
        layers_[i]->forward(ofLayer(pass, portion, i), stashes[i], std::move(input), y.data());
        if (drop) dropAfterForward(i, stashes[i]);
        input = std::move(y);
    }
}

void Stage::forward(Portion portion, const float* input, float* output) {
    const Pass now = pass(portion);
    if (kept_.contains(portion))
        throw std::logic_error("Stage::forward: micro-batch " + nameOf(portion) + " is already in flight");
    Slot x;
    if (!isFirst()) {
        x = now.take(messageFloats());
        now.ops().run(CopyFloats{.to = x.data(), .from = input, .count = messageFloats()});
    }
    std::vector<Stash> stashes(layers_.size());
    runForward(now, portion, stashes, std::move(x), isLast() ? nullptr : output, true);
    if (!options_.forward_only) kept_.emplace(portion, std::move(stashes));
}

void Stage::recompute(Portion portion) {
    const Pass now = pass(portion);
    std::vector<Stash>& stashes = kept(portion);
    if (options_.checkpointing == Checkpointing::Full) {
        runForward(now, portion, stashes, std::move(stashes.front()[0]), nullptr, false);
    } else if (options_.checkpointing == Checkpointing::Selective) {
        for (std::size_t i = 0; i < layers_.size(); ++i)
            layers_[i]->recomputeSelective(ofLayer(now, portion, i), stashes[i]);
    }
}

// All of a layer but its result, which the layer after it has kept as its input.
void Stage::recomputeLayer(const Pass& pass, std::size_t layer, Stash& stash) const {
    if (options_.checkpointing == Checkpointing::FullByLayer)
        layers_[layer]->forward(pass, stash, std::move(stash[0]), nullptr);
}

void Stage::backward(Portion portion, float* output_gradient, float* input_gradient) {
    const Pass now = pass(portion);
    std::vector<Stash>& stashes = kept(portion);
    Slot gradient = Slot::view(isLast() ? nullptr : output_gradient);
    for (std::size_t i = layers_.size(); i-- > 0;) {
        recomputeLayer(now, i, stashes[i]);
        gradient = layers_[i]->backwardInput(ofLayer(now, portion, i), stashes[i], std::move(gradient));
        layers_[i]->backwardWeight(now, stashes[i]);
        stashes[i] = {};
    }
    if (!isFirst())
        now.ops().run(CopyFloats{.to = input_gradient, .from = gradient.data(), .count = messageFloats()});
    gradient.reset();
    kept_.erase(portion);
}

void Stage::backwardInput(Portion portion, const float* output_gradient, float* input_gradient) {
    const Pass now = pass(portion);
    std::vector<Stash>& stashes = kept(portion);
    Slot gradient;
    if (!isLast()) {
        gradient = now.take(messageFloats());
        now.ops().run(CopyFloats{.to = gradient.data(), .from = output_gradient, .count = messageFloats()});
    }
    for (std::size_t i = layers_.size(); i-- > 0;) {
        recomputeLayer(now, i, stashes[i]);
        gradient = layers_[i]->backwardInput(ofLayer(now, portion, i), stashes[i], std::move(gradient));
        const std::span<const Keep> keeps = layers_[i]->keeps();
        for (std::size_t slot = 0; slot < keeps.size(); ++slot)
            if (!keeps[slot].for_weight) stashes[i][slot].reset();
    }
    if (!isFirst())
        now.ops().run(CopyFloats{.to = input_gradient, .from = gradient.data(), .count = messageFloats()});
}

void Stage::backwardWeight(Portion portion) {
    const Pass now = pass(portion);
    std::vector<Stash>& stashes = kept(portion);
    for (std::size_t i = layers_.size(); i-- > 0;) {
        layers_[i]->backwardWeight(now, stashes[i]);
        stashes[i] = {};
    }
    kept_.erase(portion);
}

// Segments are as long as each other.
double Stage::loss(int mb) const {
    const Pass first = pass(mb);
    if (!isLast()) throw std::logic_error("Stage::loss: only the last stage knows the loss");
    std::vector<double> of_segments(shape_.segments);
    workplace_->stream().synchronize();
    workplace_->device().copy(of_segments.data(), first.loss, of_segments.size() * sizeof(double));
    return std::accumulate(of_segments.begin(), of_segments.end(), 0.0) /
           static_cast<double>(of_segments.size());
}

// (tensors,) what the slice has of each, counted from the tensor's first number.
std::vector<FloatSlice> Stage::tensorParts() const {
    std::vector<FloatSlice> parts;
    std::size_t first = 0;
    for (const Layer* layer : layers_)
        for (const Parameter& parameter : layer->parameters()) {
            parts.push_back(slice().within(first, parameter.size()));
            first += parameter.size();
        }
    return parts;
}

void Stage::sumSquares() {
    const std::vector<FloatSlice> parts = tensorParts();
    if (squares_.bytes() != parts.size() * sizeof(double))
        squares_ = Buffer(workplace_->device(), parts.size() * sizeof(double));
    std::size_t tensor = 0;
    for (const Layer* layer : layers_)
        for (const Parameter& parameter : layer->parameters()) {
            const FloatSlice& part = parts[tensor];
            if (part.floats() > 0)
                workplace_->ops().run(SumOfSquares{.result = squares_.as<double>() + tensor,
                                                   .x = layer->gradients() + parameter.offset + part.begin,
                                                   .count = part.floats()});
            ++tensor;
        }
}

void Stage::gradientSquares(std::span<double> squares) {
    const std::vector<FloatSlice> parts = tensorParts();
    std::vector<double> own(parts.size());
    workplace_->stream().synchronize();
    workplace_->device().copy(own.data(), squares_.as<double>(), squares_.bytes());
    std::size_t tensor = 0;
    double* its = squares.subspan(model_->firstTensor(first_layer_)).data();
    for (const Layer* layer : layers_)
        for (const Parameter& parameter : layer->parameters()) {
            const bool counts = model_->shard() == 0 || parameter.runs > 0;
            if (counts && parts[tensor].floats() > 0) its[tensor] = own[tensor];
            ++tensor;
        }
}

void Stage::step(const AdamWStep& step) {
    for (Layer* layer : layers_) {
        const FloatSlice& own = layer->state();
        if (own.floats() == 0) continue;
        workplace_->ops().run(AdamW{.weight = layer->weights() + own.begin,
                                    .m = layer->adamM(),
                                    .v = layer->adamV(),
                                    .gradient = layer->gradients() + own.begin,
                                    .count = own.floats(),
                                    .step = step});
    }
    if (microbatches_ == kEndless) takeWeights();  // else the next iteration does when it begins
}

std::size_t Stage::gradientFloats() const {
    std::size_t floats = 0;
    for (const Layer* layer : layers_) floats += layer->parameterFloats();
    return floats;
}

void Stage::copyGradients(float* to) const {
    for (const Layer* layer : layers_) {
        workplace_->ops().run(
            CopyFloats{.to = to, .from = layer->gradients(), .count = layer->parameterFloats()});
        to += layer->parameterFloats();
    }
}

template <class Visit>
void Stage::eachSummand(Visit visit) const {
    for (const Layer* layer : layers_)
        for (const Parameter& parameter : layer->parameters())
            if (parameter.is_summand) visit(layer->gradients() + parameter.offset, parameter.size());
}

std::size_t Stage::summandFloats() const {
    return bscope::summandFloats(shape_, options_.range);
}

void Stage::copySummands(float* to) const {
    eachSummand([&](const float* gradient, std::size_t floats) {
        workplace_->ops().run(CopyFloats{.to = to, .from = gradient, .count = floats});
        to += floats;
    });
}

void Stage::takeSums(const float* from) {
    eachSummand([&](float* gradient, std::size_t floats) {
        workplace_->ops().run(CopyFloats{.to = gradient, .from = from, .count = floats});
        from += floats;
    });
}

template <class Visit>
void Stage::eachPart(const FloatSlice& slice, Visit visit) const {
    std::size_t first = 0;
    for (Layer* layer : layers_) {
        const FloatSlice part = slice.within(first, layer->parameterFloats());
        if (part.floats() > 0) visit(*layer, part, first + part.begin);
        first += layer->parameterFloats();
    }
}

void Stage::replaceGradients(const float* from, const FloatSlice& slice) {
    zeroGradients();
    eachPart(slice, [&](Layer& layer, const FloatSlice& part, std::size_t place) {
        workplace_->ops().run(
            Add{.y = layer.gradients() + part.begin, .x = from + place, .count = part.floats()});
    });
}

void Stage::copyWeights(float* to, const FloatSlice& slice) const {
    eachPart(slice, [&](const Layer& layer, const FloatSlice& part, std::size_t place) {
        workplace_->ops().run(
            CopyFloats{.to = to + place, .from = layer.weights() + part.begin, .count = part.floats()});
    });
}

void Stage::replaceWeights(const float* from) {
    eachPart(whole(), [&](Layer& layer, const FloatSlice& part, std::size_t place) {
        workplace_->ops().run(
            CopyFloats{.to = layer.weights(), .from = from + place, .count = part.floats()});
    });
}

std::size_t Stage::weightBytes() const {
    return bscope::weightBytes(shape_, options_.range);
}

std::size_t Stage::optimizerBytes() const {
    std::size_t floats = 0;
    for (const Layer* layer : layers_) floats += layer->state().floats();
    return 2 * floats * sizeof(float);
}

std::size_t Stage::bufferBytes() const {
    std::size_t bytes =
        tokens_.bytes() + targets_.bytes() + losses_.bytes() + squares_.bytes() + joined_gradients_.bytes();
    for (const Layer* layer : layers_) bytes += layer->newest().operandBytes();
    return bytes;
}

}  // namespace bscope
