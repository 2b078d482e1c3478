#include "run/verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "run/delayed_trainer.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "schedule/tensor_parallel.h"
#include "workers/hardware.h"
#include "workers/thread_workers.h"

namespace bscope {

namespace {

// What a run with replicas or shards may differ by: a replica adds up its own micro-batches, a shard the
// products with its part of the weights, before they add each other's. In bf16 a weight whose last bits
// differ may round to the next number, which is 1/256 away. Shards differ from the first product on, and
// AdamW's first step moves a weight by the whole learning rate whichever sign a gradient near zero has. The
// gradients of a cut sequence are added up segment by segment.
double sumsTolerance(const Plan& plan) {
    return plan.config.dtype == Dtype::Bf16 ? 1e-2 : plan.shape.t > 1 ? 1e-3 : 1e-4;
}

// p = 1, one stage, each micro-batch forward and backward, in the order of the backwards of the last stage,
// one replica's after the other's; in one piece, or in segments as in the pipeline.
Schedule oneRankSchedule(const Schedule& pipeline, int segments) {
    Schedule one;
    one.name = "one-rank";
    one.params = {1, 1, pipeline.params.microbatches(), 0};
    one.params.segments = segments;
    one.placement = {0};
    one.chains = {{0}};
    one.orders.resize(1);
    for (int replica = 0; replica < pipeline.replicas(); ++replica) {
        const int chain = replica * pipeline.params.t;  // its shards have the same order
        const int last = pipeline.chains[static_cast<std::size_t>(chain)].back();
        const auto rank = static_cast<std::size_t>(pipeline.placement[static_cast<std::size_t>(last)]);
        for (const Action& action : pipeline.orders[rank]) {
            const bool backward = action.op == Op::Backward || action.op == Op::BackwardInput;
            if (action.stage != last || !backward || action.segment() > 0) continue;
            const int microbatch = pipeline.firstMicrobatch(chain) + action.microbatch;
            for (int j = 0; j < segments; ++j)
                one.orders[0].push_back(one.params.piece(0, Op::Forward, microbatch, j));
            for (int j = segments; j-- > 0;)
                one.orders[0].push_back(one.params.piece(0, Op::Backward, microbatch, j));
        }
    }
    return one;
}

// shards, segments: 1, or as many as the pipeline has.
Plan oneStagePlan(const Plan& pipeline, int shards, int segments) {
    RunConfig config = pipeline.config;
    const Schedule schedule = tensorParallel(oneRankSchedule(pipeline.program.schedule, segments), shards);
    config.params = schedule.params;
    config.layers_per_stage.clear();
    config.slow_ranks.clear();
    config.sequence_parallel = config.sequence_parallel && shards > 1;
    // A GPU's product applies GELU before it rounds, its recomputation after; so there the one rank
    // recomputes too.
    if (config.device != DeviceChoice::Cuda || config.recompute != Recompute::Selective)
        config.recompute = Recompute::None;
    return makePlan(config, schedule);
}

struct Trained {
    Trained(const Hardware& hardware, const Plan& plan, RunObserver& observer)
        : training(hardware.cpu(), plan.config),
          threads(new ThreadWorkers(training.model, plan, Provenance::Reconstructed, hardware.cores(),
                                    observer, hardware.gpusFor(plan.config))),
          pipeline(training, plan, std::unique_ptr<WorkerGroup>(threads), observer) {}
    Training training;
    ThreadWorkers* const threads;  // the pipeline's
    Pipeline pipeline;
};

// Counts the training iterations of all sides.
class Trainings {
public:
    Trainings(int total, const VerifyProgress& progress) : total_(total), progress_(progress) { report(); }
    void oneMore() {
        ++done_;
        report();
    }

private:
    void report() const {
        if (progress_) progress_(done_, total_);
    }

