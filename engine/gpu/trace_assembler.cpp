#include "gpu/trace_assembler.h"

#include <utility>

namespace bscope {

namespace {

std::vector<std::unique_ptr<Recorder>> recordersOf(const Plan& plan) {
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (int rank = 0; rank < plan.ranks(); ++rank)
        recorders.push_back(std::make_unique<Recorder>(rank, plan.forward_only));
    return recorders;
}

// Where ranks differ, only what CUDA events give is known of all.
Timing timingOf(std::span<const RankIteration> shares) {
    const Timing& first = shares.front().gpu.timing;
    for (std::size_t rank = 1; rank < shares.size(); ++rank)
        if (const Timing& its = shares[rank].gpu.timing; its != first)
            return {TimingSource::Events,
                    sentence("rank {0}: {1}; rank 0: {2}", rank, wordsOf(its), wordsOf(first))};
    return first;
}

}  // namespace

TraceAssembler::TraceAssembler(const Plan& plan, Provenance provenance)
    : plan_(plan), recorders_(recordersOf(plan)), placement_(plan, calibration_, provenance, recorders_) {}

void TraceAssembler::begin(const HostToDevice& times) {
    placement_.begin(times);
}

void TraceAssembler::complete(int iteration, const HostToDevice& times, std::int64_t run_ns,
                              std::span<RankIteration> shares) {
    if (plan_.stream)
        place(iteration, shares);
    else
        write(iteration, times, run_ns, shares);
    for (const RankIteration& share : shares) calibration_.add(share.samples);
    calibration_.endIteration();
}

void TraceAssembler::write(int iteration, const HostToDevice& times, std::int64_t run_ns,
                           std::span<RankIteration> shares) {
    const bool traced = isTraced(plan_.config, iteration);
    tracing_cost_.add(traced, run_ns);
    if (traced) {
        begin(times);
        place(iteration, shares);
        return;
    }
    addFacts(shares);
    timing_ = untraced();
    for (RankIteration& share : shares) share.end_ns = times.start_ns + run_ns;
}

void TraceAssembler::place(int iteration, std::span<RankIteration> shares) {
    addFacts(shares);
    timing_ = timingOf(shares);
    GpuSpans spans;
    for (RankIteration& share : shares)
        for (WorkSpan& span : share.gpu.spans) spans.add(std::move(span));
    std::vector<GpuFacts> facts = placement_.place(iteration, shares, spans);
    for (std::size_t rank = 0; rank < facts.size(); ++rank) {
        lost_records_ += static_cast<std::uint64_t>(facts[rank].lost_actions);
        shares[rank].kernels = std::move(facts[rank].kernels);
    }
    for (RankIteration& share : shares)
        for (WorkSpan& span : share.gpu.later) placement_.later().add(std::move(span));
    for (const auto& [of, kernels] : placement_.later().take(iteration)) {
        auto& all = shares[static_cast<std::size_t>(of.first)].kernels;
        all.insert(all.end(), kernels.begin(), kernels.end());
    }
}

void TraceAssembler::addFacts(std::span<RankIteration> shares) {
    lost_records_ = 0;
    for (RankIteration& share : shares) {
        share.buffer_bytes += share.gpu.link_bytes;
        share.driver_bytes = share.gpu.driver_bytes;
        lost_records_ += share.gpu.dropped;
    }
}

}  // namespace bscope
