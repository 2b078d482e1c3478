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

// First and last step of the part in which every group decodes and nothing else; empty where first > last.
// A group that has had its last step is missing after it.
struct Steady {
    std::size_t first = 0, last = 0;
};

std::optional<Steady> steadyPart(const Serving& serving, const std::vector<ServingStep>& steps) {
    std::size_t first = 0, groups = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].decoded(serving) < steps[i].tokens()) first = i + 1;
        groups = std::max(groups, at(steps[i].group) + 1);
    }
    std::vector<std::size_t> last(groups, 0);
    for (std::size_t i = 0; i < steps.size(); ++i) last[at(steps[i].group)] = i;
    const std::size_t end = *std::ranges::min_element(last);
    // Two turns of all groups: what came before the first step is none of the part's.
    if (end < first + 2 * groups) return std::nullopt;
    return Steady{first, end};
}

std::optional<SteadyDecode> steadyDecode(const Serving& serving, const std::vector<ServingStep>& steps,
                                         const Schedule& schedule, const StepTimes& times) {
    const auto part = steadyPart(serving, steps);
    if (!part) return std::nullopt;
    const std::vector<int>& chain = schedule.chains.front();
    double longest_ns = 0, way_ns = 0;
    for (const int stage : chain) {
        double sum_ns = 0;
        for (std::size_t step = part->first + 1; step <= part->last; ++step)
            sum_ns += static_cast<double>(times.of(stage, step).end_ns - times.of(stage, step).start_ns);
        const double mean_ns = sum_ns / static_cast<double>(part->last - part->first);
        longest_ns = std::max(longest_ns, mean_ns);
        way_ns += mean_ns;
    }
    int groups = 0, tokens = 0;
    for (std::size_t step = part->first; step <= part->last; ++step)
        groups = std::max(groups, steps[step].group + 1);
    for (std::size_t step = part->first + 1; step <= part->last; ++step) tokens += steps[step].emitted();
    const auto count = static_cast<double>(part->last - part->first);
    const double took_ns = static_cast<double>(times.of(chain.back(), part->last).end_ns -
                                               times.of(chain.back(), part->first).end_ns);
    const double a_step = std::max(longest_ns, way_ns / groups);
    if (took_ns <= 0 || a_step <= 0) return std::nullopt;
    return SteadyDecode{1e9 * tokens / took_ns, 1e9 * tokens / count / a_step};
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
                            const Schedule& schedule, const Timeline& timeline, std::int64_t start_ns) {
    const StepTimes times(schedule, steps.size(), timeline);
    const int last_stage = schedule.chains.front().back();
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
