#include "gpu/gpu_rank.h"

#include <utility>

#include "gpu/gpu_placement.h"
#include "gpu/tracing_cost.h"
#include "model/model.h"

namespace bscope {

GpuRank::GpuRank(Gpus& gpus, int index, const Plan& plan, int rank)
    : gpus_(gpus),
      plan_(plan),
      rank_(rank),
      device_(gpus.device(index, plan.config.dtype, Streams::Own)),
      trace_(gpus.api(), plan.ranks(), plan.stream ? Kernels::Later : Kernels::AtOnce),
      links_(gpus.api(), plan),
      watch_(gpus.api(), plan) {
    watch_.keepNews();
    gpus.keepTracing(plan.config.trace_cost == 0);
}

std::unique_ptr<Clock> GpuRank::makeClock() {
    auto clock = std::make_unique<GpuClock>(Provenance::Measured, trace_, &watch_);
    clock_ = clock.get();
    return clock;
}

void GpuRank::takeIn(const std::vector<Model*>& models) const {
    const Schedule& schedule = plan_.program.schedule;
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        if (schedule.placement[index] == rank_)
            moveStage(*models[static_cast<std::size_t>(schedule.chainOf(stage))], plan_.ranges[index],
                      device_);
    }
}

Communicator& GpuRank::over(Communicator& host) {
    communicator_ = std::make_unique<GpuCommunicator>(links_, trace_, watch_, plan_, host);
    if (plan_.stream) communicator_->leaveSendsUntimed();
    return *communicator_;
}

void GpuRank::attend(Worker& worker, Recorder& recorder, const std::function<void()>& watch) {
    Workplace& workplace = worker.stages().workplace();
    trace_.computesOn(rank_, {cudaDeviceOf(workplace.device()), cudaStreamOf(workplace.stream())});
    recorder.keepNotes();
    communicator_->computesWith(workplace.ops());
    ask_ = watch;
    const auto look = [this, &worker] { this->look(worker); };
    watchWhileWaiting(workplace.stream(), look);
    watch_.lookWith(rank_, look);
}

void GpuRank::openLinks(GpuWorld& world) {
    links_.open(
        world, [this](int) -> Device& { return device_; }, ask_);
    for (const TracedStream& stream : links_.streams()) trace_.linksOn(stream);
}

void GpuRank::look(const Worker& worker) {
    if (!worker.stepBegun()) ask_();
    lookAtGpu(watch_, links_, rank_, worker.stepBegun());
}

GpuRank::Standing GpuRank::standing() const {
    const auto action = watch_.current(rank_);
    if (!action) return {"", -1, watch_.secondsSince(rank_)};
    return {toText(*action), watch_.peerOf(rank_, *action), watch_.secondsSince(rank_)};
}

void GpuRank::beginIteration(int iteration) {
    microbatches_ = 0;
    watch_.beginIteration();
    trace_.beginIteration(iteration, plan_.stream || isTraced(plan_.config, iteration));
}

GpuTold GpuRank::endIteration() {
    links_.settle();
    return tell(trace_.traced() ? trace_.endIteration().takeAll() : std::vector<ActionSpan>());
}

GpuTold GpuRank::endShare(const Share& share) {
    microbatches_ += plan_.stream->microbatches();
    watch_.forget(microbatches_);
    return tell(trace_.takeOfStream(tracedActions(plan_, rank_, share.notes)).takeAll());
}

GpuTold GpuRank::tell(std::vector<ActionSpan> spans) {
    GpuTold told;
    told.spans = std::move(spans);
    told.later = trace_.takeLater();
    told.timing = trace_.timing();
    told.dropped = trace_.takeDrops();
    told.link_bytes = static_cast<std::int64_t>(links_.bytes(rank_));
    told.driver_bytes = gpus_.usedBytes(device_);
    return told;
}

}  // namespace bscope
