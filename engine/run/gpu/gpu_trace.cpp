#include "run/gpu/gpu_trace.h"

namespace bscope {

namespace {

// An id carries neither the whole iteration number nor what overlaps.
constexpr int kIterationIds = 65536;

std::pair<int, Action> keyOf(int rank, const Action& action) {
    return {rank, {action.stage, action.op, action.microbatch}};
}

}  // namespace

void GpuSpans::add(ActionSpan span) {
    const auto key = keyOf(span.traced.rank, span.traced.action);
    spans_.insert_or_assign(key, std::move(span));
}

const ActionSpan* GpuSpans::find(int rank, const Action& action) const {
    const auto found = spans_.find(keyOf(rank, action));
    return found == spans_.end() ? nullptr : &found->second;
}

void GpuTrace::beginIteration(int iteration, bool traced) {
    iteration_ = iteration % kIterationIds;
    if (traced == traced_) return;
    for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()}) traced ? tracer->resume() : tracer->pause();
    traced_ = traced;
}

// Records of an iteration that was broken off may come late: they are not of this one.
GpuSpans GpuTrace::endIteration() {
    GpuSpans spans;
    if (!traced_) return spans;
    for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()})
        for (ActionSpan& span : tracer->drain())
            if (span.traced.iteration == iteration_) spans.add(std::move(span));
    return spans;
}

std::string GpuTrace::timing() const {
    return tracer_->fallbackReason().empty() ? "CUPTI" : tracer_->fallbackReason();
}

}  // namespace bscope
