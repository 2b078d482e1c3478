// GpuTrace: the tracers of a pipeline on GPUs, one for actions and one for messages, with the streams its
// ranks compute on, and what an iteration left in them: a span for each action of each rank. traceAction and
// traceMessage from the ranks' threads; the rest by one thread, between iterations but for takeOfStream().
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"
#include "trace/gpu_tracer.h"
#include "trace/named_range.h"

namespace bscope {

// A rank's work as it was handed over.
using RankWork = std::pair<int, WorkId>;

// To what the GPU did for it.
class GpuSpans {
public:
    void add(WorkSpan span);
    // Null when its records were lost.
    const WorkSpan* find(int rank, const WorkId& id) const;
    std::size_t size() const { return spans_.size(); }
    std::vector<WorkSpan> takeAll();

private:
    std::map<RankWork, WorkSpan> spans_;
};

// When they are reported: with the actions' times, which are theirs; or, where something always runs on the
// GPUs, after times that events took.
enum class Kernels { AtOnce, Later };

class GpuTrace {
public:
    // Throws DeviceError. The api must outlive this.
    GpuTrace(const BscopePlugin& api, int ranks, Kernels kernels = Kernels::AtOnce);

    // A link's stream. Any thread.
    void linksOn(const TracedStream& stream);
    void computesOn(int rank, const TracedStream& stream) {
        compute_[static_cast<std::size_t>(rank)] = stream;
        tracer_->expect(stream);
    }
    const TracedStream& computeStream(int rank) const { return compute_[static_cast<std::size_t>(rank)]; }

    // An untraced iteration leaves no spans. Of a stream there is one beginning and no end.
    void beginIteration(int iteration, bool traced);
    GpuSpans endIteration();
    // These actions of a stream, which have ended; while others are under way, unless kernels come at once.
    GpuSpans takeOfStream(std::span<const RankWork> ended);
    // Kernels::Later: those that have come since the last time, of any actions; of these more may come.
    std::vector<WorkSpan> takeLater() { return later_ ? later_->takeSoFar() : std::vector<WorkSpan>(); }
    bool traced() const { return traced_; }

    // What `work` hands to the rank's compute stream belongs to that id.
    template <class Work>
    void traceWork(int rank, const WorkId& id, Work work) {
        const NamedRange range(api_, rank, id.action);
        const TracedStream& on = computeStream(rank);
        traceAs(*tracer_, rank, id, on, [&] {
            if (later_)
                traceAs(*later_, rank, id, on, work);
            else
                work();
        });
    }
    // The same of a message, on a link's stream.
    template <class Work>
    void traceMessage(int rank, const Action& action, const TracedStream& on, Work work) {
        const NamedRange range(api_, rank, action);
        traceAs(*link_tracer_, rank, action, on, work);
    }

    // As an id can carry it.
    static WorkId traceable(WorkId id);

    // Records that were lost since the last call.
    std::uint64_t takeDrops() {
        const std::uint64_t drops = (later_ ? later_ : tracer_)->dropped();
        return drops - std::exchange(reported_drops_, drops);
    }
    Timing timing() const;

private:
    template <class Work>
    void traceAs(GpuTracer& tracer, int rank, const WorkId& id, const TracedStream& on, Work work) {
        tracer.begin({iteration_, rank, traceable(id)}, on);
        try {
            work();
        } catch (...) {
            tracer.end(on);
            throw;
        }
        tracer.end(on);
    }

    const BscopePlugin& api_;
    std::unique_ptr<GpuTracer> tracer_;
    std::unique_ptr<GpuTracer> later_;  // may be null
    std::unique_ptr<GpuTracer> link_tracer_;
    std::vector<TracedStream> compute_;  // (ranks,)
    std::mutex links_mutex_;
    std::vector<TracedStream> links_;
    int iteration_ = 0;
    bool traced_ = true;
    std::uint64_t reported_drops_ = 0;
};

}  // namespace bscope
