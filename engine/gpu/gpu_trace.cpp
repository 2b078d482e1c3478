#include "gpu/gpu_trace.h"

#include <chrono>
#include <set>
#include <thread>

#include "timeline/report.h"

namespace bscope {

namespace {

// Micro-batches of a stream are counted without end, an id has room for so many; of those under way at the
// same time no two are that far apart.
constexpr int kMicrobatchIds = (1 << 17) - 1;

// A copy beside the one stream of a GPU, a loss on its way to the host, keeps records back for a moment; what
// was lost never comes.
constexpr int kTries = 20;
constexpr auto kBetweenTries = std::chrono::microseconds(50);

}  // namespace

Action GpuTrace::traceable(Action action) {
    const int id = action.microbatch < 0 ? action.microbatch : action.microbatch % kMicrobatchIds;
    return {action.stage, action.op, id};
}

void GpuSpans::add(ActionSpan span) {
    const RankAction key{span.traced.rank, span.traced.action};
    spans_.insert_or_assign(key, std::move(span));
}

const ActionSpan* GpuSpans::find(int rank, const Action& action) const {
    const auto found = spans_.find({rank, GpuTrace::traceable(action)});
    return found == spans_.end() ? nullptr : &found->second;
}

std::vector<ActionSpan> GpuSpans::takeAll() {
    std::vector<ActionSpan> all;
    for (auto& [key, span] : spans_) all.push_back(std::move(span));
    spans_.clear();
    return all;
}

// What an iteration that was broken off has left behind belongs to no action.
GpuTrace::GpuTrace(const BscopePlugin& api, int ranks, Kernels kernels)
    : api_(api),
      tracer_(makeGpuTracer(api)),
      link_tracer_(makeEventTracer(api, sentence("NCCL launches from threads of its own"))),
      compute_(static_cast<std::size_t>(ranks)) {
    tracer_->drain();
    takeDrops();
    if (kernels == Kernels::AtOnce || !tracer_->fallbackReason().empty()) return;
    later_ = std::exchange(tracer_, makeEventTracer(api, kernelsComeLater().why));
}

void GpuTrace::linksOn(const TracedStream& stream) {
    link_tracer_->expect(stream);
    const std::lock_guard<std::mutex> lock(links_mutex_);
    links_.push_back(stream);
}

void GpuTrace::beginIteration(int iteration, bool traced) {
    iteration_ = iteration % kIterationIds;
    if (traced == traced_) return;
    for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()}) traced ? tracer->resume() : tracer->pause();
    traced_ = traced;
}

// The receivers have everything, so that the links are done as good as at once. Records of an iteration that
// was broken off may come late: they are not of this one.
GpuSpans GpuTrace::endIteration() {
    GpuSpans spans;
    if (!traced_) return spans;
    for (const TracedStream& link : links_) check(api_.stream_synchronize(link.stream));
    for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()})
        for (ActionSpan& span : tracer->drain())
            if (span.traced.iteration == iteration_) spans.add(std::move(span));
    return spans;
}

GpuSpans GpuTrace::takeOfStream(std::span<const RankAction> ended) {
    std::set<RankAction> keys;
    for (const auto& [rank, action] : ended) keys.insert({rank, traceable(action)});
    const auto wanted = [&keys](const TracedAction& traced) {
        return keys.contains({traced.rank, traced.action});
    };
    GpuSpans spans;
    for (int tries = 0; tries < kTries && spans.size() < keys.size(); ++tries) {
        if (tries > 0) std::this_thread::sleep_for(kBetweenTries);
        for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()})
            for (ActionSpan& span : tracer->take(wanted)) spans.add(std::move(span));
    }
    return spans;
}

Timing GpuTrace::timing() const {
    if (later_) return kernelsComeLater();
    const Sentence& why = tracer_->fallbackReason();
    return why.empty() ? Timing{TimingSource::Cupti, {}} : Timing{TimingSource::Events, why};
}

}  // namespace bscope
