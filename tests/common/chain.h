// A pipeline in one thread for the tests: every stage of a model on a workplace of its own, messages in plain
// vectors, micro-batches one after the other.
#pragma once

#include <memory>
#include <vector>

#include "gpt_reference.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "model/stage.h"

namespace bscope {

enum class BackwardForm { Fused, Split, SplitLate };  // late: all I of the iteration before any W

struct Chain {
    Chain(Device& device, Model& model_, const std::vector<int>& blocks_per_stage, std::size_t B,
          Checkpointing checkpointing = Checkpointing::None, bool forward_only = false)
        : model(model_) {
        for (const StageRange& range : stageRanges(model.shape(), blocks_per_stage)) {
            workplaces.push_back(std::make_unique<Workplace>(device));
            stages.emplace_back(model, *workplaces.back(),
                                StageOptions{.range = range,
                                             .micro_batch = B,
                                             .checkpointing = checkpointing,
                                             .forward_only = forward_only});
        }
    }

    void forward(int mb) {
        std::vector<float> input, output(stages.front().messageFloats());
        for (Stage& stage : stages) {
            stage.forward(mb, input.data(), output.data());
            input = output;
            output.assign(output.size(), NAN);
        }
    }

    void backward(int mb, BackwardForm form) {
        std::vector<float> gradient, next(stages.front().messageFloats());
        for (std::size_t i = stages.size(); i-- > 0;) {
            stages[i].recompute(mb);
            if (form == BackwardForm::Fused)
                stages[i].backward(mb, gradient.data(), next.data());
            else
                stages[i].backwardInput(mb, gradient.data(), next.data());
            gradient = next;
            next.assign(next.size(), NAN);
            if (form == BackwardForm::Split) stages[i].backwardWeight(mb);
        }
    }

    // All m micro-batches, forwards first; returns the mean loss.
    double iteration(const BatchView& batch, int m, BackwardForm form = BackwardForm::Fused) {
        for (Stage& stage : stages) stage.beginIteration(batch, static_cast<std::size_t>(m));
        for (int mb = 0; mb < m; ++mb) forward(mb);
        for (int mb = 0; mb < m; ++mb) backward(mb, form);
        if (form == BackwardForm::SplitLate)
            for (Stage& stage : stages)
                for (int mb = 0; mb < m; ++mb) stage.backwardWeight(mb);
        double loss = 0;
        for (int mb = 0; mb < m; ++mb) loss += stages.back().loss(mb) / m;
        return loss;
    }

    Model& model;
    std::vector<std::unique_ptr<Workplace>> workplaces;
    std::vector<Stage> stages;
};

// Every number of that kind in the model, tensors in order.
inline std::vector<float> allValues(const Model& model, TensorKind kind) {
    std::vector<float> all;
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i) {
            const std::vector<float> values = model.read(layer, i, kind);
            all.insert(all.end(), values.begin(), values.end());
        }
    return all;
}

struct TestBatch {
    TestBatch(std::size_t count, std::size_t V) {
        for (std::size_t i = 0; i < count; ++i) {
            tokens.push_back(static_cast<std::int32_t>((i * 7 + i / 3) % V));
            targets.push_back(static_cast<std::int32_t>((i * 5 + i / 2 + 1) % V));
        }
    }
    BatchView view() const { return {tokens, targets}; }
    std::vector<std::int32_t> tokens, targets;
};

}  // namespace bscope
