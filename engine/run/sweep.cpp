#include "run/sweep.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "plan/plan_memory.h"
#include "run/iteration_report.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "report/sweep_ranking.h"
#include "words/number_text.h"
#include "workers/hardware.h"

namespace bscope {

namespace {

// The greatest divisor below and the least above m.
std::vector<long> divisorsNear(int batch, int m) {
    std::vector<long> found;
    for (int below = std::min(m, batch); below >= 1 && found.empty(); --below)
        if (batch % below == 0) found.push_back(below);
    for (int above = std::max(m, 1); above <= batch; ++above)
        if (batch % above == 0) {
            found.push_back(above);
            break;
        }
    return found;
}

// Cuts the samples of an iteration into m micro-batches for each replica; a problem when that is impossible.
std::optional<Problem> cutBatch(int samples, RunConfig& config) {
    const int m = config.params.m, d = std::max(1, config.params.d), of_replica = samples / d;
    if (samples % d != 0)
        return Problem("d", "{0} samples cannot be divided over d = {1} equal replicas",
                       {std::to_string(samples), std::to_string(d)}, divisorsNear(samples, d));
    if (m < 1 || of_replica % m != 0)
        return Problem("m", "{0} samples cannot be divided into m = {1} equal micro-batches",
                       {std::to_string(of_replica), std::to_string(m)}, divisorsNear(of_replica, m));
    config.micro_batch = of_replica / m;
    return std::nullopt;
}

// The configuration of one point; the problems are those of the point.
RunConfig pointConfig(const SweepRequest& request, SweepPoint& point) {
    auto [config, problem] = swept(request.config, request.axis, std::max(1, point.value));
    if (request.axis == SweepAxis::Microbatches) config.params.m = point.value;  // also one that is none
    if (!problem && request.fixed_batch > 0) problem = cutBatch(request.fixed_batch, config);
    point.m = config.params.m;
    point.micro_batch = problem ? 0 : config.micro_batch;
    point.setting = settingText(request.axis, config);
    if (problem) {
        point.setting = std::string(toText(request.axis)) + " = " + std::to_string(point.value);
        point.problems.push_back(*problem);
    } else {
        point.problems = problems(config);
    }
    return config;
}

void predictPoint(const SweepRequest& request, const Plan& plan, SweepPoint& point) {
    if (!request.costs_of) return;
    std::optional<Costs> costs = request.costs_of(plan.config);
    if (!costs || costs->stages.size() != static_cast<std::size_t>(plan.stages())) return;
    for (std::size_t s = 0; s < costs->stages.size(); ++s)  // bytes are counted
        costs->stages[s].setChunk(chunkBytes(plan.activations[s]));
    const IterationSummary summary = predictedIteration(plan, *costs);
    const double tokens = static_cast<double>(plan.config.samples()) * plan.config.model.sequence;
    point.predicted_bubble_of_total = summary.bubble_of_total;
    point.predicted_tokens_per_s = tokens / (static_cast<double>(summary.iteration_ns) / 1e9);
}

class Sweep {
public:
    Sweep(const SweepRequest& request, const std::function<void(const SweepState&)>& progress,
          Cancellation& cancel, Launcher* launcher)
        : request_(request), progress_(progress), cancel_(cancel), launcher_(launcher) {}

    SweepState run() {
        std::set<int> seen;
        state_.axis = request_.axis;
        for (const int value : request_.values)
            if (seen.insert(value).second) prepare(value);
        progress_(state_);
        for (std::size_t i = 0; i < state_.points.size() && !cancel_; ++i)
            if (const SweepPoint& point = state_.points[i]; point.problems.empty() && !point.over_cap)
                measure(i);
        state_.cancelled = static_cast<bool>(cancel_);
        state_.finished = !state_.cancelled;
        judge(state_);
        progress_(state_);
        return state_;
    }

private:
    void prepare(int value) {
        SweepPoint point;
        point.value = value;
        point.iterations = request_.iterations;
        RunConfig config = pointConfig(request_, point);
        config = hardware_.decided(config);
        config.trace_cost = 0;  // every iteration counts
        if (point.problems.empty()) {
            const Plan plan = makePlan(config);
            const std::vector<std::int64_t> peaks = predictedPeakBytes(plan);
            point.predicted_peak_bytes = *std::max_element(peaks.begin(), peaks.end());
            predictPoint(request_, plan, point);
            if (const auto too_much = memoryCapProblem(plan)) {
                point.over_cap = true;
                point.problems.push_back(*too_much);
            }
        }
        configs_.push_back(config);
        state_.points.push_back(std::move(point));
    }

