#include "mpi/process_rank.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/model.h"
#include "mpi/packed_gpu.h"
#include "mpi/packed_rank_iteration.h"
#include "mpi/patience.h"

namespace bscope {

namespace {

constexpr auto kNewsEvery = std::chrono::milliseconds(500);
constexpr auto kWarmUp = std::chrono::minutes(10);  // memory is touched, kernels are compiled
constexpr TensorKind kKinds[] = {TensorKind::Weight, TensorKind::Gradient, TensorKind::AdamM,
                                 TensorKind::AdamV};

}  // namespace

ProcessRank::ProcessRank(Model& model, const BuildCommand& command, HostTime own, OwnGpu& gpu)
    : model_(model),
      plan_(command.plan()),
      own_(std::move(own)),
      own_gpu_(gpu),
      world_(command.world),
      gpu_(command.config.device == DeviceChoice::Cuda
               ? std::make_unique<RankGpus>(gpu.gpus(), plan_, gpu.rank(), gpu.index(),
                                            [this] { lookWhileGpuWorks(); })
               : nullptr),
      clock_(gpu_ ? gpu_->makeClock()
                  : makeClock(command.provenance, plan_.config,
                              std::vector<int>(command.provenance == Provenance::Measured
                                                   ? static_cast<std::size_t>(plan_.ranks())
                                                   : 1,
                                               command.core),
                              calibration_, [this] { return line_.toFirst(own_()); })),
      throttle_counts_(gpu_ ? std::vector<int>() : std::vector<int>{command.core}) {}

ProcessRank::~ProcessRank() {
    if (!gpu_) return;
    gpu_->abort(sentence("the pipeline ends"));
    gpu_->awaitStreams();
}

void ProcessRank::join(MPI_Comm comm, Channel::Look look, Channel::Gone gone) {
    look_ = look;
    communicator_ = std::make_unique<MpiCommunicator>(comm, kPatience, std::move(look), std::move(gone));
}

void ProcessRank::makeWorker() {
    const Schedule& schedule = plan_.program.schedule;
    std::vector<Model*> models(static_cast<std::size_t>(plan_.replicas()), nullptr);
    bool is_taken = false;  // the model, by the first chain that has a stage here
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        Model*& of_chain = models[static_cast<std::size_t>(schedule.chainOf(stage))];
        if (schedule.placement[static_cast<std::size_t>(stage)] != rank() || of_chain != nullptr) continue;
        of_chain = is_taken ? &copyOfModel() : &model_;
        is_taken = true;
    }
    std::replace(models.begin(), models.end(), static_cast<Model*>(nullptr), &model_);
    recorder_ = std::make_unique<Recorder>(rank(), plan_.forward_only);
    if (gpu_) gpu_->placeLayers(models);
    Communicator& communicator = gpu_ ? gpu_->communicator(rank(), *communicator_) : *communicator_;
    worker_ = std::make_unique<Worker>(plan_, rank(), models, *clock_, communicator, *recorder_);
    if (gpu_) gpu_->instrument(rank(), *worker_, *recorder_);
}

// What fails here may have left the world half split.
void ProcessRank::openLinks() {
    if (!gpu_ || !gpu_->needsLinks()) return;
    try {
        gpu_->openLinks(own_gpu_.world(world_, plan_.config.dtype));
    } catch (...) {
        own_gpu_.dropWorld();
        throw;
    }
}

// As the wait for a message of a CPU. Once its weights have been stepped, nothing breaks off an iteration.
void ProcessRank::lookWhileGpuWorks() {
    if (stepped_) return;
    exchangeNews();
    const auto why = look_();
    if (!why) return;
    const RankGpus::Standing at = gpu_->standing(rank());
    const bool idle = at.action.empty();
    const double waited_s =
        idle ? std::chrono::duration<double>(SteadyClock::now() - since_).count() : at.seconds;
    throw WaitBroken(
        brokenWait(rank(), waited_s, at.peer,
                   idle ? Argument(sentence("the opening of links")) : Argument(at.action), why->reason),
        *why, at.peer);
}

// So that a waiting rank has the progress of the others.
void ProcessRank::exchangeNews() {
    if (SteadyClock::now() >= next_news_)
        if (const auto news = gpu_->watch()->takeNews()) {
            communicator_->sendNews(Packer().add(iteration_).add(*news).take());
            next_news_ = SteadyClock::now() + kNewsEvery;
        }
    for (const std::vector<char>& message : communicator_->takeNews()) {
        Unpacker from(message);
        if (from.next<int>() == iteration_) gpu_->watch()->addNews(from.nextVector<MessageTag>());
    }
}

Model& ProcessRank::copyOfModel() {
    copies_.push_back(std::make_unique<Model>(model_.device(), plan_.shape, plan_.config.seed));
    copies_.back()->copyStateOf(model_);
    return *copies_.back();
}

Reply ProcessRank::failed(const std::exception_ptr& error) const {
    Reply reply;
    reply.kind = Reply::Kind::Failed;
    reply.failure = rankFailure(rank(), at_work_ ? worker_->action() : Action{}, error);
    reply.step_begun = stepped_ || (worker_ && worker_->stepBegun());
    return reply;
}

