#include "analysis/stragglers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/straggler_replay.h"
#include "timeline/median.h"

namespace bscope {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::int64_t backward_ns(const StragglerReplay& replay, int i, int replica, int stage, int piece) {
    return replay.taken_ns(i, replica, stage, Op::Backward, piece) +
           replay.taken_ns(i, replica, stage, Op::BackwardInput, piece) +
           replay.taken_ns(i, replica, stage, Op::BackwardWeight, piece);
}

// Pearson's correlation of pairs; NaN where one of both does not vary.
class Correlation {
public:
    void add(double x, double y) {
        ++count_;
        x_ += x, y_ += y;
        xx_ += x * x, yy_ += y * y, xy_ += x * y;
    }
    double value() const {
        if (count_ < 3) return kNoNumber;
        const double vx = xx_ - x_ * x_ / count_, vy = yy_ - y_ * y_ / count_;
        // Durations that differ by less than a thousandth do not vary.
        constexpr double least = 1e-6;
        if (vx <= least * count_ || vy <= least * count_) return kNoNumber;
        return std::clamp((xy_ - x_ * y_ / count_) / std::sqrt(vx * vy), -1.0, 1.0);
    }

private:
    double count_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

// What a rank did for a micro-batch of an iteration, over its mean of that kind, minus 1.
struct Deviations {
    std::vector<double> forward, backward;  // (iterations, micro-batches)
};
Deviations deviationsOf(const StragglerReplay& replay, int replica, int rank) {
    Deviations of;
    for (int i = 0; i < replay.iterations(); ++i)
        for (int piece = 0; piece < replay.pieces(); ++piece) {
            double forward = 0, backward = 0;
            for (int stage = 0; stage < replay.stages(); ++stage) {
                if (replay.rank(stage) != rank) continue;
                forward += static_cast<double>(replay.taken_ns(i, replica, stage, Op::Forward, piece));
                backward += static_cast<double>(backward_ns(replay, i, replica, stage, piece));
            }
            of.forward.push_back(forward);
            of.backward.push_back(backward);
        }
    const auto relative = [](std::vector<double>& values) {
        double mean = 0;
        for (const double value : values) mean += value / static_cast<double>(values.size());
        for (double& value : values) value = mean > 0 ? value / mean - 1 : 0;
    };
    relative(of.forward);
    relative(of.backward);
    return of;
}

// Workers and stages differ by what they take in the mean; what is left is of the micro-batches.
void correlate(const StragglerReplay& replay, int ranks, Stragglers& found) {
    Correlation both_passes, among_ranks;
    for (int replica = 0; replica < replay.replicas(); ++replica) {
        std::vector<Deviations> of_ranks;
        for (int rank = 0; rank < ranks; ++rank) of_ranks.push_back(deviationsOf(replay, replica, rank));
        for (std::size_t at = 0; at < of_ranks.front().forward.size(); ++at) {
            double all = 0;
            for (const Deviations& of : of_ranks) {
                both_passes.add(of.forward[at], of.backward[at]);
                all += of.forward[at];
            }
            for (const Deviations& of : of_ranks)
                if (ranks > 1) among_ranks.add(of.forward[at], (all - of.forward[at]) / (ranks - 1));
        }
    }
    found.forward_backward_correlation = both_passes.value();
    found.rank_correlation = among_ranks.value();
}

void findWorker(const StragglerReplay& replay, int ranks, Stragglers& found) {
    const std::vector<double> by_replica = replay.oneMeasured_ns();
    std::vector<double> by_rank;
    for (int rank = 0; rank < ranks; ++rank)
        by_rank.push_back(replay.mean_ns([&](int, int stage) { return replay.rank(stage) == rank; }));
    std::vector<std::pair<double, int>> order;  // slowest first, of equal ones the first
    for (int worker = 0; worker < replay.replicas() * ranks; ++worker) {
        const double slowdown = std::min(by_replica[static_cast<std::size_t>(worker / ranks)],
                                         by_rank[static_cast<std::size_t>(worker % ranks)]) /
                                found.ideal_ns;
        found.worker_slowdowns.push_back(slowdown);
        order.emplace_back(-slowdown, worker);
    }
    std::ranges::sort(order);
    constexpr int percent = 3;
    found.slowest_workers = (static_cast<int>(order.size()) * percent + 99) / 100;
    std::vector<char> slowest(order.size());
    for (int at = 0; at < found.slowest_workers; ++at)
        slowest[static_cast<std::size_t>(order[static_cast<std::size_t>(at)].second)] = 1;
    const double without = replay.mean_ns([&](int replica, int stage) {
        return !slowest[static_cast<std::size_t>(replica * ranks + replay.rank(stage))];
    });
    const int first = order.front().second;
    if (replay.replicas() > 1)
        found.worker = {first / ranks, first % ranks,
                        (found.actual_ns - without) / (found.actual_ns - found.ideal_ns)};
}

void findCauses(const StragglerReplay& replay, Stragglers& found) {
    std::vector<std::pair<double, StragglerKind>> causes;
    const bool is_worker = found.worker && found.worker->share >= kLeastShare;
    if (is_worker) causes.emplace_back(found.worker->share, StragglerKind::Worker);
    // A stage that is heavy in one replica alone is the worker that runs it.
    const bool same = is_worker && replay.rank(found.stage.index) == found.worker->index;
    if (found.stage.share >= kLeastShare && !same)
        causes.emplace_back(found.even_stage_share, StragglerKind::Stage);
    const bool alike = std::isnan(found.rank_correlation) || found.rank_correlation >= kLeastShare;
    if (found.forward_backward_correlation >= kLengthsCorrelation && alike && !is_worker &&
        found.lengths_share > 0)
        causes.emplace_back(found.lengths_share, StragglerKind::Lengths);
    std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [share, kind] : causes) found.causes.push_back(kind);
}

// Those that can be the heaviest, by what they take in the mean, and the last one; ascending.
constexpr int kStagesPlayed = 8;
std::vector<int> heavyStages(const StragglerReplay& replay) {
    std::vector<std::pair<double, int>> order;
    for (int stage = 0; stage < replay.stages(); ++stage)
        order.emplace_back(-replay.stageMean_ns(stage), stage);
    std::ranges::sort(order);
    std::vector<int> stages;
    for (const auto& [mean, stage] : order)
        if (static_cast<int>(stages.size()) < kStagesPlayed || stage == replay.stages() - 1)
            stages.push_back(stage);
    std::ranges::sort(stages);
    return stages;
}

std::optional<Stragglers> stragglersOf(std::span<const ReplicaRun> runs) {
    const Schedule& schedule = *runs.front().schedule;
    const int ranks = schedule.params.p, stages = schedule.stageCount();
    try {
        const StragglerReplay replay(runs, 7 + std::min(stages, kStagesPlayed + 1) + ranks);
        if (replay.iterations() == 0) return std::nullopt;
        Stragglers found;
        found.iterations = replay.iterations();
        found.actual_ns = replay.mean_ns([](int, int) { return true; });
        found.ideal_ns = replay.mean_ns([](int, int) { return false; });
        if (!(found.ideal_ns > 0)) return std::nullopt;
        correlate(replay, ranks, found);
        if (found.slowdown() <= 1) return found;
        findWorker(replay, ranks, found);
        const double slowdown_ns = found.actual_ns - found.ideal_ns;
        const auto share = [&](double without_ns) { return (found.actual_ns - without_ns) / slowdown_ns; };
        for (const int stage : heavyStages(replay)) {
            const double of = share(replay.mean_ns([stage](int, int other) { return other != stage; }));
            if (found.stage.index < 0 || of > found.stage.share) found.stage = {-1, stage, of};
            if (stage == stages - 1) found.last_stage_share = of;
        }
        found.even_stage_share = share(replay.evenStage_ns(found.stage.index));
        found.lengths_share = share(replay.equalMicrobatches_ns());
        if (found.slowdown() >= kLeastSlowdown) findCauses(replay, found);
        return found;
    } catch (const std::invalid_argument&) {
        return std::nullopt;  // too large, or an order that contradicts itself, as the run's notes say
    }
}

ReplicaCell cellOf(const ReplicaRun& run, int stage) {
    std::map<Op, std::vector<std::int64_t>> taken;
    const int rank = run.schedule->placement[static_cast<std::size_t>(stage)];
    for (const Event& event : run.timeline->compute(rank))
        if (event.stage == stage && std::ranges::binary_search(run.iterations, event.iteration))
            taken[event.op].push_back(event.duration_ns());
    ReplicaCell cell;
    for (auto& [op, values] : taken) {
        if (op == Op::Forward)
            cell.forward_ns = median(std::move(values));
        else if (op == Op::Backward || op == Op::BackwardInput || op == Op::BackwardWeight)
            cell.backward_ns += median(std::move(values));
    }
    return cell;
}

}  // namespace

ReplicaGrid replicaGrid(std::span<const ReplicaRun> runs, int shown) {
    ReplicaGrid grid;
    grid.stages = runs.front().schedule->stageCount();
    grid.ranks = runs.front().schedule->params.p;
    grid.shown = shown;
    for (const ReplicaRun& run : runs) {
        grid.numbers.push_back(run.number);
        for (int stage = 0; stage < grid.stages; ++stage) grid.cells.push_back(cellOf(run, stage));
    }
    for (int stage = 0; stage < grid.stages; ++stage)
        for (int replica = 0; replica < grid.replicas() && grid.replicas() > 1; ++replica) {
            std::vector<double> peers;
            for (int other = 0; other < grid.replicas(); ++other)
                if (other != replica) peers.push_back(grid.cell(other, stage).sum_ns());
            const double usual = median(std::move(peers));
            if (usual > 0)
                grid.cells[static_cast<std::size_t>(replica * grid.stages + stage)].beside_peers =
                    grid.cell(replica, stage).sum_ns() / usual;
        }
    grid.stragglers = stragglersOf(runs);
    return grid;
}

}  // namespace bscope
