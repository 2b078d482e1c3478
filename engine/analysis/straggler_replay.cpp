#include "analysis/straggler_replay.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "timeline/iteration_events.h"

namespace bscope {
namespace {

constexpr Op kKindsPlayed[] = {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight,
                               Op::Recompute};

std::vector<int> sharedIterations(std::span<const ReplicaRun> runs) {
    std::vector<int> shared = runs.front().iterations;
    for (const ReplicaRun& run : runs) {
        std::vector<int> both;
        std::ranges::set_intersection(shared, run.iterations, std::back_inserter(both));
        shared = std::move(both);
    }
    return shared;
}

// Operations that are played in a few seconds, and in less than a minute.
constexpr double kUsualOperations = 3e7, kMostOperations = 2e8;

}  // namespace

StragglerReplay::StragglerReplay(std::span<const ReplicaRun> runs, int replays)
    : stages_(runs.front().schedule->stageCount()),
      pieces_(runs.front().schedule->params.m * runs.front().schedule->params.segments),
      placement_(runs.front().schedule->placement),
      iterations_(sharedIterations(runs)) {
    const double each = 2.0 * stages_ * pieces_ * static_cast<double>(runs.size()) * replays;
    if (each > kMostOperations) throw std::invalid_argument("these replicas are too large to be played");
    const auto most = static_cast<std::size_t>(std::max(1.0, kUsualOperations / each));
    if (iterations_.size() > most)
        iterations_.erase(iterations_.begin(), iterations_.end() - static_cast<std::ptrdiff_t>(most));
    for (const ReplicaRun& run : runs) programs_.push_back(lower(*run.schedule, run.recompute));
    for (const int iteration : iterations_)
        for (const ReplicaRun& run : runs) {
            SingleDurations& of = taken_.emplace_back(stages_, pieces_);
            for (int rank = 0; rank < run.timeline->ranks(); ++rank)
                for (const Event& event : ofIteration(run.timeline->compute(rank), iteration))
                    if (isCompute(event.op))
                        of.at(event.stage, event.op, run.schedule->params.pieceOf(event.action())) =
                            event.duration_ns();
        }
    for (const Op op : kKindsPlayed) {
        double sum = 0;
        for (const SingleDurations& of : taken_)
            for (int stage = 0; stage < stages_; ++stage)
                for (int i = 0; i < pieces_; ++i) sum += static_cast<double>(of.at(stage, op, i));
        const double count = static_cast<double>(taken_.size()) * stages_ * pieces_;
        means_[op] = count > 0 ? std::llround(sum / count) : 0;
    }
}

template <class Duration>
std::vector<std::int64_t> StragglerReplay::lengths(const Duration& duration) const {
    std::vector<std::int64_t> found;
    SingleDurations durations(stages_, pieces_);
    for (int i = 0; i < iterations(); ++i)
        for (int replica = 0; replica < replicas(); ++replica) {
            for (int stage = 0; stage < stages_; ++stage)
                for (const Op op : kKindsPlayed)
                    for (int piece = 0; piece < pieces_; ++piece)
                        durations.at(stage, op, piece) = duration(i, replica, stage, op, piece);
            found.push_back(predictLength(programs_[static_cast<std::size_t>(replica)], durations));
        }
    return found;
}

template <class Duration>
double StragglerReplay::played(const Duration& duration) const {
    const std::vector<std::int64_t> found = lengths(duration);
    double sum = 0;
    for (auto first = found.begin(); first != found.end(); first += replicas())
        sum += static_cast<double>(*std::max_element(first, first + replicas()));
    return iterations() > 0 ? sum / iterations() : 0;
}

std::vector<double> StragglerReplay::oneMeasured_ns() const {
    const auto measured = lengths([this](int i, int replica, int stage, Op op, int piece) {
        return taken(i, replica).at(stage, op, piece);
    });
    const auto ideal = lengths([this](int, int, int, Op op, int) { return means_.at(op); });
    std::vector<double> alone(static_cast<std::size_t>(replicas()));
    for (std::size_t replica = 0; replica < alone.size(); ++replica)
        for (std::size_t first = 0; first < measured.size(); first += alone.size()) {
            std::int64_t longest = measured[first + replica];
            for (std::size_t other = 0; other < alone.size(); ++other)
                if (other != replica) longest = std::max(longest, ideal[first + other]);
            alone[replica] += static_cast<double>(longest) / iterations();
        }
    return alone;
}

double StragglerReplay::stageMean_ns(int stage) const {
    double sum = 0;
    for (const SingleDurations& of : taken_)
        for (const Op op : kKindsPlayed)
            for (int at = 0; at < pieces_; ++at) sum += static_cast<double>(of.at(stage, op, at));
    return sum / (static_cast<double>(taken_.size()) * pieces_);
}

double StragglerReplay::mean_ns(const IsMeasured& isMeasured) const {
    std::vector<char> measured;
    for (int replica = 0; replica < replicas(); ++replica)
        for (int stage = 0; stage < stages_; ++stage) measured.push_back(isMeasured(replica, stage));
    return played([&](int i, int replica, int stage, Op op, int piece) {
        return measured[static_cast<std::size_t>(replica * stages_ + stage)]
                   ? taken(i, replica).at(stage, op, piece)
                   : means_.at(op);
    });
}

double StragglerReplay::equalMicrobatches_ns() const {
    std::vector<SingleDurations> means(static_cast<std::size_t>(replicas()), {stages_, 1});
    for (int replica = 0; replica < replicas(); ++replica)
        for (int stage = 0; stage < stages_; ++stage)
            for (const Op op : kKindsPlayed) {
                double sum = 0;
                for (int i = 0; i < iterations(); ++i)
                    for (int at = 0; at < pieces_; ++at)
                        sum += static_cast<double>(taken(i, replica).at(stage, op, at));
                means[static_cast<std::size_t>(replica)].at(stage, op, 0) =
                    std::llround(sum / (static_cast<double>(iterations()) * pieces_));
            }
    return played([&](int, int replica, int stage, Op op, int) {
        return means[static_cast<std::size_t>(replica)].at(stage, op, 0);
    });
}

double StragglerReplay::evenStage_ns(int stage) const {
    std::map<Op, double> factors;
    for (const Op op : kKindsPlayed) {
        double sum = 0;
        for (const SingleDurations& of : taken_)
            for (int at = 0; at < pieces_; ++at) sum += static_cast<double>(of.at(stage, op, at));
        const double mean = sum / (static_cast<double>(taken_.size()) * pieces_);
        factors[op] = mean > 0 ? static_cast<double>(means_.at(op)) / mean : 1;
    }
    return played([&](int i, int replica, int of, Op op, int piece) {
        const std::int64_t ns = taken(i, replica).at(of, op, piece);
        return of == stage ? std::llround(static_cast<double>(ns) * factors.at(op)) : ns;
    });
}

}  // namespace bscope
