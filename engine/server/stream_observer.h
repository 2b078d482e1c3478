// StreamObserver: what a run says, as frames of the stream. Callable from the run's worker threads; encodes
// there and hands over without waiting.
#pragma once

#include "run/run.h"
#include "server/out_frame.h"

namespace bscope {

class StreamObserver final : public RunObserver {
public:
    explicit StreamObserver(FrameSink sink) : sink_(std::move(sink)) {}

    void iterationStarted(const IterationStart& start) override;
    void events(int rank, std::span<const Event> events) override;
    void memory(int rank, std::span<const MemoryPoint> points) override;
    void kernels(int rank, std::span<const KernelEvent> kernels) override;
    void watermark(std::int64_t time_ns) override;
    void iterationFinished(const IterationReport& report) override;

private:
    FrameSink sink_;
};

}  // namespace bscope
