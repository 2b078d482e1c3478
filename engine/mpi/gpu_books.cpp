#include "mpi/gpu_books.h"

#include <utility>

namespace bscope {

namespace {

std::vector<std::unique_ptr<Recorder>> recordersOf(const Plan& plan, RunObserver& observer,
                                                   WatermarkBoard& board) {
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (int rank = 0; rank < plan.ranks(); ++rank)
        recorders.push_back(std::make_unique<Recorder>(observer, board, rank, plan.forwardOnly()));
    return recorders;
}

// Of the first rank that is not traced by CUPTI, if there is one.
std::string timingOf(std::span<const GpuTold> told) {
    for (std::size_t rank = 1; rank < told.size(); ++rank)
        if (told[rank].timing != told[0].timing)
            return "rank " + std::to_string(rank) + ": " + told[rank].timing + "; rank 0: " + told[0].timing;
    return told[0].timing;
}

}  // namespace

GpuBooks::GpuBooks(const Plan& plan, const Calibration& calibration, RunObserver& observer,
                   const GpuClock& clock)
    : plan_(plan),
      observer_(observer),
      clock_(clock),
      board_(nobody_, plan.ranks()),
      recorders_(recordersOf(plan, nobody_, board_)),
      placement_(plan, calibration, clock, recorders_) {}

void GpuBooks::write(int iteration, std::span<Share> shares, std::span<GpuTold> told, std::int64_t run_ns) {
    const bool traced = isTraced(plan_.config, iteration);
    tracing_cost_.add(traced, run_ns);
    dropped_ = 0;
    timing_ = traced ? timingOf(told) : untracedText();
    GpuSpans spans;
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
        shares[rank].buffer_bytes += told[rank].link_bytes;
        shares[rank].driver_bytes = told[rank].driver_bytes;
        dropped_ += told[rank].dropped;
        for (ActionSpan& span : told[rank].spans) spans.add(std::move(span));
    }
    if (!traced) {
        for (Share& share : shares) share.end_ns = clock_.start_ns() + run_ns;
        return;
    }
    board_.begin(clock_.start_ns());
    placement_.begin();
    const std::vector<GpuFacts> facts = placement_.place(iteration, shares, spans);
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        dropped_ += static_cast<std::uint64_t>(facts[rank].lost_actions);
        if (!facts[rank].kernels.empty()) observer_.kernels(static_cast<int>(rank), facts[rank].kernels);
    }
}

void GpuBooks::complete(IterationReport& report) const {
    report.timing = timing_;
    report.tracing_cost = tracing_cost_.value();
    report.dropped_events += dropped_;
}

}  // namespace bscope
