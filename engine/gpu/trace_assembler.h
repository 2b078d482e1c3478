// TraceAssembler: what the GPUs of all ranks did in an iteration, brought together: the ranks' notes and
// their GPUs' samples, on one clock, become the events, kernels and numbers of their shares. The same whether
// the ranks were threads or processes. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/gpu_placement.h"
#include "gpu/tracing_cost.h"

namespace bscope {

class TraceAssembler {
public:
    // The plan must outlive this.
    TraceAssembler(const Plan& plan, Provenance provenance);

    // A stream begins; it is traced throughout.
    void begin(const HostToDevice& times);
    // What the shares' ranks noted and their GPUs sampled in an iteration becomes all the rest of them. An
    // untraced one, with a flush, has no events. (ranks,) times: of the iteration or stream; run_ns: on this
    // host, of an iteration with a flush.
    void complete(int iteration, const HostToDevice& times, std::int64_t run_ns,
                  std::span<RankIteration> shares);
    // Of the last iteration.
    TracingFacts facts() const { return {timing_, tracing_cost_.value(), lost_records_}; }

private:
    void write(int iteration, const HostToDevice& times, std::int64_t run_ns,
               std::span<RankIteration> shares);
    void place(int iteration, std::span<RankIteration> shares);
    void addFacts(std::span<RankIteration> shares);

    const Plan& plan_;
    Calibration calibration_;
    std::vector<std::unique_ptr<Recorder>> recorders_;  // (ranks,)
    GpuPlacement placement_;
    TracingCost tracing_cost_;
    Timing timing_;
    std::uint64_t lost_records_ = 0;
};

}  // namespace bscope
