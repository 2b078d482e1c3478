#include "workers/thread_workers.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "clock/thread_time.h"
#include "model/model.h"
#include "rank/optimizer_step.h"

namespace bscope {

std::string deviceName(const Device& device, std::size_t cores) {
    return device.name() + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

ThreadWorkers::ThreadWorkers(Model& model, const Plan& plan, Provenance provenance,
                             const std::vector<int>& cores, LiveEvents& live, Gpus* gpus,
                             std::chrono::milliseconds patience, const std::filesystem::path& cpu_folder)
    : model_(model),
      plan_(plan),
      substrate_(gpus ? makeGpuSubstrate(*gpus, plan_, provenance)
                      : makeCpuSubstrate(model.device(), plan_, provenance, cores, live, cpu_folder)),
      hub_(substrate_->messageDevice(), plan.ranks(), patience, substrate_->messageCopy()),
      team_(plan.ranks()) {
    std::vector<Model*> models;
    makeReplicas(models);
    substrate_->placeLayers(models);
    for (int rank = 0; rank < plan.ranks(); ++rank) {
        hosts_.push_back(hub_.communicator(rank));
        recorders_.push_back(std::make_unique<Recorder>(rank, plan.forward_only));
        workers_.push_back(std::make_unique<Worker>(plan_, rank, models, substrate_->clock(),
                                                    substrate_->communicator(rank, *hosts_.back()),
                                                    *recorders_.back()));
        substrate_->instrument(rank, *workers_.back(), *recorders_.back());
    }
}

// Whether a rank has parts of its layers alone, so that the model's own are none's.
bool ThreadWorkers::isCut() const {
    return plan_.shape.t > 1 || plan_.isZero();
}

// (chains,) The first replica's layers are the model's own where a layer is whole.
void ThreadWorkers::makeReplicas(std::vector<Model*>& models) {
    if (!isCut()) models.push_back(&model_);
    while (models.size() < plan_.program.schedule.chains.size()) {
        const auto shard = models.size() % plan_.shape.t;
        replicas_.push_back(std::make_unique<Model>(model_.device(), plan_.shape, plan_.config.seed, shard));
        models.push_back(replicas_.back().get());
        if (plan_.isZero()) keepSlices(models.size() - 1, *models.back());
        models.back()->copyStateOf(model_);
    }
}

void ThreadWorkers::keepSlices(std::size_t chain, Model& model) const {
    for (const int stage : plan_.program.schedule.chains[chain])
        model.keepState(plan_.ranges[static_cast<std::size_t>(stage)], plan_.sliceOfStage(stage));
}

// Whole layers are the model's; of shards it gets back what the first replica has, of slices what all have.
void ThreadWorkers::gatherLayers() {
    if (!isCut()) return;
    const std::size_t parts = plan_.isZero() ? replicas_.size() : plan_.shape.t;
    for (std::size_t part = 0; part < parts; ++part) model_.gather(*replicas_[part]);
}

ThreadWorkers::~ThreadWorkers() {
    if (is_launched_) {
        stop(sentence("the pipeline ends"));
        team_.finish();
    }
    substrate_->awaitWork();  // that a failed iteration left behind on GPUs that did not fail
}

void ThreadWorkers::stop(const Sentence& reason) {
    hub_.abort(reason);
    substrate_->abort(reason);
    const std::lock_guard<std::mutex> lock(gate_mutex_);
    if (streams()) gate_->stop();
}

void ThreadWorkers::begin(Work work) {
    work_ = std::move(work);
    plan_.config.training = work_.training;
    if (!is_warm_) warmUp();
    if (plan_.stream) {
        const std::lock_guard<std::mutex> lock(gate_mutex_);
        gate_ = std::make_unique<LocalGate>(plan_.stream->microbatches(), plan_.ranks(), work_.samples);
    }
    substrate_->begin(work_);
    done_ = 0;
    begun_ns_ = monotonic_ns();
    if (streams()) {
        const StreamStart start{work_.iteration, static_cast<int>(work_.optimizer_steps)};
        launch([this, start](int rank) { worker(rank).runStream(*gate_, start); });
    } else {
        const AdamWStep step = adamWStep(work_.training, work_.optimizer_steps + 1);
        launch([this, step](int rank) {
            worker(rank).run({work_.batch.tokens, work_.batch.targets}, work_.iteration, step,
                             work_.training.clip_norm);
        });
    }
}

std::vector<RankIteration> ThreadWorkers::next() {
    std::vector<RankIteration> shares;
    if (streams())
        awaitOfStream(shares);
    else
        awaitIteration(shares);
    return shares;
}

void ThreadWorkers::awaitIteration(std::vector<RankIteration>& shares) {
    join();
    run_ns_ = monotonic_ns() - begun_ns_;
    for (const auto& worker : workers_) shares.push_back(worker->takeShare());
    substrate_->complete(work_.iteration, run_ns_, shares);
}

// The gate goes with the last iteration; when a rank has failed it stays, for then weights are of different
// iterations.
void ThreadWorkers::awaitOfStream(std::vector<RankIteration>& shares) {
    shares = gate_->await();
    if (shares.empty()) {
        join();
        throw RunFailure(sentence("The stream was stopped."), {});
    }
    substrate_->complete(work_.iteration + done_++, 0, shares);
    if (!gate_->isOver()) return;
    join();
    const std::lock_guard<std::mutex> lock(gate_mutex_);
    gate_.reset();
}

WorkerGroupFacts ThreadWorkers::facts() const {
    WorkerGroupFacts facts;
    facts.provenance = substrate_->clock().provenance();
    facts.device = substrate_->name();
    facts.run_ns = run_ns_;
    substrate_->addFacts(facts);
    facts.is_partially_stepped = streams() || std::any_of(workers_.begin(), workers_.end(),
                                                          [](const auto& it) { return it->stepBegun(); });
    facts.keeps_copies = !replicas_.empty();  // the first replica's layers are the model's own
    return facts;
}

bool ThreadWorkers::replicasAreEqual() const {
    const bool is_cut = isCut();
    for (std::size_t at = 0; at < replicas_.size(); ++at) {
        const Model& first = is_cut ? *replicas_[at % plan_.shape.t] : model_;
        const Model* const first_shard = is_cut ? replicas_.front().get() : nullptr;
        for (std::size_t layer = 0; layer < model_.layerCount(); ++layer)
            for (std::size_t i = 0; i < model_.layer(layer).parameters().size(); ++i) {
                const bool is_whole = replicas_[at]->layer(layer).parameters()[i].runs == 0;
                const Model& expected = is_cut && is_whole ? *first_shard : first;
                if (expected.read(layer, i, TensorKind::Weight) !=
                    replicas_[at]->read(layer, i, TensorKind::Weight))
                    return false;
            }
    }
    return true;
}

void ThreadWorkers::warmUp() {
    BatchView one_microbatch;
    if (!plan_.serving) {
        const std::size_t tokens = static_cast<std::size_t>(plan_.config.micro_batch) * plan_.shape.T;
        one_microbatch = {std::span(work_.batch.tokens).first(tokens),
                          std::span(work_.batch.targets).first(tokens)};
    }
    substrate_->prepare();
    launch([&](int rank) {
        worker(rank).stages().workplace().device().prepareThread();
        substrate_->clock().prepareThread(rank);
        worker(rank).warmUp(one_microbatch);
    });
    join();
    is_warm_ = true;
    if (isCut()) model_.dropTraining();
}

// Every rank works on its thread; what one of them throws stops all.
void ThreadWorkers::launch(std::function<void(int rank)> work) {
    failures_.assign(workers_.size(), std::nullopt);
    for (int rank = 0; rank < plan_.ranks(); ++rank) hub_.enter(rank);
    job_ = [this, work = std::move(work)](int rank) {
        try {
            work(rank);
        } catch (const std::exception& error) {
            failures_[static_cast<std::size_t>(rank)] =
                rankFailure(rank, worker(rank).action(), std::current_exception());
            stop(sentence("rank {0} stopped: {1}", rank, sentenceOf(error)));
        }
        hub_.leave(rank);
    };
    is_launched_ = true;
    team_.start(job_);
}

void ThreadWorkers::join() {
    team_.finish();
    is_launched_ = false;
    std::vector<RankFailure> found;
    for (const auto& failure : failures_)
        if (failure) found.push_back(*failure);
    if (!found.empty()) throw runFailure(firstCause(found));
}

}  // namespace bscope
