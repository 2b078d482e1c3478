#include "gpu/trace_assembler.h"

#include <utility>

namespace bscope {

namespace {

std::vector<std::unique_ptr<Recorder>> recordersOf(const Plan& plan, RunObserver& observer,
                                                   WatermarkBoard& board) {
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (int rank = 0; rank < plan.ranks(); ++rank)
        recorders.push_back(std::make_unique<Recorder>(observer, board, rank, plan.forward_only));
    return recorders;
}

// Where ranks differ, only what CUDA events give is known of all.
Timing timingOf(std::span<const Share> shares) {
    const Timing& first = shares.front().gpu.timing;
    for (std::size_t rank = 1; rank < shares.size(); ++rank)
        if (const Timing& its = shares[rank].gpu.timing; its != first)
            return {TimingSource::Events,
                    sentence("rank {0}: {1}; rank 0: {2}", rank, wordsOf(its), wordsOf(first))};
    return first;
}

}  // namespace

TraceAssembler::TraceAssembler(const Plan& plan, const Calibration& calibration, Provenance provenance,
                               RunObserver& observer)
    : plan_(plan),
      observer_(observer),
      board_(observer, plan.ranks()),
      recorders_(recordersOf(plan, observer, board_)),
      placement_(plan, calibration, provenance, recorders_) {}

void TraceAssembler::begin(const HostToDevice& times) {
    board_.begin(times.start_ns);
    placement_.begin(times);
}

void TraceAssembler::write(int iteration, const HostToDevice& times, std::span<Share> shares,
                           std::int64_t run_ns) {
    const bool traced = isTraced(plan_.config, iteration);
    tracing_cost_.add(traced, run_ns);
    if (traced) {
        begin(times);
        place(iteration, shares);
        return;
    }
    addFacts(shares);
    timing_ = untraced();
    for (Share& share : shares) share.end_ns = times.start_ns + run_ns;
}

void TraceAssembler::place(int iteration, std::span<Share> shares) {
    addFacts(shares);
    timing_ = timingOf(shares);
    GpuSpans spans;
    for (Share& share : shares)
        for (WorkSpan& span : share.gpu.spans) spans.add(std::move(span));
    const std::vector<GpuFacts> facts = placement_.place(iteration, shares, spans);
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        dropped_ += static_cast<std::uint64_t>(facts[rank].lost_actions);
        if (!facts[rank].kernels.empty()) observer_.kernels(static_cast<int>(rank), facts[rank].kernels);
    }
    for (Share& share : shares)
        for (WorkSpan& span : share.gpu.later) placement_.later().add(std::move(span));
    for (const auto& [of, kernels] : placement_.later().take(iteration)) observer_.kernels(of.first, kernels);
}

void TraceAssembler::addFacts(std::span<Share> shares) {
    dropped_ = 0;
    for (Share& share : shares) {
        share.buffer_bytes += share.gpu.link_bytes;
        share.driver_bytes = share.gpu.driver_bytes;
        dropped_ += share.gpu.dropped;
    }
}

void TraceAssembler::complete(IterationReport& report) const {
    report.timing = timing_;
    report.tracing_cost = tracing_cost_.value();
    report.dropped_events += dropped_;
}

}  // namespace bscope
