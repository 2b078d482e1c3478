#include "model/serving_stage.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "model/model.h"

namespace bscope {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

ModelShape ofRows(ModelShape shape) {
    shape.T = 1;
    return shape;
}

// Keys and values of so many tokens in all blocks.
std::size_t keptFloatsOf(const ModelShape& shape, const StageRange& range, int tokens) {
    return range.blocks * at(tokens) * 2 * shape.shardC();
}

// Most that the layers take one after the other: the input of a layer, what it takes itself, and its result,
// which the last one of a stage writes where the message is.
std::size_t forwardFloats(const ModelShape& shape, const StageRange& range, const ServingStep& step) {
    const std::size_t rows = at(step.tokens()), C = shape.C, own = shape.shardC(), x = rows * C,
                      emitted = at(step.emitted());
    std::size_t most = 0;
    const auto layer = [&](std::size_t taken, bool has_input, bool has_result) {
        most = std::max(most, (has_input ? x : 0) + taken + (has_result ? x : 0));
    };
    const std::size_t layers = range.blocks + (range.embedding ? 1 : 0) + (range.head ? 1 : 0);
    if (range.embedding) layer(0, false, layers > 1);
    // Statistics and sums of two LayerNorms, both normalised and the residual; of the shard's part queries,
    // keys and values, attention's result, and twice what is inside the MLP.
    const std::size_t of_block = 4 * rows + 4 * C + 3 * x + (3 + 1 + 8) * rows * own;
    for (std::size_t block = 0; block < range.blocks; ++block)
        layer(of_block, true, block + 1 < range.blocks || range.head);
    if (range.head) layer(emitted * (2 * C + 2 + shape.shardV()), true, false);
    return most;
}

}  // namespace

int ServingWork::mostTokens() const {
    int most = 0;
    for (const ServingStep& step : steps) most = std::max(most, step.tokens());
    return most;
}

int ServingWork::promptTokens() const {
    return std::accumulate(serving.requests.begin(), serving.requests.end(), 0,
                           [](int sum, const Request& request) { return sum + request.prompt; });
}

// The greatest that a layer needs of it: queries, keys and values of a request side by side, and the
// probabilities beside them; a product's summand; the best tokens of all parts of the vocabulary.
std::size_t servingWorkspaceFloats(const ModelShape& shape, const ServingWork& work) {
    std::size_t floats = at(work.mostTokens()) * std::max({shape.C, 4 * shape.shardC(), 2 * shape.t});
    for (const Request& request : work.serving.requests) {
        const std::size_t past = at(request.kept());
        floats = std::max(floats, past * (3 * shape.shardC() + shape.shardHeads() * past));
    }
    return floats;
}

std::size_t servingPeakBytes(const ModelShape& shape, const StageRange& range, const ServingWork& work) {
    const std::vector<int> kept = keptTokens(work.serving, work.steps);
    std::size_t most = 0;
    for (std::size_t step = 0; step < kept.size(); ++step)
        most = std::max(
            most, keptFloatsOf(shape, range, kept[step]) + forwardFloats(shape, range, work.steps[step]));
    return most * sizeof(float);
}

ServingStage::ServingStage(Model& model, Workplace& workplace, const StageRange& range,
                           const ServingWork& work)
    : model_(&model),
      workplace_(&workplace),
      range_(range),
      work_(&work),
      shape_(ofRows(model.shape())),
      layers_(layersOf(model, range)) {
    int first = 0;
    for (const Request& request : work.serving.requests) {
        if (at(request.kept()) > model.shape().T)
            throw std::invalid_argument("a request of " + std::to_string(request.kept()) +
                                        " tokens does not fit into sequences of " +
                                        std::to_string(model.shape().T));
        first_token_.push_back(at(first));
        first += request.prompt;
    }
    workplace.reserveWorkspace(servingWorkspaceFloats(shape_, work));
    if (isFirst()) tokens_ = Buffer(workplace.device(), at(work.mostTokens()) * sizeof(std::int32_t));
}

std::size_t ServingStage::messageFloats() const {
    return at(work_->mostTokens()) * shape_.C;
}

std::size_t ServingStage::weightBytes() const {
    return bscope::weightBytes(model_->shape(), range_);
}

std::size_t ServingStage::keptFloats(const Request& request) const {
    return keptFloatsOf(shape_, range_, request.kept());
}

