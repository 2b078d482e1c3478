#include "run/verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/cpu/cpu_device.h"
#include "run/cores.h"
#include "run/pipeline.h"

namespace bscope {

namespace {

// What two replicas of the weights may differ by: their gradients are summed in another order.
constexpr double kReplicaTolerance = 1e-4;

// p = 1, one stage, each micro-batch forward and backward, in the order of the backwards of the last stage.
Schedule oneRankSchedule(const Schedule& pipeline) {
    Schedule one;
    one.name = "one-rank";
    one.params = {1, 1, pipeline.params.m, 0};
    one.placement = {0};
    one.chains = {{0}};
    one.orders.resize(1);
    const int last = pipeline.chains.front().back();
    const auto rank = static_cast<std::size_t>(pipeline.placement[static_cast<std::size_t>(last)]);
    for (const Action& action : pipeline.orders[rank]) {
        const bool backward = action.op == Op::Backward || action.op == Op::BackwardInput;
        if (action.stage != last || !backward) continue;
        one.orders[0].push_back({0, Op::Forward, action.microbatch});
        one.orders[0].push_back({0, Op::Backward, action.microbatch});
    }
    return one;
}

Plan oneRankPlan(const Plan& pipeline) {
    RunConfig config = pipeline.config;
    const Schedule schedule = oneRankSchedule(pipeline.program.schedule);
    config.params = schedule.params;
    config.layers_per_stage.clear();
    config.slow_ranks.clear();
    config.recompute = Recompute::None;
    return makePlan(config, schedule);
}

struct Trained {
    Trained(Device& device, const Plan& plan, RunObserver& observer)
        : training(device, plan.config),
          pipeline(training, plan, Provenance::Reconstructed, usableCores(), observer) {}
    Training training;
    Pipeline pipeline;
};

class Comparison {
public:
    explicit Comparison(VerifyResult& result) : result_(result) {}

    template <typename Number>
    void compare(const std::string& name, int iteration, const std::vector<Number>& reference,
                 const std::vector<Number>& pipeline) {
        if (std::memcmp(reference.data(), pipeline.data(), reference.size() * sizeof(Number)) == 0) return;
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < reference.size(); ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(reference[i])));
            difference = std::max(
                difference, std::abs(static_cast<double>(reference[i]) - static_cast<double>(pipeline[i])));
        }
        const double relative = largest > 0 ? difference / largest : difference;
        result_.bitwise_equal = false;
        if (!result_.tensor.empty() && relative <= result_.largest_difference) return;
        result_.largest_difference = relative;
        result_.tensor = name;
        result_.iteration = iteration;
    }

private:
    VerifyResult& result_;
};

}  // namespace

VerifyResult verify(const RunConfig& config, int iterations) {
    if (auto found = problems(config); !found.empty()) throw ConfigError(std::move(found));
    const Plan plan = makePlan(config);
    if (plan.forwardOnly())
        throw ConfigError({{"schedule",
                            "{0} has no backward, so there are no gradients to compare",
                            {config.schedule},
                            {}}});

    VerifyResult result;
    result.schedule = config.schedule;
    result.params = config.params;
    result.recompute = config.recompute;
    result.bitwise_equal = true;
    result.tolerance = plan.program.schedule.replicas() > 1 ? kReplicaTolerance : 0;
    const std::unique_ptr<Device> device = makeCpuDevice();
    RunObserver nobody;
    Trained reference(*device, oneRankPlan(plan), nobody), pipeline(*device, plan, nobody);
    result.tensors = static_cast<int>(pipeline.training.model.tensorCount());
    Comparison comparison(result);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        const double expected = reference.pipeline.iterate(reference.pipeline.end_ns()).loss;
        result.loss.push_back(pipeline.pipeline.iterate(pipeline.pipeline.end_ns()).loss);
        comparison.compare<double>("loss", iteration, {expected}, {result.loss.back()});
        const Model& model = pipeline.training.model;
        for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
            for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
                comparison.compare(model.layer(layer).parameters()[i].name, iteration,
                                   reference.training.model.read(layer, i, TensorKind::Gradient),
                                   model.read(layer, i, TensorKind::Gradient));
    }
    result.within_tolerance = result.bitwise_equal || result.largest_difference <= result.tolerance;
    return result;
}

}  // namespace bscope
