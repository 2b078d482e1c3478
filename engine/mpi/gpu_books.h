// GpuBooks: what GPUs in several processes did, brought together by the first one: from notes and spans of
// all ranks, on its clock, to events, as GpuSession does it for the ranks of one process. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "run/gpu/gpu_placement.h"
#include "run/gpu/gpu_rank.h"
#include "run/gpu/tracing_cost.h"

namespace bscope {

class GpuBooks {
public:
    // clock: the first rank's. Everything must outlive this.
    GpuBooks(const Plan& plan, const Calibration& calibration, RunObserver& observer, const GpuClock& clock);

    // An iteration with a flush: what the shares' ranks noted and told becomes all the rest of them; kernels
    // go to the observer. (ranks,)
    void write(int iteration, std::span<Share> shares, std::int64_t run_ns);
    // The same of a stream, which has begun on the clock; it is traced throughout.
    void begin();
    void place(int iteration, std::span<Share> shares);
    void complete(IterationReport& report) const;

private:
    void addFacts(std::span<Share> shares);

    const Plan& plan_;
    RunObserver& observer_;
    const GpuClock& clock_;
    RunObserver nobody_;
    WatermarkBoard board_;
    std::vector<std::unique_ptr<Recorder>> recorders_;  // (ranks,)
    GpuPlacement placement_;
    TracingCost tracing_cost_;
    std::uint64_t dropped_ = 0;  // of the last iteration
    std::string timing_;
};

}  // namespace bscope
