// GpuClock: work is handed to a GPU and nothing is waited for, so no time is known while an iteration runs:
// every clock stands still, and GpuPlacement finds the times later. Where all ranks share one GPU,
// one rank at a time hands over an action, so that actions follow each other whole on the one stream.
#pragma once

#include <mutex>

#include "clock/clock.h"
#include "gpu/gpu_trace.h"
#include "gpu/gpu_watch.h"

namespace bscope {

// From the host's monotonic clock to the ranks' device clocks, for one iteration or stream.
struct HostToDevice {
    std::int64_t start_ns = 0;   // where the device clocks stood at its beginning
    std::int64_t offset_ns = 0;  // device time - host time
    std::int64_t device_ns(std::int64_t host_ns) const { return host_ns + offset_ns; }
};

class GpuClock final : public Clock {
public:
    // watch: notes every action; null where all ranks share one stream. Both must outlive this.
    GpuClock(Provenance provenance, GpuTrace& trace, GpuWatch* watch)
        : provenance_(provenance), trace_(trace), watch_(watch) {}

    Provenance provenance() const override { return provenance_; }
    void prepareThread(int /*rank*/) override {}
    void beginIteration(std::int64_t start_ns) override;
    std::int64_t now_ns(int /*rank*/) const override { return times_.start_ns; }
    void waitUntil(int /*rank*/, std::int64_t /*time_ns*/) override {}
    OpTime run(int rank, const WorkId& id, const std::function<void()>& work) override;
    void runUntimed(int rank, const std::function<void()>& work) override;
    std::int64_t workTime_ns() const override;

    HostToDevice times() const { return times_; }
    // Held while work is handed over; not locked where every rank has its own stream.
    std::unique_lock<std::mutex> turn();

private:
    Provenance provenance_;
    GpuTrace& trace_;
    GpuWatch* watch_;
    std::mutex turn_;
    HostToDevice times_;
};

}  // namespace bscope
