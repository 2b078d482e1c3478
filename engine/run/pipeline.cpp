#include "run/pipeline.h"

#include <algorithm>
#include <utility>

#include "clock/thread_time.h"
#include "rank/optimizer_step.h"
#include "run/iteration_report.h"

namespace bscope {

Pipeline::Pipeline(Training& training, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
                   RunObserver& observer, Gpus* gpus, std::chrono::milliseconds patience)
    : training_(training),
      plan_(plan),
      observer_(observer),
      board_(observer, plan.ranks()),
      gpus_(gpus ? std::make_unique<GpuSession>(*gpus, plan_, provenance, calibration_, observer) : nullptr),
      device_name_(gpus_ ? gpus_->name() : deviceName(training.model.device(), cores.size())),
      clock_(gpus_ ? gpus_->makeClock() : makeClock(provenance, plan.config, cores, calibration_)),
      hub_(gpus_ ? gpus_->deviceOf(0) : training.model.device(), plan.ranks(), patience, messageCopy()),
      team_(plan.ranks()) {
    std::vector<Model*> models{&training.model};
    while (static_cast<int>(models.size()) < plan.replicas()) {
        replicas_.push_back(std::make_unique<Model>(training.model.device(), plan.shape, plan.config.seed));
        replicas_.back()->copyStateOf(training.model);
        models.push_back(replicas_.back().get());
    }
    for (std::size_t i = 0; i < training.model.layerCount() && !gpus_; ++i)
        training.model.layer(i).moveTo(training.model.device());
    if (gpus_) gpus_->takeIn(models);
    for (int rank = 0; rank < plan.ranks(); ++rank) {
        communicators_.push_back(gpus_ ? gpus_->communicator(hub_.communicator(rank))
                                       : hub_.communicator(rank));
        recorders_.push_back(std::make_unique<Recorder>(observer, board_, rank, plan.forwardOnly()));
        workers_.push_back(std::make_unique<Worker>(plan_, rank, models, *clock_, *communicators_.back(),
                                                    *recorders_.back()));
        if (gpus_) gpus_->attend(rank, *workers_.back(), *recorders_.back());
    }
}

LocalHub::Copy Pipeline::messageCopy() {
    if (!gpus_) return nullptr;
    return [this](void* to, const void* from, std::size_t bytes) { gpus_->copyInOrder(to, from, bytes); };
}

Pipeline::~Pipeline() {
    if (!streams()) return;
    abort("the pipeline ends");
    team_.finish();
}

void Pipeline::abort(const std::string& reason) {
    hub_.abort(reason);
    if (gpus_) gpus_->abort(reason);
    const std::lock_guard<std::mutex> lock(gate_mutex_);
    if (streams()) gate_->stop();
}

IterationStart Pipeline::describe(std::int64_t start_ns) const {
    return {training_.iteration,    plan_.config,
            clock_->provenance(),   start_ns,
            device_name_,           plan_.program.schedule.placement,
            plan_.layers_per_stage, std::make_shared<const Schedule>(plan_.program.schedule)};
}

IterationReport Pipeline::iterate(std::int64_t start_ns, int more_to_come) {
    if (!warm_) warmUp();
    const std::int64_t host_start_ns = streams() ? host_end_ns_ : monotonic_ns();
    std::vector<Share> shares;
    if (plan_.stream) {
        if (!streams()) startStream(start_ns);
        gate_->admitFor(more_to_come);
        shares = nextOfStream();
    } else {
        shares = runFlushed(start_ns);
    }
    host_end_ns_ = monotonic_ns();
    IterationReport report = this->report(shares, host_end_ns_ - host_start_ns);
    if (streams() && gate_->isOver()) finishStream();
    return report;
}

std::vector<IterationReport> Pipeline::drain() {
    std::vector<IterationReport> reports;
    if (!streams()) return reports;
    gate_->end();
    while (!gate_->isOver()) {
        const std::int64_t host_start_ns = std::exchange(host_end_ns_, monotonic_ns());
        std::vector<Share> shares = nextOfStream();
        reports.push_back(report(shares, monotonic_ns() - host_start_ns));
    }
    finishStream();
    return reports;
}

std::vector<Share> Pipeline::runFlushed(std::int64_t start_ns) {
    const TrainingConfig& config = plan_.config.training;
    const auto samples = static_cast<std::size_t>(plan_.config.samples());
    const Batch batch = training_.data.batch(training_.next_sample, samples, plan_.shape.T);
    const AdamWStep step = adamWStep(config, training_.optimizer_steps + 1);
    if (gpus_) gpus_->beginIteration(training_.iteration);
    start_ns_ = start_ns;
    clock_->beginIteration(start_ns);
    board_.begin(start_ns);
    const std::int64_t begin_ns = monotonic_ns();
    onEveryRank([&](int rank) {
        workers_[static_cast<std::size_t>(rank)]->run({batch.tokens, batch.targets}, training_.iteration,
                                                      step, config.clip_norm);
    });
    const std::int64_t run_ns = monotonic_ns() - begin_ns;
    std::vector<Share> shares;
    for (const auto& worker : workers_) shares.push_back(worker->takeShare());
    if (gpus_) gpus_->endIteration(shares, run_ns);
    timeline_ = Timeline(plan_.ranks(), clock_->provenance());
    return shares;
}

// What an iteration says, and the training is one iteration further.
IterationReport Pipeline::report(std::vector<Share>& shares, std::int64_t host_ns) {
    end_ns_ = 0;
    for (const Share& share : shares) {
        end_ns_ = std::max(end_ns_, share.end_ns);
        calibration_.add(share.samples);
    }
    if (!streams()) observer_.watermark(end_ns_);
    addToTimeline(shares);
    calibration_.endIteration();
    const Costs costs = calibratedCosts(plan_, calibration_);
    IterationReport report =
        describeIteration(plan_, timeline_, training_.iteration, costs, end_ns_ - start_ns_);
    addHostFacts(report, shares, host_ns);
    training_.advance(plan_.config.samples(), plan_.optimizerSteps());
    return report;
}

bool Pipeline::weightsAreTorn() const {
    return streams() || std::any_of(workers_.begin(), workers_.end(),
                                    [](const auto& worker) { return worker->stepBegun(); });
}

bool Pipeline::replicasAreEqual() const {
    const Model& model = training_.model;
    for (const auto& replica : replicas_)
        for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
            for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
                if (model.read(layer, i, TensorKind::Weight) != replica->read(layer, i, TensorKind::Weight))
                    return false;
    return true;
}

void Pipeline::warmUp() {
    const Batch batch = training_.microbatches(plan_.config)(0);
    if (gpus_) gpus_->openLinks();
    onEveryRank([&](int rank) {
        workers_[static_cast<std::size_t>(rank)]->stages().workplace().device().prepareThread();
        clock_->prepareThread(rank);
        workers_[static_cast<std::size_t>(rank)]->warmUp({batch.tokens, batch.targets});
    });
    warm_ = true;
}

void Pipeline::onEveryRank(const std::function<void(int rank)>& work) {
    launch(work);
    join();
}

// Every rank works on its thread; what one of them throws stops all.
void Pipeline::launch(std::function<void(int rank)> work) {
    errors_.assign(workers_.size(), nullptr);
    for (int rank = 0; rank < plan_.ranks(); ++rank) hub_.enter(rank);
    job_ = [this, work = std::move(work)](int rank) {
        try {
            work(rank);
        } catch (const std::exception& error) {
            errors_[static_cast<std::size_t>(rank)] = std::current_exception();
            abort("rank " + std::to_string(rank) + " stopped: " + error.what());
        }
        hub_.leave(rank);
    };
    team_.start(job_);
}

void Pipeline::join() {
    team_.finish();
    std::vector<WorkerError> found;
    for (std::size_t rank = 0; rank < errors_.size(); ++rank)
        if (errors_[rank]) found.push_back({static_cast<int>(rank), workers_[rank]->action(), errors_[rank]});
    if (!found.empty()) throwRunFailure(found);
}

void Pipeline::addToTimeline(const std::vector<Share>& shares) {
    for (const Share& share : shares) {
        for (const Event& event : share.events) timeline_.append(event);
        for (const MemoryPoint& point : share.memory) timeline_.append(point);
    }
}

// Mean over the micro-batches, summed in their order: the same bits whatever the schedule.
double Pipeline::loss(const std::vector<Share>& shares) const {
    const Schedule& schedule = plan_.program.schedule;
    if (plan_.stream) return streamLoss(shares, plan_.stream->microbatches());
    double sum = 0;
    for (int chain = 0; chain < schedule.replicas(); ++chain) {
        const auto last = static_cast<std::size_t>(schedule.chains[static_cast<std::size_t>(chain)].back());
        const auto rank = static_cast<std::size_t>(schedule.placement[last]);
        const Stage& stage = *workers_[rank]->stages().all()[last];
        for (int mb = 0; mb < schedule.microbatchesOfChain(chain); ++mb) sum += stage.loss(mb);
    }
    return sum / plan_.config.params.microbatches();
}

void Pipeline::addHostFacts(IterationReport& report, const std::vector<Share>& shares,
                            std::int64_t host_ns) const {
    report.device = device_name_;
    report.loss = loss(shares);
    report.grad_norm = plan_.stream ? streamGradientNorm(shares) : workers_.front()->gradientNorm();
    addSharesToReport(report, shares, host_ns);
    if (gpus_) gpus_->complete(report);
    const bool measured = clock_->provenance() == Provenance::Measured;
    if (streams() && measured && heldBack(shares, gate_->awaited() - 1)) report.disturbed = true;
}

}  // namespace bscope
