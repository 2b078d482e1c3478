// ServingStage: the layers of one pipeline stage that answer requests, step by step. It borrows them from the
// Model and keeps, from its first token to its last, every request's keys and values in all its blocks, out
// of the rank's arena. Invariant: a request's rows depend on no other request, so that how requests are put
// together in steps decides about time and memory, and about numbers only as far as a product's bits depend
// on how many rows it has. One rank's thread at a time; CPUs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/layer.h"
#include "schedule/serving.h"

namespace bscope {

class Model;

// What is served, and in which steps; shared by all stages.
struct ServingWork {
    explicit ServingWork(Serving of) : serving(std::move(of)), steps(servingSteps(serving)) {}
    Serving serving;
    std::vector<ServingStep> steps;

    int mostTokens() const;    // of a step
    int promptTokens() const;  // of all requests
};

// Working space of a rank, and most bytes that a stage has live in its arena: keys and values, and what the
// forward of a step takes. CPUs.
std::size_t servingWorkspaceFloats(const ModelShape& shape, const ServingWork& work);
std::size_t servingPeakBytes(const ModelShape& shape, const StageRange& range, const ServingWork& work);

class ServingStage {
public:
    // All must outlive the stage; no other stage of the same model may share a layer. Throws
    // std::invalid_argument when the range is not inside the model, or a request is longer than its
    // sequences.
    ServingStage(Model& model, Workplace& workplace, const StageRange& range, const ServingWork& work);

    // Nothing is answered yet. prompts: (promptTokens,) of all requests in their order.
    void begin(std::span<const std::int32_t> prompts);
    // A step, in their order. input: (tokens, C) of the stage before; on the first stage the tokens that came
    // of the step before of the group, int32 in the order of its parts that emit one, null where there was
    // none. output: the same of this step.
    void forward(int step, const float* input, float* output);
    // (requests,) the tokens that were generated; last stage.
    const std::vector<std::vector<std::int32_t>>& answers() const { return answers_; }

    // floats of one message between stages, of the greatest step
    std::size_t messageFloats() const;
    std::size_t weightBytes() const;
    std::size_t bufferBytes() const { return tokens_.bytes(); }

private:
    std::size_t keptFloats(const Request& request) const;
    Pass passOf(const ServingStep& step);
    std::vector<std::int32_t> tokensOf(const ServingStep& step) const;
    void takeTokens(const ServingStep& step, const float* input);
    void keep(const ServingStep& step);
    void release(const ServingStep& step);
    void handOn(const ServingStep& step, const std::vector<std::int32_t>& tokens, float* output);
    bool isFirst() const { return range_.embedding; }
    bool isLast() const { return range_.head; }

    Model* model_;
    Workplace* workplace_;
    StageRange range_;
    const ServingWork* work_;
    ModelShape shape_;  // the model's, with one token a row
    std::vector<Layer*> layers_;
    std::vector<std::size_t> first_token_;   // (requests,) of its prompt in prompts_
    std::vector<std::int32_t> prompts_;      // first stage
    std::vector<std::int32_t> last_tokens_;  // (requests,) first stage: the last one that was generated
    std::vector<Slot> kept_;                 // (requests,) (blocks, tokens, 2C / t) while it is at work
    std::vector<std::vector<std::int32_t>> answers_;
    Buffer tokens_;  // first stage: of a step
};

}  // namespace bscope
