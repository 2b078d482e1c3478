#include "gpu/gpu_trace.h"

#include <chrono>
#include <set>
#include <thread>

#include "report/report.h"

namespace bscope {

namespace {

// Micro-batches and versions of a stream are counted without end, an id has room for so many; of those under
// way at the same time no two are that far apart.
constexpr int kNumbers = (1 << 17) - 1;

// A copy beside the one stream of a GPU, a loss on its way to the host, keeps records back for a moment; what
// was lost never comes.
constexpr int kTries = 20;
constexpr auto kBetweenTries = std::chrono::microseconds(50);

}  // namespace

WorkId GpuTrace::traceable(WorkId id) {
    const Action& action = id.action;
    return {{action.stage, action.op, action.microbatch % kNumbers}, id.part, id.version % kNumbers};
}

void GpuSpans::add(WorkSpan span) {
    const RankWork key{span.traced.rank, span.traced.id};
    spans_.insert_or_assign(key, std::move(span));
}

const WorkSpan* GpuSpans::find(int rank, const WorkId& id) const {
    const auto found = spans_.find({rank, GpuTrace::traceable(id)});
    return found == spans_.end() ? nullptr : &found->second;
}

std::vector<WorkSpan> GpuSpans::takeAll() {
    std::vector<WorkSpan> all;
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
        for (WorkSpan& span : tracer->drain())
            if (span.traced.iteration == iteration_) spans.add(std::move(span));
    return spans;
}

GpuSpans GpuTrace::takeOfStream(std::span<const RankWork> ended) {
    std::set<RankWork> keys;
    for (const auto& [rank, id] : ended) keys.insert({rank, traceable(id)});
    const auto wanted = [&keys](const TracedWork& traced) { return keys.contains({traced.rank, traced.id}); };
    GpuSpans spans;
    for (int tries = 0; tries < kTries && spans.size() < keys.size(); ++tries) {
        if (tries > 0) std::this_thread::sleep_for(kBetweenTries);
        for (GpuTracer* tracer : {tracer_.get(), link_tracer_.get()})
            for (WorkSpan& span : tracer->take(wanted)) spans.add(std::move(span));
    }
    return spans;
}

Timing GpuTrace::timing() const {
    if (later_) return kernelsComeLater();
    const Sentence& why = tracer_->fallbackReason();
    return why.empty() ? Timing{TimingSource::Cupti, {}} : Timing{TimingSource::Events, why};
}

}  // namespace bscope
