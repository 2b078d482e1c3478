// GpuTrace: the tracer of a pipeline on GPUs, with the streams its ranks compute on, and what an iteration
// left in it: a span for each action of each rank. begin and end from the ranks' threads; the rest between
// iterations, by one thread.
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
        : tracer_(makeGpuTracer(api)), compute_(static_cast<std::size_t>(ranks)) {}

    // The stream is idle now, and work on it will be traced. Any thread.
    void expect(const TracedStream& stream) { tracer_->expect(stream); }
    void computesOn(int rank, const TracedStream& stream) {
        compute_[static_cast<std::size_t>(rank)] = stream;
        expect(stream);
    }
    const TracedStream& computeStream(int rank) const { return compute_[static_cast<std::size_t>(rank)]; }

    // An untraced iteration leaves no spans.
    void beginIteration(int iteration, bool traced);
    GpuSpans endIteration();
    bool traced() const { return traced_; }

    // What work hands to the stream belongs to that action of that rank.
    template <class Work>
    void traceAs(int rank, const Action& action, const TracedStream& on, Work work) {
        tracer_->begin({iteration_, rank, action}, on);
        try {
            work();
        } catch (...) {
            tracer_->end(on);
            throw;
        }
        tracer_->end(on);
    }

    std::uint64_t droppedRecords() const { return tracer_->dropped(); }
    // "CUPTI", or why the times come from CUDA events.
    std::string timing() const;

private:
    std::unique_ptr<GpuTracer> tracer_;
    std::vector<TracedStream> compute_;  // (ranks,)
    int iteration_ = 0;
    bool traced_ = true;
};

}  // namespace bscope