void ServingStage::begin(std::span<const std::int32_t> prompts) {
    if (prompts.size() != at(work_->promptTokens()))
        throw std::invalid_argument("ServingStage::begin: " + std::to_string(prompts.size()) +
                                    " tokens of prompts instead of " + std::to_string(work_->promptTokens()));
    for (const std::int32_t token : prompts)
        if (token < 0 || at(token) >= shape_.V)
            throw std::invalid_argument("token " + std::to_string(token) + " is not in a vocabulary of " +
                                        std::to_string(shape_.V));
    const std::size_t requests = work_->serving.requests.size();
    if (isFirst()) prompts_.assign(prompts.begin(), prompts.end());
    last_tokens_.assign(requests, 0);
    kept_.clear();
    kept_.resize(requests);
    answers_.assign(isLast() ? requests : 0, {});
    for (const Layer* layer : layers_) layer->roundWeights(workplace_->ops());
}

// A request takes all that it is going to need with its first token.
void ServingStage::keep(const ServingStep& step) {
    for (const ServedTokens& part : step.parts) {
        const std::size_t floats = keptFloats(work_->serving.requests[at(part.request)]);
        if (part.first == 0 && floats > 0) kept_[at(part.request)] = workplace_->arena().take(floats);
    }
}

void ServingStage::release(const ServingStep& step) {
    for (const ServedTokens& part : step.parts)
        if (part.first + part.count == work_->serving.requests[at(part.request)].kept())
            kept_[at(part.request)].reset();
}

void ServingStage::takeTokens(const ServingStep& step, const float* input) {
    if (step.previous < 0) return;
    const auto* tokens = reinterpret_cast<const std::int32_t*>(input);
    for (const ServedTokens& part : work_->steps[at(step.previous)].parts)
        if (part.emits) last_tokens_[at(part.request)] = *tokens++;
}

std::vector<std::int32_t> ServingStage::tokensOf(const ServingStep& step) const {
    std::vector<std::int32_t> tokens;
    for (const ServedTokens& part : step.parts) {
        if (part.first >= work_->serving.requests[at(part.request)].prompt) {
            tokens.push_back(last_tokens_[at(part.request)]);
            continue;
        }
        const auto from = prompts_.begin() + static_cast<std::ptrdiff_t>(first_token_[at(part.request)]);
        tokens.insert(tokens.end(), from + part.first, from + part.first + part.count);
    }
    return tokens;
}

Pass ServingStage::passOf(const ServingStep& step) {
    Pass pass{.workplace = *workplace_,
              .shape = shape_,
              .B = at(step.tokens()),
              .tokens = isFirst() ? tokens_.as<std::int32_t>() : nullptr,
              .shard = model_->shard(),
              .earlier = {}};
    for (const ServedTokens& part : step.parts)
        pass.requests.push_back({at(part.count), at(part.first), part.emits});
    return pass;
}

void ServingStage::forward(int number, const float* input, float* output) {
    const ServingStep& step = work_->steps.at(at(number));
    keep(step);
    Pass pass = passOf(step);
    const std::size_t floats = pass.rows() * shape_.C;
    std::vector<std::int32_t> next(at(step.emitted()));
    pass.next_tokens = next.data();
    Slot x;
    if (isFirst()) {
        takeTokens(step, input);
        const std::vector<std::int32_t> tokens = tokensOf(step);
        workplace_->device().copy(tokens_.as<std::int32_t>(), tokens.data(),
                                  tokens.size() * sizeof(std::int32_t));
    } else {
        x = pass.take(floats);
        pass.ops().run(CopyFloats{.to = x.data(), .from = input, .count = floats});
    }
    const std::size_t first_block = range_.embedding ? 1 : 0;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const bool is_last = i + 1 == layers_.size();
        if (i >= first_block && i - first_block < range_.blocks)
            for (std::size_t part = 0; part < step.parts.size(); ++part) {
                const int request = step.parts[part].request;
                const std::size_t of_block =
                    at(work_->serving.requests[at(request)].kept()) * 2 * shape_.shardC();
                pass.requests[part].kept = kept_[at(request)].data() + (i - first_block) * of_block;
            }
        Slot y = !is_last ? pass.take(floats) : isLast() ? Slot() : Slot::view(output);
        Stash stash;
        layers_[i]->forward(pass, stash, std::move(x), y.data());
        x = std::move(y);
    }
    if (isLast()) handOn(step, next, output);
    release(step);
}

void ServingStage::handOn(const ServingStep& step, const std::vector<std::int32_t>& tokens, float* output) {
    auto next = tokens.begin();
    for (const ServedTokens& part : step.parts)
        if (part.emits) answers_[at(part.request)].push_back(*next++);
    if (output != nullptr) std::ranges::copy(tokens, reinterpret_cast<std::int32_t*>(output));
}

}  // namespace bscope
