#include "advice/schedule_choice.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "schedule/index.h"
#include "words/number_text.h"

namespace bscope {

namespace {

using Answer = ChoiceStep::Answer;

// Beyond these the balance of stages comes before any schedule, and a message costs too much for chunks.
constexpr double kUneven = 1.1, kSlowLink = 0.25;

// (ranks,) time of one micro-batch through all stages of a rank.
std::vector<double> rankTimes_ns(const AdviceRequest& request) {
    std::vector<double> times(request.schedule().orders.size(), 0);
    for (std::size_t stage = 0; stage < request.known.costs.stages.size(); ++stage) {
        const StageCosts& costs = request.known.costs.stages[stage];
        const double backward = costs.backward_ns > 0 ? costs.backward_ns : costs.input_ns + costs.weight_ns;
        times[at(request.schedule().placement[stage])] += costs.forward_ns + backward + costs.recompute_ns;
    }
    return times;
}

// Mean forward of a rank's whole part of the model.
double meanForward_ns(const AdviceRequest& request) {
    double sum = 0;
    for (const StageCosts& stage : request.known.costs.stages) sum += stage.forward_ns;
    return request.schedule().orders.empty() ? 0
                                             : sum / static_cast<double>(request.schedule().orders.size());
}

ChoiceStep inference(const AdviceRequest& request) {
    const bool is_it = request.schedule().isForwardOnly();
    return {sentence("Is it inference?"),
            is_it ? sentence("Yes: this run has no backward pass.") : sentence("No: this run has backward passes."),
            request.config().params.m == 1
                ? sentence("no pipeline for a single request: it goes through one rank after the other")
                : sentence("forward-only; it needs many requests in flight"),
            is_it ? Answer::Yes : Answer::No};
}

ChoiceStep oneDevice() {
    return {sentence("Does the model fit on one device?"),
            {},
            sentence("data parallelism, without a pipeline"),
            Answer::Unknown};
}

ChoiceStep uneven(const AdviceRequest& request) {
    const std::vector<double> times = rankTimes_ns(request);
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    const double ratio = mean > 0 ? std::ranges::max(times) / mean : 1;
    return {sentence("Are the ranks uneven?"),
            sentence("The slowest takes {0} times the mean; from {1} on it counts as uneven",
                     fixedText(ratio, 2), fixedText(kUneven, 1)),
            sentence("balance first: move a layer or repair the rank; no schedule makes up for it"),
            ratio >= kUneven ? Answer::Yes : Answer::No};
}

ChoiceStep manyMicrobatches(const AdviceRequest& request) {
    const ScheduleParams& params = request.config().params;
    const bool many = params.m >= 4 * params.p;
    return {sentence("Is m at least 4p?"),
            many ? sentence("Yes: m = {0}, 4p = {1}", params.m, 4 * params.p)
                 : sentence("No: m = {0}, 4p = {1}", params.m, 4 * params.p),
            sentence("1F1B is enough: with equal stages and a free link less than {0} % of the total is idle",
                     20),
            many ? Answer::Yes : Answer::No};
}

ChoiceStep slowLink(const AdviceRequest& request) {
    const Sentence question = sentence("Is the link slow?");
    const Sentence advice =
        sentence("not interleaved; Eager 1F1B where its activations fit, else GPipe with recomputation");
    if (!request.knows_model && request.known.costs.hopNs() <= 0)
        return {question, sentence("Messages cost nothing in these predictions"), advice, Answer::No};
    const double forward = meanForward_ns(request);
    const double share = forward > 0 ? request.known.costs.hopNs() / forward : 0;
    return {question,
            sentence("A message takes {0} of a forward; from {1} on it counts as slow", fixedText(share, 2),
                     fixedText(kSlowLink, 2)),
            advice, share >= kSlowLink ? Answer::Yes : Answer::No};
}

ChoiceStep recomputing(const AdviceRequest& request) {
    const Sentence question = sentence("Is recomputation on?");
    const Sentence advice = sentence("Interleaved 1F1B; a split backward only when the table shows a gain");
    const bool is_on = request.config().recompute != Recompute::None;
    // Files of other programs show it only where they name it.
    if (!is_on && !request.knows_model && !request.schedule().isForwardOnly())
        return {question, {}, advice, Answer::Unknown};
    return {question, is_on ? sentence("Yes, it is on.") : sentence("No, it is off."), advice,
            is_on ? Answer::Yes : Answer::No};
}

ChoiceStep experts() {
    return {sentence("Are there experts, and does every stage fit twice?"),
            {},
            sentence("DualPipe, for the overlap with all-to-all; with one copy DualPipeV"),
            Answer::Unknown};
}

ChoiceStep staleWeights() {
    return {sentence("Are weights that are a step old acceptable?"),
            {},
            sentence("PipeDream-2BW"),
            Answer::Unknown};
}

Sentence memoryWords(const AdviceRequest& request, const Prediction& now) {
    if (request.memory_cap_bytes > 0 && !now.peak_bytes.empty())
        return sentence("{0} MB now, {1} MB at most", megabytesText(static_cast<double>(now.greatestPeak())),
                        megabytesText(request.memory_cap_bytes));
    if (request.most_in_flight > 0)
        return sentence("{0} micro-batches in flight now, {1} at most", fixedText(now.most_in_flight, 2),
                        fixedText(request.most_in_flight, 2));
    return sentence("No limit was given");
}

ChoiceStep byMemory(const AdviceRequest& request, const Prediction& now) {
    return {
        sentence("How much memory for activations?"), memoryWords(request, now),
        sentence(
            "as much as 1F1B's first rank: ZB-V or ZB-H1; half of it: V-Half; a third: V-Min; twice as much: "
            "ZB-H2"),
        Answer::Yes};
}

}  // namespace

std::vector<ChoiceStep> scheduleChoice(const AdviceRequest& request, const Prediction& now) {
    return {inference(request),        oneDevice(),          uneven(request), slowLink(request),
            manyMicrobatches(request), recomputing(request), experts(),       staleWeights(),
            byMemory(request, now)};
}

bool changesScheduleAlone(const Candidate& candidate, const RunConfig& now) {
    const RunConfig& config = candidate.setting.config;
    return candidate.kind == Candidate::Kind::Schedule && !candidate.setting.order &&
           config.params.p == now.params.p && config.params.m == now.params.m &&
           config.params.d == now.params.d && config.micro_batch == now.micro_batch &&
           config.recompute == now.recompute && config.link == now.link &&
           candidate.setting.isConfiguration() && config.slow_ranks == now.slow_ranks;
}

std::size_t chosenStep(const std::vector<ChoiceStep>& steps) {
    const auto yes = std::ranges::find(steps, Answer::Yes, &ChoiceStep::answer);
    return static_cast<std::size_t>((yes == steps.end() ? steps.end() - 1 : yes) - steps.begin());
}

}  // namespace bscope
