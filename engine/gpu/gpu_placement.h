// From what GPUs did to the events of an iteration. RECONSTRUCTED: the program is played on p device clocks
// with the durations that its actions had when each ran alone on the one GPU. MEASURED: what p GPUs did at
// the same time, on the host's clock; of each receive, waiting and transfer separated. Both make the same
// calls to the recorders as a worker on a CPU. Of a stream, clocks and messages on their way live on from one
// iteration to the next. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "clock/device_clocks.h"
#include "gpu/gpu_clock.h"
#include "gpu/gpu_kernels.h"
#include "gpu/gpu_trace.h"
#include "plan/plan.h"
#include "rank/rank_iteration.h"
#include "rank/recorder.h"

namespace bscope {

// What the GPU says about one rank beside its events.
struct GpuFacts {
    std::vector<KernelEvent> kernels;
    int lost_actions = 0;  // whose records were dropped; they last what they usually do
};

// What the rank's GPU traced for these notes: their work, and the receives of what it needed.
std::vector<RankWork> tracedWork(const Plan& plan, int rank, std::span<const LaunchedOperation> notes);
// The send that belongs to a receive.
RankWork sendingOf(const Plan& plan, const Action& receive);

class GpuPlacement {
public:
    // Everything must outlive this. recorders: (ranks,) those that report.
    GpuPlacement(const Plan& plan, const Calibration& calibration, Provenance provenance,
                 std::span<const std::unique_ptr<Recorder>> recorders);

    // An iteration with a flush, or a stream, begins.
    void begin(const HostToDevice& times);
    // shares: (ranks,) with the notes of one iteration, which become all the rest of them. (ranks,)
    std::vector<GpuFacts> place(int iteration, std::span<RankIteration> shares, const GpuSpans& spans);
    // Of a measured stream, whose facts have no kernels: they are matched with its boxes when they come.
    LaterKernels& later() { return later_; }

private:
    std::int64_t duration_ns(int rank, const WorkId& id);
    bool isReady(const LaunchedOperation& note) const;
    bool everyCopyIn(const std::map<int, OpTime>& parts, int stage) const;
    bool beginReduction(int rank, const Action& reduction);
    void waitForRound(int rank, int stage, const std::map<int, OpTime>& parts);
    void playReduction(int rank, const LaunchedOperation& note);
    void playAll();
    void play(int rank, const LaunchedOperation& note);
    void playOptimizers();
    // Further copies of the weights have the same gradients, which count once.
    bool addsToNorm(int rank) const;
    void noteProducts(int rank);
    void measure(int rank);
    void measureReceive(int rank, const MessageTag& tag, std::int64_t free_ns);
    void record(int rank, const LaunchedOperation& note, const OpTime& time);
    int rankOf(int stage) const { return schedule_.placement.at(static_cast<std::size_t>(stage)); }
    // The tensor that comes from another rank; nullopt when it is there already.
    std::optional<MessageTag> firstUse(int rank, const Action& action);
    void consume(const Action& action);

    const Plan& plan_;
    const Schedule& schedule_;
    const Calibration& calibration_;
    const Provenance provenance_;
    HostToDevice times_;
    std::span<const std::unique_ptr<Recorder>> recorders_;
    DeviceClocks device_clocks_;

    int iteration_ = 0;
    const GpuSpans* spans_ = nullptr;
    std::vector<std::vector<LaunchedOperation>> notes_;  // (ranks,)
    std::span<RankIteration> shares_;
    std::vector<GpuFacts> facts_;  // (ranks,)
    LaterKernels later_;
    std::map<MessageTag, std::int64_t> done_;  // by its producer; on the clock of the spans when measured
    std::set<MessageTag> received_;
    // By stage: its gradients, and its sums, ready to be sent to its copies.
    std::map<int, OpTime> gathered_, folded_;
};

}  // namespace bscope
