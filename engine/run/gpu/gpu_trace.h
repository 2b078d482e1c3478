// GpuTrace: the tracers of a pipeline on GPUs, one for actions and one for messages, with the streams its
// ranks compute on, and what an iteration left in it: a span for each action of each rank. begin and end from
// the ranks' threads; the rest between iterations, by one thread.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "trace/gpu_tracer.h"

namespace bscope {

// (rank, action) to what the GPU did for it.
class GpuSpans {
public:
    void add(ActionSpan span);
    // Null when its records were lost.
    const ActionSpan* find(int rank, const Action& action) const;

private:
    std::map<std::pair<int, Action>, ActionSpan> spans_;
};

class GpuTrace {
public:
    // Throws DeviceError. The api must outlive this.
    GpuTrace(const BscopePlugin& api, int ranks)
        : tracer_(makeGpuTracer(api)),
          link_tracer_(makeEventTracer(api, "NCCL launches from threads of its own")),
          compute_(static_cast<std::size_t>(ranks)) {}

    // A link's stream, idle now. Any thread.
    void linksOn(const TracedStream& stream) { link_tracer_->expect(stream); }
    void computesOn(int rank, const TracedStream& stream) {
        compute_[static_cast<std::size_t>(rank)] = stream;
        tracer_->expect(stream);
    }
    const TracedStream& computeStream(int rank) const { return compute_[static_cast<std::size_t>(rank)]; }

    // An untraced iteration leaves no spans.
    void beginIteration(int iteration, bool traced);
    GpuSpans endIteration();
    bool traced() const { return traced_; }

    // What work hands to the rank's compute stream belongs to that action.
    template <class Work>
    void traceAction(int rank, const Action& action, Work work) {
        traceAs(*tracer_, rank, action, computeStream(rank), work);
    }
    // The same of a message, on a link's stream.
    template <class Work>
    void traceMessage(int rank, const Action& action, const TracedStream& on, Work work) {
        traceAs(*link_tracer_, rank, action, on, work);
    }

    std::uint64_t droppedRecords() const { return tracer_->dropped(); }
    // "CUPTI", or why the times come from CUDA events.
    std::string timing() const;

private:
    template <class Work>
    void traceAs(GpuTracer& tracer, int rank, const Action& action, const TracedStream& on, Work work) {
        tracer.begin({iteration_, rank, action}, on);
        try {
            work();
        } catch (...) {
            tracer.end(on);
            throw;
        }
        tracer.end(on);
    }

    std::unique_ptr<GpuTracer> tracer_;
    std::unique_ptr<GpuTracer> link_tracer_;
    std::vector<TracedStream> compute_;  // (ranks,)
    int iteration_ = 0;
    bool traced_ = true;
};

}  // namespace bscope
