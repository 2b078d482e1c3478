#include "gpu/rank_gpus.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gpu/gpu_placement.h"
#include "gpu/tracing_cost.h"
#include "model/model.h"

namespace bscope {

namespace {

std::vector<int> allRanks(const Plan& plan) {
    std::vector<int> ranks(static_cast<std::size_t>(plan.ranks()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

}  // namespace

RankGpus::RankGpus(Gpus& gpus, const Plan& plan, Provenance provenance, std::vector<int> ranks, Ask ask)
    : gpus_(gpus),
      plan_(plan),
      provenance_(provenance),
      ranks_(std::move(ranks)),
      ask_(std::move(ask)),
      devices_(static_cast<std::size_t>(plan.ranks())),
      trace_(gpus.api(), plan.ranks(),
             plan.stream && provenance == Provenance::Measured ? Kernels::Later : Kernels::AtOnce),
      communicators_(static_cast<std::size_t>(plan.ranks())) {
    gpus.keepTracing(plan.config.trace_cost == 0);
    if (provenance != Provenance::Measured) return;
    links_ = std::make_unique<GpuLinks>(gpus.api(), plan);
    watch_ = std::make_unique<GpuWatch>(gpus.api(), plan);
}

RankGpus::RankGpus(Gpus& gpus, const Plan& plan, Provenance provenance)
    : RankGpus(gpus, plan, provenance, allRanks(plan), nullptr) {
    const bool together = provenance == Provenance::Measured;
    for (const int rank : ranks_)
        devices_[static_cast<std::size_t>(rank)] =
            &gpus.device(together ? rank : 0, plan.config.dtype, together ? Streams::Own : Streams::Shared);
    if (together) return;
    copies_ = deviceOf(0).makeStream();
    copy_ops_ = deviceOf(0).makeOps(*copies_);
}

RankGpus::RankGpus(Gpus& gpus, const Plan& plan, int rank, int gpu, Ask ask)
    : RankGpus(gpus, plan, Provenance::Measured, {rank}, std::move(ask)) {
    devices_[static_cast<std::size_t>(rank)] = &gpus.device(gpu, plan.config.dtype, Streams::Own);
    watch_->keepNews();
}

std::unique_ptr<Clock> RankGpus::makeClock() {
    auto clock = std::make_unique<GpuClock>(provenance_, trace_, watch_.get());
    clock_ = clock.get();
    return clock;
}

void RankGpus::placeLayers(const std::vector<Model*>& models) const {
    const Schedule& schedule = plan_.program.schedule;
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        Device* const device = devices_[static_cast<std::size_t>(schedule.placement[index])];
        if (device != nullptr)
            moveStage(*models[static_cast<std::size_t>(schedule.chainOf(stage))], plan_.ranges[index],
                      *device);
    }
}

Communicator& RankGpus::communicator(int rank, Communicator& host) {
    if (!links_) return host;
    auto& own = communicators_[static_cast<std::size_t>(rank)];
    own = std::make_unique<GpuCommunicator>(*links_, trace_, *watch_, plan_, host);
    if (plan_.stream && isAlone()) own->leaveSendsUntimed();
    return *own;
}

void RankGpus::instrument(int rank, Worker& worker, Recorder& recorder) {
    Workplace& workplace = worker.stages().workplace();
    trace_.computesOn(rank, {cudaDeviceOf(workplace.device()), cudaStreamOf(workplace.stream())});
    recorder.keepNotes();
    if (!links_) return;
    communicators_[static_cast<std::size_t>(rank)]->computesWith(workplace.ops());
    const auto look = [this, rank, &worker] { this->look(rank, worker); };
    watchWhileWaiting(workplace.stream(), look);
    watch_->lookWith(rank, look);
}

void RankGpus::openLinks(GpuWorld& world) {
    links_->open(
        world, [this](int rank) -> Device& { return deviceOf(rank); }, ask_);
    for (const TracedStream& stream : links_->streams()) trace_.linksOn(stream);
}

void RankGpus::abort(const Sentence& reason) {
    if (links_) links_->abort(reason);
}

void RankGpus::awaitStreams() const noexcept {
    for (const int rank : ranks_)
        if (BscopeStream* const stream = trace_.computeStream(rank).stream)
            gpus_.api().stream_synchronize(stream);  // a GPU that is lost is done with everything
}

// While the rank waits for its GPU: throws when another rank has stopped, a link is broken, or no GPU gets
// anything done any more.
void RankGpus::look(int rank, const Worker& worker) {
    if (!worker.stepBegun()) {
        if (ask_) ask_();
        links_->throwIfAborted();
    }
    lookAtGpu(*watch_, *links_, rank, worker.stepBegun());
}

void RankGpus::copyInOrder(void* to, const void* from, std::size_t bytes) {
    const auto mine = clock_->turn();
    copy_ops_->run(CopyFloats{.to = static_cast<float*>(to),
                              .from = static_cast<const float*>(from),
                              .count = bytes / sizeof(float)});
}

void RankGpus::beginIteration(int iteration) {
    microbatches_ = 0;
    if (watch_) watch_->beginIteration();
    trace_.beginIteration(iteration, plan_.stream || isTraced(plan_.config, iteration));
}

// What other processes receive may still be on its way.
void RankGpus::endIteration(std::span<RankIteration> shares) {
    if (isAlone()) links_->settle();
    addSamples(shares, trace_.traced() ? trace_.endIteration().takeAll() : std::vector<WorkSpan>());
}

// The shared stream is idle for the moment that CUPTI needs.
void RankGpus::endShares(std::span<RankIteration> shares) {
    const std::vector<RankWork> ended = endedWork(shares);
    std::vector<WorkSpan> spans;
    {
        const auto mine = clock_->turn();
        if (copies_) copies_->synchronize();
        spans = trace_.takeOfStream(ended).takeAll();
    }
    addSamples(shares, std::move(spans));
    microbatches_ += plan_.stream->microbatches();
    if (watch_) watch_->forget(microbatches_);
}

void RankGpus::endStream() {
    if (isAlone()) links_->settle();
}

std::vector<RankWork> RankGpus::endedWork(std::span<const RankIteration> shares) const {
    std::vector<RankWork> all;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
        for (const RankWork& each : tracedWork(plan_, ranks_[i], shares[i].notes)) {
            const bool is_receive = isReceive(each.second.action.op);
            if (is_receive && provenance_ == Provenance::Reconstructed) continue;
            all.push_back(each);
            if (is_receive && !isAlone()) all.push_back(sendingOf(plan_, each.second.action));
        }
    return all;
}

RankIteration& RankGpus::shareOf(int rank, std::span<RankIteration> shares) const {
    const auto at = std::find(ranks_.begin(), ranks_.end(), rank);
    return shares[static_cast<std::size_t>(at - ranks_.begin())];
}

void RankGpus::addSamples(std::span<RankIteration> shares, std::vector<WorkSpan> spans) {
    for (WorkSpan& span : spans) shareOf(span.traced.rank, shares).gpu.spans.push_back(std::move(span));
    for (WorkSpan& span : trace_.takeLater())
        shareOf(span.traced.rank, shares).gpu.later.push_back(std::move(span));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        GpuSamples& samples = shares[i].gpu;
        samples.timing = trace_.timing();
        samples.link_bytes = links_ ? static_cast<std::int64_t>(links_->bytes(ranks_[i])) : 0;
        samples.driver_bytes = gpus_.usedBytes(deviceOf(ranks_[i]));
    }
    shares.front().gpu.dropped = trace_.takeDrops();  // the ranks here have one tracer
}

RankGpus::Standing RankGpus::standing(int rank) const {
    const auto action = watch_->current(rank);
    if (!action) return {"", -1, watch_->secondsSince(rank)};
    return {toText(*action), watch_->peerOf(rank), watch_->secondsSince(rank)};
}

std::string gpuNames(const Gpus& gpus, const Plan& plan, Provenance provenance) {
    const bool several = provenance == Provenance::Measured && plan.ranks() > 1;
    return (several ? std::to_string(plan.ranks()) + " x " : "") + gpus.name(0) +
           (plan.config.dtype == Dtype::Bf16 ? ", bf16" : "");
}

}  // namespace bscope
