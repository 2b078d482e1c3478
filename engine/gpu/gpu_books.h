// GpuBooks: what GPUs did, brought together when all ranks have told it: from their notes and spans, on one
// clock, to events, kernels and numbers of the report, and to the observer. The same for the ranks of one
// process and for processes. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu_placement.h"
#include "gpu/tracing_cost.h"

namespace bscope {

class GpuBooks {
public:
    // clock: where iterations begin. Everything must outlive this.
    GpuBooks(const Plan& plan, const Calibration& calibration, RunObserver& observer, const GpuClock& clock);

    // An iteration with a flush: what the shares' ranks noted and told becomes all the rest of them. An
    // untraced one has no events. (ranks,)
    void write(int iteration, std::span<Share> shares, std::int64_t run_ns);
    // The same of a stream, which has begun on the clock; it is traced throughout.
    void begin();
    void place(int iteration, std::span<Share> shares);
    // Whose spans place() will need, of all ranks.
    std::vector<RankAction> actionsOf(std::span<const Share> shares) const {
        return placement_.actionsOf(shares);
    }
    void complete(IterationReport& report) const;

private:
    void addFacts(std::span<Share> shares);

    const Plan& plan_;
    RunObserver& observer_;
    const GpuClock& clock_;
    WatermarkBoard board_;
    std::vector<std::unique_ptr<Recorder>> recorders_;  // (ranks,)
    GpuPlacement placement_;
    TracingCost tracing_cost_;
    std::uint64_t dropped_ = 0;  // of the last iteration
    std::string timing_;
};

}  // namespace bscope
