#include "gpu/gpu_books.h"

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
std::string timingOf(std::span<const Share> shares) {
    const std::string& first = shares.front().told.timing;
    for (std::size_t rank = 1; rank < shares.size(); ++rank)
        if (const std::string& its = shares[rank].told.timing; its != first)
            return "rank " + std::to_string(rank) + ": " + its + "; rank 0: " + first;
    return first;
}

}  // namespace

GpuBooks::GpuBooks(const Plan& plan, const Calibration& calibration, RunObserver& observer,
                   const GpuClock& clock)
    : plan_(plan),
      observer_(observer),
      clock_(clock),
      board_(observer, plan.ranks()),
      recorders_(recordersOf(plan, observer, board_)),
      placement_(plan, calibration, clock, recorders_) {}

void GpuBooks::begin() {
    board_.begin(clock_.start_ns());
    placement_.begin();
}

void GpuBooks::write(int iteration, std::span<Share> shares, std::int64_t run_ns) {
    const bool traced = isTraced(plan_.config, iteration);
    tracing_cost_.add(traced, run_ns);
    if (traced) {
        begin();
        place(iteration, shares);
        return;
    }
    addFacts(shares);
    timing_ = untracedText();
    for (Share& share : shares) share.end_ns = clock_.start_ns() + run_ns;
}

void GpuBooks::place(int iteration, std::span<Share> shares) {
    addFacts(shares);
    timing_ = timingOf(shares);
    GpuSpans spans;
    for (Share& share : shares)
        for (ActionSpan& span : share.told.spans) spans.add(std::move(span));
    const std::vector<GpuFacts> facts = placement_.place(iteration, shares, spans);
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        dropped_ += static_cast<std::uint64_t>(facts[rank].lost_actions);
        if (!facts[rank].kernels.empty()) observer_.kernels(static_cast<int>(rank), facts[rank].kernels);
    }
    for (Share& share : shares)
        for (ActionSpan& span : share.told.later) placement_.later().add(std::move(span));
    for (const auto& [of, kernels] : placement_.later().take(iteration)) observer_.kernels(of.first, kernels);
}

void GpuBooks::addFacts(std::span<Share> shares) {
    dropped_ = 0;
    for (Share& share : shares) {
        share.buffer_bytes += share.told.link_bytes;
        share.driver_bytes = share.told.driver_bytes;
        dropped_ += share.told.dropped;
    }
}

void GpuBooks::complete(IterationReport& report) const {
    report.timing = timing_;
    report.tracing_cost = tracing_cost_.value();
    report.dropped_events += dropped_;
}

}  // namespace bscope