void ProcessRank::abandon() {
    if (communicator_) communicator_->abandon();
}

void ProcessRank::awaitGpu() const noexcept {
    if (gpu_) gpu_->awaitStreams();
}

// Ranks begin together, up to a message's latency, on clocks that agree.
void ProcessRank::beginTogether(const ClockLine& clock, const BatchView& one_microbatch,
                                std::int64_t start_ns, int iteration) {
    line_ = clock;
    at_work_ = stepped_ = false;
    iteration_ = iteration;
    since_ = SteadyClock::now();
    if (!warm_) {
        communicator_->warmUpBegins();
        if (!worker_) makeWorker();
        worker_->stages().workplace().device().prepareThread();
        clock_->prepareThread(rank());
        openLinks();
        worker_->warmUp(one_microbatch);
    }
    if (gpu_) gpu_->beginIteration(iteration);
    throttle_counts_.look();
    const auto now = [this] { return line_.toFirst(own_()); };
    const std::int64_t begun = communicator_->begin(now, warm_ ? kPatience : kWarmUp);
    warm_ = true;
    const bool measured = clock_->provenance() == Provenance::Measured;
    start_ns += measured ? now() - begun : 0;
    clock_->beginIteration(start_ns);
    at_work_ = true;
}

RankIteration ProcessRank::iterate(const IterateCommand& command) {
    const std::size_t tokens = static_cast<std::size_t>(plan_.config.micro_batch) * plan_.shape.T;
    try {
        beginTogether(command.clock,
                      {std::span(command.tokens).first(tokens), std::span(command.targets).first(tokens)},
                      command.start_ns, command.iteration);
        worker_->run({command.tokens, command.targets}, command.iteration, command.step, command.clip_norm);
        stepped_ = !plan_.forward_only;
        RankIteration share = worker_->takeShare();
        share.throttles = throttle_counts_.look();
        if (gpu_) gpu_->endIteration(std::span(&share, 1));
        calibration_.add(share.samples);
        calibration_.endIteration();
        at_work_ = false;
        return share;
    } catch (...) {
        if (gpu_) gpu_->abort(sentence("rank {0} stopped", rank()));
        throw;
    }
}

void ProcessRank::runStream(const StreamCommand& command, StreamGate& gate) {
    plan_.config.training = command.training;
    try {
        beginTogether(command.clock, {command.tokens, command.targets}, command.start_ns,
                      command.start.iteration);
        worker_->runStream(gate, command.start);
        if (gpu_) gpu_->endStream();
        at_work_ = false;
    } catch (...) {
        if (gpu_) gpu_->abort(sentence("rank {0} stopped", rank()));
        throw;
    }
}

void ProcessRank::shareDone(RankIteration& share) {
    share.throttles = throttle_counts_.look();
    if (gpu_) gpu_->endShares(std::span(&share, 1));
    calibration_.add(share.samples);
    calibration_.endIteration();
    communicator_->iterationBegins();
}

std::vector<char> ProcessRank::packed(const RankIteration& share) const {
    Packer packer;
    pack(packer, share);
    if (gpu_) {
        pack(packer, share.notes);
        pack(packer, share.gpu, line_);
    }
    return packer.take();
}

RankIteration unpackRankIteration(const std::vector<char>& bytes, bool of_gpu) {
    Unpacker from(bytes);
    RankIteration share = unpackShare(from);
    if (of_gpu) {
        share.notes = unpackLaunchedOperations(from);
        share.gpu = unpackSamples(from);
    }
    return share;
}

std::vector<std::size_t> layersOf(const Plan& plan, int rank, Chains chains) {
    const Schedule& schedule = plan.program.schedule;
    std::set<std::size_t> layers;
    for (std::size_t stage = 0; stage < plan.ranges.size(); ++stage) {
        if (schedule.placement[stage] != rank) continue;
        if (chains == Chains::First && schedule.chainOf(static_cast<int>(stage)) != 0) continue;
        const StageRange& range = plan.ranges[stage];
        if (range.embedding) layers.insert(0);
        for (std::size_t block = 0; block < range.blocks; ++block)
            layers.insert(range.first_block + block + 1);
        if (range.head) layers.insert(plan.shape.L + 1);
    }
    return {layers.begin(), layers.end()};
}

void sendLayers(Channel& channel, int peer, const Model& model, const std::vector<std::size_t>& layers) {
    for (const std::size_t layer : layers)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            for (const TensorKind kind : kKinds)
                channel.post(peer, kLayerTag, Packer().add(model.read(layer, i, kind)).take());
}

void receiveLayers(Channel& channel, int peer, Model& model, const std::vector<std::size_t>& layers) {
    for (const std::size_t layer : layers)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i)
            for (const TensorKind kind : kKinds) {
                const auto received = channel.receive(peer, kLayerTag, sentence("the layers of a stage"));
                model.write(layer, i, kind, Unpacker(received.message).nextVector<float>());
            }
}

}  // namespace bscope
