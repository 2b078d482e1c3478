#include "selftest/stage_check.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "model/stage.h"

namespace bscope {

namespace {

constexpr ModelShape kShape{.L = 2, .C = 128, .heads = 2, .T = 64, .V = 256};
constexpr std::size_t kMicroBatch = 2, kMicroBatches = 2;

struct Outcome {
    double loss = 0;
    std::vector<std::vector<float>> gradients;  // by tensor
    bool operator==(const Outcome& other) const { return loss == other.loss && gradients == other.gradients; }
};

Outcome train(Device& device) {
    Model model(device, kShape, 1);
    Workplace workplace(device);
    const StageRange all{.first_block = 0, .blocks = kShape.L, .embedding = true, .head = true};
    Stage stage(model, workplace, {.range = all, .micro_batch = kMicroBatch});
    std::vector<std::int32_t> tokens(kMicroBatches * kMicroBatch * kShape.T), targets(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        tokens[i] = static_cast<std::int32_t>((i * 31 + i / 7) % kShape.V);
        targets[i] = static_cast<std::int32_t>((i * 17 + 5) % kShape.V);
    }
    stage.beginIteration({tokens, targets}, kMicroBatches);
    Outcome outcome;
    for (int mb = 0; mb < static_cast<int>(kMicroBatches); ++mb) {
        stage.forward(mb, nullptr, nullptr);
        stage.backward(mb, nullptr, nullptr);
        outcome.loss += stage.loss(mb) / static_cast<double>(kMicroBatches);
    }
    workplace.stream().synchronize();
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            outcome.gradients.push_back(model.read(layer, i, TensorKind::Gradient));
    return outcome;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
    double worst = 0, greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double off = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (std::isnan(off)) return INFINITY;
        worst = std::max(worst, off);
        greatest = std::max(greatest, std::abs(static_cast<double>(b[i])));
    }
    return greatest > 0 ? worst / greatest : worst;
}

}  // namespace

std::vector<Check> checkStage(Device& device, double tolerance) {
    Check loss{.name = "network: loss", .tolerance = tolerance, .failure = {}};
    Check gradients{.name = "network: gradients", .tolerance = tolerance, .failure = {}};
    try {
        const auto cpu = makeCpuDevice();
        const Outcome expected = train(*cpu), first = train(device), second = train(device);
        loss.error = std::abs(first.loss - expected.loss) / expected.loss;
        loss.same_bits = gradients.same_bits = first == second;
        for (std::size_t i = 0; i < expected.gradients.size(); ++i)
            gradients.error =
                std::max(gradients.error, difference(first.gradients[i], expected.gradients[i]));
    } catch (const std::exception& error) {
        loss.failure = gradients.failure = error.what();
    }
    return {loss, gradients};
}

}  // namespace bscope
