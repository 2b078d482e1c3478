#include "run/pipeline.h"

#include <algorithm>
#include <exception>

#include "run/iteration_report.h"
#include "run/thread_time.h"

namespace bscope {

Pipeline::Pipeline(Training& training, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
                   RunObserver& observer, std::chrono::milliseconds patience)
    : training_(training),
      plan_(plan),
      observer_(observer),
      device_name_(deviceName(training.model.device(), cores.size())),
      clock_(makeClock(provenance, plan.config, cores, calibration_)),
      hub_(training.model.device(), plan.ranks(), patience),
      board_(observer, plan.ranks()),
      team_(plan.ranks()) {
    for (int rank = 0; rank < plan.ranks(); ++rank) {
        communicators_.push_back(hub_.communicator(rank));
        recorders_.push_back(std::make_unique<Recorder>(observer, board_, rank, plan.forwardOnly()));
        workers_.push_back(std::make_unique<Worker>(plan_, rank, training.model, *clock_,
                                                    *communicators_.back(), *recorders_.back()));
    }
}

IterationStart Pipeline::describe(std::int64_t start_ns) const {
    return {training_.iteration,   plan_.config,
            clock_->provenance(),  start_ns,
            device_name_,          plan_.program.schedule.placement,
            plan_.layers_per_stage};
}

IterationReport Pipeline::iterate(std::int64_t start_ns) {
    if (!warm_) warmUp();
    const TrainingConfig& config = plan_.config.training;
    const std::size_t samples = static_cast<std::size_t>(plan_.config.params.m * plan_.config.micro_batch);
    const Batch batch = training_.data.batch(training_.next_sample, samples, plan_.shape.T);
    AdamWStep step;
    step.learning_rate = static_cast<float>(config.learning_rate);
    step.weight_decay = static_cast<float>(config.weight_decay);
    step.step = training_.optimizer_steps + 1;

    clock_->beginIteration(start_ns);
    board_.begin(start_ns);
    const std::int64_t host_start_ns = monotonic_ns();
    onEveryRank([&](int rank) {
        workers_[static_cast<std::size_t>(rank)]->run({batch.tokens, batch.targets}, training_.iteration,
                                                      step, config.clip_norm);
    });
    const std::int64_t host_ns = monotonic_ns() - host_start_ns;

    end_ns_ = start_ns;
    for (int rank = 0; rank < plan_.ranks(); ++rank) end_ns_ = std::max(end_ns_, clock_->now_ns(rank));
    observer_.watermark(end_ns_);
    timeline_ = collectTimeline();
    for (const auto& worker : workers_) calibration_.add(worker->samples());
    calibration_.endIteration();
    IterationReport report = describeIteration(plan_, timeline_, training_.iteration, costs());
    addHostFacts(report, host_ns);

    training_.next_sample += samples;
    if (!plan_.forwardOnly()) ++training_.optimizer_steps;
    ++training_.iteration;
    return report;
}

bool Pipeline::weightsAreTorn() const {
    return std::any_of(workers_.begin(), workers_.end(),
                       [](const auto& worker) { return worker->stepBegun(); });
}

void Pipeline::warmUp() {
    const auto samples = static_cast<std::size_t>(plan_.config.micro_batch);
    const Batch batch = training_.data.batch(training_.next_sample, samples, plan_.shape.T);
    onEveryRank([&](int rank) {
        training_.model.device().prepareThread();
        clock_->prepareThread(rank);
        workers_[static_cast<std::size_t>(rank)]->warmUp({batch.tokens, batch.targets});
    });
    warm_ = true;
}

void Pipeline::onEveryRank(const std::function<void(int rank)>& work) {
    std::vector<std::exception_ptr> errors(workers_.size());
    for (int rank = 0; rank < plan_.ranks(); ++rank) hub_.enter(rank);
    team_.run([&](int rank) {
        try {
            work(rank);
        } catch (const std::exception& error) {
            errors[static_cast<std::size_t>(rank)] = std::current_exception();
            hub_.abort("rank " + std::to_string(rank) + " stopped: " + error.what());
        }
        hub_.leave(rank);
    });
    std::vector<WorkerError> found;
    for (std::size_t rank = 0; rank < errors.size(); ++rank)
        if (errors[rank]) found.push_back({static_cast<int>(rank), workers_[rank]->action(), errors[rank]});
    if (!found.empty()) throwRunFailure(found);
}

Timeline Pipeline::collectTimeline() const {
    Timeline timeline(plan_.ranks(), clock_->provenance());
    for (const auto& recorder : recorders_) {
        for (const Event& event : recorder->events()) timeline.append(event);
        for (const MemoryPoint& point : recorder->memory()) timeline.append(point);
    }
    return timeline;
}

Costs Pipeline::costs() const {
    Costs costs;
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        const auto median = [&](Op op) { return calibration_.median_ns(stage, op).value_or(0.0); };
        const ActivationBytes& bytes = plan_.activations[static_cast<std::size_t>(stage)];
        costs.stages.push_back(
            {median(Op::Forward), median(Op::Backward), median(Op::BackwardInput), median(Op::BackwardWeight),
             median(Op::Recompute), static_cast<std::int64_t>(bytes.held),
             static_cast<std::int64_t>(bytes.kept_for_weight), static_cast<std::int64_t>(bytes.recomputed)});
    }
    costs.optimizer_ns = calibration_.median_ns(-1, Op::OptimizerStep).value_or(0.0);
    costs.link = plan_.config.link;
    costs.message_bytes = static_cast<double>(plan_.messageBytes());
    return costs;
}

// Mean over the micro-batches, summed in their order: the same bits whatever the schedule.
double Pipeline::loss() const {
    const Schedule& schedule = plan_.program.schedule;
    double sum = 0;
    for (const std::vector<int>& chain : schedule.chains) {
        const auto last_rank =
            static_cast<std::size_t>(schedule.placement[static_cast<std::size_t>(chain.back())]);
        const Stage& stage = *workers_[last_rank]->stages().all()[static_cast<std::size_t>(chain.back())];
        for (int mb = 0; mb < schedule.microbatchesPerChain(); ++mb) sum += stage.loss(mb);
    }
    return sum / plan_.config.params.m;
}

void Pipeline::addHostFacts(IterationReport& report, std::int64_t host_ns) const {
    report.device = device_name_;
    report.host_ms = static_cast<double>(host_ns) / 1e6;
    report.loss = loss();
    report.grad_norm = workers_.front()->gradientNorm();
    std::int64_t recording_ns = 0;
    for (std::size_t rank = 0; rank < workers_.size(); ++rank) {
        const Worker& worker = *workers_[rank];
        report.wall_over_cpu = std::max(report.wall_over_cpu, worker.wallOverCpu());
        recording_ns += recorders_[rank]->recording_ns();
        RankReport& of_rank = report.ranks[rank];
        of_rank.weight_bytes = of_rank.gradient_bytes =
            static_cast<std::int64_t>(worker.stages().weightBytes());
        of_rank.optimizer_bytes = 2 * of_rank.weight_bytes;
        of_rank.buffer_bytes = static_cast<std::int64_t>(worker.bufferBytes());
    }
    report.disturbed = report.wall_over_cpu > kDisturbed;
    report.tracing_share = static_cast<double>(recording_ns) / static_cast<double>(host_ns);
}

}  // namespace bscope