    void measure(std::size_t index) {
        SweepPoint& point = state_.points[index];
        if (!run_)
            run_ = std::make_unique<Run>(configs_[index], no_observer_, launcher_);
        else
            run_->configure(configs_[index]);
        std::vector<IterationReport> reports;
        const Cancellation::Working working(cancel_, *run_);
        while (static_cast<int>(reports.size()) < point.iterations && !cancel_) {
            try {
                reports.push_back(run_->iterate(point.iterations - point.iterations_done - 1));
            } catch (const RunFailure& failure) {
                if (cancel_ && failure.rank < 0) return;  // as was asked for
                throw;
            }
            std::sort(reports.begin(), reports.end(),
                      [](const auto& a, const auto& b) { return a.tokens_per_s < b.tokens_per_s; });
            ++point.iterations_done;
            point.median = reports[reports.size() / 2];
            point.tokens_per_s_min = reports.front().tokens_per_s;
            point.tokens_per_s_max = reports.back().tokens_per_s;
            judge(state_);
            progress_(state_);
        }
    }

    const Hardware hardware_;
    const SweepRequest& request_;
    const std::function<void(const SweepState&)>& progress_;
    Cancellation& cancel_;
    Launcher* const launcher_;
    SweepState state_;
    std::vector<RunConfig> configs_;  // (points,)
    RunObserver no_observer_;
    std::unique_ptr<Run> run_;
};

std::string megabytes(const SweepPoint& point) {
    return megabytesText(static_cast<double>(peakBytes(point)));
}

std::string rate(const SweepPoint& point) {
    return fixedText(point.median->tokens_per_s, 0);
}

// Why the runner-up loses against the best, behind what is said of that.
Sentence comparison(const Sentence& said, const SweepPoint& best, const SweepPoint& second,
                    const SweepRanking& standing) {
    const NoiseVerdict& closest = standing.closest;
    if (closest.kind == NoiseVerdict::Kind::Unknown)
        return sentence("{0}; {1} reaches {2} tokens/s; with one iteration each, the noise is unknown.", said,
                        second.setting, rate(second));
    if (closest.isNoise() && !holdsLess(best, second))
        return sentence("{0}; {1}: {2} ({3} tokens/s).", said, second.setting, noDifferenceWords(closest),
                        rate(second));
    if (closest.isNoise())
        return sentence("{0}; {1}: {2} ({3} tokens/s), but it holds {4} MB instead of {5} MB.", said,
                        second.setting, noDifferenceWords(closest), rate(second), megabytes(second),
                        megabytes(best));
    const std::string slower = percentNumber(1 - second.median->tokens_per_s / best.median->tokens_per_s);
    const std::string bubble = percentNumber(second.median->bubble_of_total);
    const std::string of_best = percentNumber(best.median->bubble_of_total);
    if (bubble == of_best)
        return sentence("{0}; {1} is {2} % slower with the same bubble of {3} %.", said, second.setting,
                        slower, bubble);
    return sentence("{0}; {1} is {2} % slower with a bubble of {3} % against {4} %.", said, second.setting,
                    slower, bubble, of_best);
}

Sentence measuredBest(const SweepPoint& best, const std::vector<SweepPoint>& points) {
    std::string over_cap;
    for (const SweepPoint& point : points)
        if (point.over_cap) over_cap += (over_cap.empty() ? "" : "; ") + point.setting;
    if (over_cap.empty())
        return sentence("{0} reaches {1} tokens/s with {2} MB of activations at most", best.setting,
                        rate(best), megabytes(best));
    return sentence("{0} reaches {1} tokens/s with {2} MB of activations at most (over the memory cap: {3})",
                    best.setting, rate(best), megabytes(best), over_cap);
}

}  // namespace

std::optional<Costs> costsOfLike(const RunConfig& measured, const Costs& costs, const RunConfig& config) {
    const auto same_stages = [](const RunConfig& a, const RunConfig& b) {
        return a.params.p == b.params.p && a.params.v == b.params.v && a.recompute == b.recompute &&
               a.checkpoint_every == b.checkpoint_every;
    };
    if (!same_stages(measured, config)) return std::nullopt;
    const double factor = static_cast<double>(config.micro_batch) / measured.micro_batch;
    Costs scaled = costs;
    for (StageCosts& stage : scaled.stages)
        for (const DurationField& field : kDurationFields) stage.*field.ns *= factor;
    scaled.message_bytes *= factor;
    return scaled;
}

SweepState sweep(const SweepRequest& request, const std::function<void(const SweepState&)>& progress,
                 Cancellation& cancel, Launcher* launcher) {
    return Sweep(request, progress, cancel, launcher).run();
}

void judge(SweepState& state) {
    const SweepRanking standing = standingOf(state.points);
    if (standing.best == 0) return;
    state.best = standing.best;
    const auto best = std::ranges::find(state.points, standing.best, &SweepPoint::value);
    const SweepPoint* second = nullptr;
    for (const SweepPoint& point : state.points)
        if (point.median && &point != &*best &&
            (standing.complete == 0 || point.iterations_done >= point.iterations) &&
            (second == nullptr || point.median->tokens_per_s > second->median->tokens_per_s))
            second = &point;
    const Sentence said = measuredBest(*best, state.points);
    state.why = second == nullptr ? sentence("{0}; nothing else has been measured.", said)
                                  : comparison(said, *best, *second, standing);
    if (standing.open)
        state.why =
            sentence("So far, with {0} of {1} values: {2}", standing.complete, standing.legal, state.why);
}

}  // namespace bscope