    int done_ = 0;
    const int total_;
    const VerifyProgress& progress_;
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

void compareModels(Comparison& comparison, int iteration, const Model& reference, const Model& pipeline,
                   TensorKind kind) {
    for (std::size_t layer = 0; layer < pipeline.layerCount(); ++layer)
        for (std::size_t i = 0; i < pipeline.layer(layer).parameters().size(); ++i)
            comparison.compare(pipeline.layer(layer).parameters()[i].name, iteration,
                               reference.read(layer, i, kind), pipeline.read(layer, i, kind));
}

void compareStates(Comparison& comparison, int iteration, const Model& reference, const Model& pipeline) {
    for (const TensorKind kind : {TensorKind::Weight, TensorKind::AdamM, TensorKind::AdamV})
        compareModels(comparison, iteration, reference, pipeline, kind);
}

// Trains the reference an iteration further, and compares.
void compareWith(Trained& reference, Trained& pipeline, int iteration, VerifyResult& result,
                 Trainings& trainings) {
    const double expected = reference.pipeline.iterate(reference.pipeline.end_ns()).loss;
    trainings.oneMore();
    reference.pipeline.gatherLayers();
    Comparison comparison(result);
    comparison.compare<double>("loss", iteration, {expected}, {result.loss.back()});
    compareModels(comparison, iteration, reference.training.model, pipeline.training.model,
                  TensorKind::Gradient);
}

// Of shards or segments the sums are others than those of one rank; with as many of them they are the same.
bool isCut(const Plan& plan) {
    return plan.shape.t > 1 || plan.shape.segments > 1;
}
bool comparesCut(const Plan& plan) {
    return isCut(plan) && plan.replicas() == 1;
}

Plan withoutZero(const Plan& plan) {
    RunConfig config = plan.config;
    config.params.zero = 0;
    return makePlan(config);
}

void compareFlushed(const Hardware& hardware, Trained& pipeline, int iterations, VerifyResult& result,
                    Trainings& trainings) {
    RunObserver no_observer;
    const Plan& plan = pipeline.pipeline.plan();
    Trained one_rank(hardware, oneStagePlan(plan, 1, 1), no_observer);
    std::optional<Trained> one_stage;
    if (comparesCut(plan))
        one_stage.emplace(hardware, oneStagePlan(plan, plan.config.params.t, plan.config.params.segments),
                          no_observer);
    std::optional<Trained> whole;
    if (plan.isZero()) whole.emplace(hardware, withoutZero(plan), no_observer);
    VerifyResult of_cut, of_whole;
    of_cut.bitwise_equal = of_whole.bitwise_equal = true;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        result.loss.push_back(pipeline.pipeline.iterate(pipeline.pipeline.end_ns()).loss);
        trainings.oneMore();
        pipeline.pipeline.gatherLayers();
        compareWith(one_rank, pipeline, iteration, result, trainings);
        of_cut.loss = of_whole.loss = result.loss;
        if (one_stage) compareWith(*one_stage, pipeline, iteration, of_cut, trainings);
        if (whole) compareWith(*whole, pipeline, iteration, of_whole, trainings);
    }
    if (whole) {
        Comparison comparison(of_whole);
        compareStates(comparison, iterations - 1, whole->training.model, pipeline.training.model);
        result.bitwise_without_zero = of_whole.bitwise_equal;
    }
    if (one_stage) result.bitwise_at_same_cut = of_cut.bitwise_equal;
}

void compareDelayed(const Hardware& hardware, Trained& pipeline, int iterations, VerifyResult& result,
                    Trainings& trainings) {
    const Plan& plan = pipeline.pipeline.plan();
    Gpus* const gpus = hardware.gpusFor(plan.config);
    Device& device = gpus ? gpus->device(0, plan.config.dtype, Streams::Own) : hardware.cpu();
    DelayedTrainer reference(hardware.cpu(), device, plan);
    Comparison comparison(result);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        result.loss.push_back(pipeline.pipeline.iterate(0, iterations - 1 - iteration).loss);
        trainings.oneMore();
        const double expected = reference.iterate();
        trainings.oneMore();
        comparison.compare<double>("loss", iteration, {expected}, {result.loss.back()});
    }
    compareStates(comparison, iterations - 1, reference.model(), pipeline.training.model);
}

}  // namespace

VerifyResult verify(const RunConfig& config, int iterations, const VerifyProgress& progress) {
    const Hardware hardware;
    RunConfig decided = hardware.decided(config);
    decided.clock = ClockChoice::Reconstructed;
    auto found = problems(decided);
    if (found.empty() && decided.device == DeviceChoice::Cuda) found = hardware.problems(decided);
    if (!found.empty()) throw ConfigError(std::move(found));
    const Plan plan = makePlan(decided);
    if (plan.forward_only)
        throw ConfigError({{"schedule",
                            "{0} has no backward, so there are no gradients to compare",
                            {config.schedule},
                            {}}});

    VerifyResult result;
    result.schedule = config.schedule;
    result.params = config.params;
    result.sequence_parallel = config.sequence_parallel;
    result.recompute = config.recompute;
    result.checkpoint_every = config.checkpoint_every;
    result.device = decided.device;
    result.bitwise_equal = true;
    const bool adds_apart = plan.replicas() > 1 || isCut(plan);
    result.tolerance = adds_apart ? sumsTolerance(plan) : 0;
    result.delayed_updates = plan.stream.has_value();
    RunObserver no_observer;
    Trained pipeline(hardware, plan, no_observer);
    result.tensors = static_cast<int>(pipeline.training.model.tensorCount());
    Trainings trainings((2 + comparesCut(plan) + plan.isZero()) * iterations, progress);
    if (result.delayed_updates)
        compareDelayed(hardware, pipeline, iterations, result, trainings);
    else
        compareFlushed(hardware, pipeline, iterations, result, trainings);
    result.replicas_equal = pipeline.threads->replicasAreEqual();
    result.within_tolerance = result.bitwise_equal || result.largest_difference <= result.tolerance;
    result.within_tolerance = result.within_tolerance && result.replicas_equal &&
                              result.bitwise_at_same_cut.value_or(true) &&
                              result.bitwise_without_zero.value_or(true);
    return result;
}

}  // namespace bscope
