#include "report/serving_report.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace bscope {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

// (stages, steps) start and end of every forward.
class StepTimes {
public:
    struct Span {
        std::int64_t start_ns = 0, end_ns = -1;
    };

    StepTimes(const Schedule& schedule, std::size_t steps, const Timeline& timeline)
        : spans_(schedule.placement.size(), std::vector<Span>(steps)) {
        for (int rank = 0; rank < timeline.ranks(); ++rank)
            for (const Event& event : timeline.compute(rank))
                if (event.op == Op::Forward)
                    spans_.at(at(event.stage)).at(at(event.microbatch)) = {event.start_ns, event.end_ns};
        for (const int stage : schedule.chains.front())
            for (std::size_t step = 0; step < steps; ++step)
                if (spans_[at(stage)][step].end_ns < 0)
                    throw std::invalid_argument("servingReport: no event of " +
                                                toText({stage, Op::Forward, static_cast<int>(step)}));
    }

    const Span& of(int stage, std::size_t step) const { return spans_[at(stage)][step]; }

private:
    std::vector<std::vector<Span>> spans_;
};

// First and last step of the part in which every group decodes and nothing else.
struct Steady {
    std::size_t first = 0, last = 0;
};

std::optional<Steady> steadyPart(const Serving& serving, const std::vector<ServingStep>& steps) {
    const std::size_t groups = at(groupsAtWork(steps));
    std::size_t first = 0;
    std::vector<std::size_t> last(groups, 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].decoded(serving) < steps[i].tokens()) first = i + 1;
        last[at(steps[i].group)] = i;
    }
    const std::size_t end = *std::ranges::min_element(last);
    // Steps that wait in the pipeline when the part begins, or when it ends, count less then.
    constexpr std::size_t kLeastTurns = 4;
    if (end < first + kLeastTurns * groups) return std::nullopt;
    return Steady{first, end};
}

// What steps of one group take and bring, on average.
struct MeanStep {
    std::vector<double> stages_ns;  // (positions,)
    double tokens = 0;
    int steps = 0;
};

// (groups,) of the steps behind the first one of the part.
std::vector<MeanStep> meanSteps(const std::vector<ServingStep>& steps, const std::vector<int>& chain,
                                const StepTimes& times, const Steady& part) {
    std::vector<MeanStep> means;
    for (std::size_t step = part.first + 1; step <= part.last; ++step) {
        const std::size_t group = at(steps[step].group);
        if (means.size() <= group) means.resize(group + 1, {std::vector<double>(chain.size()), 0, 0});
        MeanStep& mean = means[group];
        ++mean.steps;
        mean.tokens += steps[step].emitted();
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const StepTimes::Span& span = times.of(chain[i], step);
            mean.stages_ns[i] += static_cast<double>(span.end_ns - span.start_ns);
        }
    }
    for (MeanStep& mean : means) {
        mean.tokens /= mean.steps;
        for (double& stage_ns : mean.stages_ns) stage_ns /= mean.steps;
    }
    return means;
}

std::optional<SteadyDecode> steadyDecode(const Serving& serving, const std::vector<ServingStep>& steps,
                                         const Schedule& schedule, const StepTimes& times) {
    const auto part = steadyPart(serving, steps);
    if (!part) return std::nullopt;
    const std::vector<int>& chain = schedule.chains.front();
    std::vector<double> of_stages_ns(chain.size());  // a turn of all groups
    double turn_ns = 0, tokens_of_turn = 0;
    for (const MeanStep& group : meanSteps(steps, chain, times, *part)) {
        tokens_of_turn += group.tokens;
        turn_ns = std::max(turn_ns, std::accumulate(group.stages_ns.begin(), group.stages_ns.end(), 0.0));
        for (std::size_t i = 0; i < chain.size(); ++i) of_stages_ns[i] += group.stages_ns[i];
    }
    turn_ns = std::max(turn_ns, *std::ranges::max_element(of_stages_ns));
    int tokens = 0;
    for (std::size_t step = part->first + 1; step <= part->last; ++step) tokens += steps[step].emitted();
    const double took_ns = static_cast<double>(times.of(chain.back(), part->last).end_ns -
                                               times.of(chain.back(), part->first).end_ns);
    if (took_ns <= 0 || turn_ns <= 0) return std::nullopt;
    return SteadyDecode{1e9 * tokens / took_ns, 1e9 * tokens_of_turn / turn_ns};
}

}  // namespace

std::optional<double> AnswerTimes::perToken_ns() const {
    if (tokens < 2) return std::nullopt;
    return static_cast<double>(last_ns - first_ns) / (tokens - 1);
}

double ServingReport::outputPerSecond() const {
    return length_ns > 0 ? 1e9 * static_cast<double>(output_tokens) / static_cast<double>(length_ns) : 0;
}

ServingReport servingReport(const Serving& serving, const std::vector<ServingStep>& steps,
                            const Schedule& schedule, const Timeline& timeline) {
    const StepTimes times(schedule, steps.size(), timeline);
    const int first_stage = schedule.chains.front().front(), last_stage = schedule.chains.front().back();
    const std::int64_t start_ns = steps.empty() ? 0 : times.of(first_stage, 0).start_ns;
    ServingReport report;
    report.answers.resize(serving.requests.size());
    for (const Request& request : serving.requests) {
        report.prompt_tokens += request.prompt;
        report.output_tokens += request.output;
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
        const std::int64_t end_ns = times.of(last_stage, step).end_ns - start_ns;
        report.length_ns = std::max(report.length_ns, end_ns);
        for (const ServedTokens& part : steps[step].parts) {
            if (!part.emits) continue;
            AnswerTimes& answer = report.answers[at(part.request)];
            if (answer.tokens++ == 0) answer.first_ns = end_ns;
            answer.last_ns = end_ns;
        }
    }
    report.steady = steadyDecode(serving, steps, schedule, times);
    return report;
}

}  // namespace bscope
