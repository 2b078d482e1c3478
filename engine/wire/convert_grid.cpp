// The grid of an imported run's replicas, between the stream's message and the plain type.
#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope {
namespace {

wire::StragglerShare shareToWire(const StragglerShare& share) {
    wire::StragglerShare out;
    out.set_replica(share.replica);
    out.set_index(share.index);
    out.set_share(share.share);
    return out;
}

// The places of a worker's replica and rank, or of a stage.
StragglerShare shareFromWire(const wire::StragglerShare& share, int replicas, int indices) {
    return {inRange("replica", share.replica(), -1, replicas - 1),
            inRange("index", share.index(), 0, indices - 1), checkedAmountOrNaN(share.share())};
}

wire::Stragglers stragglersToWire(const Stragglers& found) {
    wire::Stragglers out;
    out.set_iterations(found.iterations);
    out.set_actual_ns(found.actual_ns);
    out.set_ideal_ns(found.ideal_ns);
    out.set_slowest_workers(found.slowest_workers);
    if (found.worker) *out.mutable_worker() = shareToWire(*found.worker);
    if (found.stage.index >= 0) *out.mutable_stage() = shareToWire(found.stage);
    out.set_even_stage_share(found.even_stage_share);
    out.set_last_stage_share(found.last_stage_share);
    out.set_lengths_share(found.lengths_share);
    out.set_forward_backward_correlation(found.forward_backward_correlation);
    out.set_rank_correlation(found.rank_correlation);
    for (const double slowdown : found.worker_slowdowns) out.add_worker_slowdowns(slowdown);
    for (const StragglerKind cause : found.causes) out.add_causes(static_cast<std::uint32_t>(cause));
    return out;
}

Stragglers stragglersFromWire(const wire::Stragglers& message, const ReplicaGrid& grid) {
    Stragglers out;
    out.iterations = inRange("number of iterations", message.iterations(), 0, kLastIteration);
    out.actual_ns = checkedAmount(message.actual_ns());
    out.ideal_ns = checkedAmount(message.ideal_ns());
    const int workers = grid.replicas() * grid.ranks;
    out.slowest_workers = inRange("number of workers", message.slowest_workers(), 0, workers);
    if (message.has_worker()) {
        out.worker = shareFromWire(message.worker(), grid.replicas(), grid.ranks);
        inRange("replica", out.worker->replica, 0, grid.replicas() - 1);
    }
    if (message.has_stage()) out.stage = shareFromWire(message.stage(), grid.replicas(), grid.stages);
    out.even_stage_share = checkedAmountOrNaN(message.even_stage_share());
    out.last_stage_share = checkedAmountOrNaN(message.last_stage_share());
    out.lengths_share = checkedAmountOrNaN(message.lengths_share());
    out.forward_backward_correlation = checkedAmountOrNaN(message.forward_backward_correlation());
    out.rank_correlation = checkedAmountOrNaN(message.rank_correlation());
    if (!message.worker_slowdowns().empty())
        inRange("number of workers", message.worker_slowdowns_size(), workers, workers);
    for (const double slowdown : message.worker_slowdowns())
        out.worker_slowdowns.push_back(checkedAmount(slowdown));
    for (const std::uint32_t cause : message.causes()) {
        const auto kind = static_cast<StragglerKind>(
            inRange("cause", cause, 0u, static_cast<std::uint32_t>(StragglerKind::Lengths)));
        // A cause names what it is about.
        const bool has_place = kind == StragglerKind::Worker  ? out.worker.has_value()
                               : kind == StragglerKind::Stage ? out.stage.index >= 0
                                                              : true;
        inRange("cause", has_place ? 1 : 0, 1, 1);
        out.causes.push_back(kind);
    }
    return out;
}

}  // namespace

wire::ReplicaGrid toWire(const ReplicaGrid& grid) {
    wire::ReplicaGrid out;
    out.set_stages(grid.stages);
    out.set_ranks(grid.ranks);
    out.set_shown(grid.shown);
    for (const int number : grid.numbers) out.add_numbers(number);
    for (const ReplicaCell& cell : grid.cells) {
        out.add_forward_ns(cell.forward_ns);
        out.add_backward_ns(cell.backward_ns);
        out.add_beside_peers(cell.beside_peers);
    }
    if (grid.stragglers) *out.mutable_stragglers() = stragglersToWire(*grid.stragglers);
    return out;
}

ReplicaGrid fromWire(const wire::ReplicaGrid& message) {
    constexpr int most_numbers = 1 << 30;
    ReplicaGrid out;
    out.stages = inRange("number of stages", message.stages(), 1, kMostStages);
    out.ranks = inRange("number of ranks", message.ranks(), 1, kMaxRanks);
    const int replicas = inRange("number of replicas", message.numbers_size(), 1, kMaxRanks * kMaxRanks);
    for (const int number : message.numbers())
        out.numbers.push_back(inRange("replica", number, 0, most_numbers));
    out.shown = inRange("replica", message.shown(), 0, replicas - 1);
    const std::int64_t cells = std::int64_t{replicas} * out.stages;
    for (const int count :
         {message.forward_ns_size(), message.backward_ns_size(), message.beside_peers_size()})
        inRange<std::int64_t>("number of cells", count, cells, cells);
    for (int at = 0; at < message.forward_ns_size(); ++at)
        out.cells.push_back({checkedAmount(message.forward_ns(at)), checkedAmount(message.backward_ns(at)),
                             checkedAmountOrNaN(message.beside_peers(at))});
    if (message.has_stragglers()) out.stragglers = stragglersFromWire(message.stragglers(), out);
    return out;
}

}  // namespace bscope
