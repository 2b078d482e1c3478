#include "gpu/gpu_session.h"

#include <algorithm>
#include <new>
#include <utility>

#include "model/model.h"

namespace bscope {

namespace {
constexpr const char* kLookAtGpus =
    "Look at the GPUs and the paths between them (bscope doctor), then run again.";
}  // namespace

GpuSession::GpuSession(Gpus& gpus, const Plan& plan, Provenance provenance, const Calibration& calibration,
                       RunObserver& observer)
    : gpus_(gpus),
      plan_(plan),
      provenance_(provenance),
      calibration_(calibration),
      observer_(observer),
      trace_(gpus.api(), plan.ranks(),
             plan.stream && provenance == Provenance::Measured ? Kernels::Later : Kernels::AtOnce) {
    gpus.keepTracing(plan.config.trace_cost == 0);
    const bool together = provenance == Provenance::Measured;
    for (int rank = 0; rank < plan.ranks(); ++rank)
        devices_.push_back(
            &gpus.device(together ? rank : 0, plan.config.dtype, together ? Streams::Own : Streams::Shared));
    const bool several = together && plan.ranks() > 1;
    if (several) name_ = std::to_string(plan.ranks()) + " x ";
    name_ += gpus.name(0);
    if (plan.config.dtype == Dtype::Bf16) name_ += ", bf16";
    if (together) {
        links_ = std::make_unique<GpuLinks>(gpus.api(), plan);
        watch_ = std::make_unique<GpuWatch>(gpus.api(), plan);
        return;
    }
    copies_ = deviceOf(0).makeStream();
    copy_ops_ = deviceOf(0).makeOps(*copies_);
}

std::unique_ptr<Clock> GpuSession::makeClock() {
    auto clock = std::make_unique<GpuClock>(provenance_, trace_, watch_.get());
    clock_ = clock.get();
    books_ = std::make_unique<GpuBooks>(plan_, calibration_, observer_, *clock);
    return clock;
}

void GpuSession::takeIn(const std::vector<Model*>& models) const {
    const Schedule& schedule = plan_.program.schedule;
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        moveStage(*models[static_cast<std::size_t>(schedule.chainOf(stage))], plan_.ranges[index],
                  deviceOf(schedule.placement[index]));
    }
}

void GpuSession::attend(int rank, Worker& worker, Recorder& recorder) {
    Workplace& workplace = worker.stages().workplace();
    trace_.computesOn(rank, {cudaDeviceOf(workplace.device()), cudaStreamOf(workplace.stream())});
    recorder.keepNotes();
    if (!links_) return;
    communicators_[static_cast<std::size_t>(rank)]->computesWith(workplace.ops());
    const auto look = [this, rank, &worker] { this->look(rank, worker); };
    watchWhileWaiting(workplace.stream(), look);
    watch_->lookWith(rank, look);
}

std::unique_ptr<Communicator> GpuSession::communicator(std::unique_ptr<Communicator> host) {
    if (!links_) return host;
    hosts_.push_back(std::move(host));
    auto over_links = std::make_unique<GpuCommunicator>(*links_, trace_, *watch_, plan_, *hosts_.back());
    communicators_.push_back(over_links.get());
    return over_links;
}

// What failed while links came up may have left the world half split.
void GpuSession::openLinks() {
    if (!links_ || !links_->areNeeded()) return;
    try {
        links_->open(gpus_.world(plan_.config.dtype), [this](int rank) -> Device& { return deviceOf(rank); });
        for (const TracedStream& stream : links_->streams()) trace_.linksOn(stream);
    } catch (const CommunicationAborted& stopped) {
        gpus_.dropWorld();
        throw RunFailure(stopped.what(), "Run again to go on with the same iteration.");
    } catch (const LinkFailure& failure) {
        gpus_.dropWorld();
        throw RunFailure("Rank " + std::to_string(failure.rank) +
                             " stopped before its first operation: " + failure.what() + ".",
                         adviceFor(failure.what(), kLookAtGpus), failure.rank);
    } catch (const std::bad_alloc&) {
        gpus_.dropWorld();
        throw RunFailure("A GPU has no memory left for the links to others.",
                         "Use fewer or smaller micro-batches, or checkpointing, or a smaller model.");
    } catch (const DeviceError& error) {
        gpus_.dropWorld();
        throw RunFailure("The links between GPUs do not come up: " + std::string(error.what()) + ".",
                         adviceFor(error.what(), kLookAtGpus));
    }
}

void GpuSession::abort(const std::string& reason) {
    if (links_) links_->abort(reason);
}

// While the rank waits for its GPU: throws when somebody else has stopped, a link is broken, or nobody gets
// on any more.
void GpuSession::look(int rank, const Worker& worker) {
    if (!worker.stepBegun()) links_->throwIfAborted();
    lookAtGpu(*watch_, *links_, rank, worker.stepBegun());
}

void GpuSession::copyInOrder(void* to, const void* from, std::size_t bytes) {
    const auto mine = clock_->turn();
    copy_ops_->copy(static_cast<float*>(to), static_cast<const float*>(from), bytes / sizeof(float));
}

void GpuSession::beginIteration(int iteration) {
    iteration_ = iteration;
    if (watch_) watch_->beginIteration();
    trace_.beginIteration(iteration, isTraced(plan_.config, iteration));
}

void GpuSession::endIteration(std::span<Share> shares, std::int64_t run_ns) {
    tell(shares, trace_.endIteration());
    books_->write(iteration_, shares, run_ns);
}

void GpuSession::beginStream(int iteration) {
    iteration_ = iteration - 1;
    microbatches_ = 0;
    if (watch_) watch_->beginIteration();
    trace_.beginIteration(iteration, true);
    books_->begin();
}

// Where all share one stream it is idle for the moment that CUPTI needs.
void GpuSession::endShares(std::span<Share> shares) {
    const std::vector<RankAction> ended = books_->actionsOf(shares);
    GpuSpans spans;
    {
        const auto mine = clock_->turn();
        if (copies_) copies_->synchronize();
        spans = trace_.takeOfStream(ended);
    }
    tell(shares, std::move(spans));
    books_->place(++iteration_, shares);
    microbatches_ += plan_.stream->microbatches();
    if (watch_) watch_->forget(microbatches_);
}

void GpuSession::tell(std::span<Share> shares, GpuSpans spans) {
    for (ActionSpan& span : spans.takeAll())
        shares[static_cast<std::size_t>(span.traced.rank)].told.spans.push_back(std::move(span));
    for (ActionSpan& span : trace_.takeLater())
        shares[static_cast<std::size_t>(span.traced.rank)].told.later.push_back(std::move(span));
    for (int rank = 0; rank < plan_.ranks(); ++rank) {
        GpuTold& told = shares[static_cast<std::size_t>(rank)].told;
        told.timing = trace_.timing();
        told.link_bytes = links_ ? static_cast<std::int64_t>(links_->bytes(rank)) : 0;
        told.driver_bytes = gpus_.usedBytes(deviceOf(rank));
    }
    shares.front().told.dropped = trace_.takeDrops();  // the ranks have one tracer
}

}  // namespace bscope
