#include "advice/candidate_costs.h"

#include <cmath>
#include <string>

#include "words/number_text.h"

namespace bscope {

namespace {

constexpr double kMoreState = 1.05;
constexpr double kAgrees = 0.15;             // of what the run took
constexpr double kLeastOfIteration = 0.001;  // what is less after an iteration is not worth a word

}  // namespace

std::vector<Sentence> costsInWords(const Candidate& candidate, const Prediction& now, bool knows_model,
                                   const DurationText& duration) {
    std::vector<Sentence> costs;
    if (!candidate.predicted) return costs;
    const Prediction& then = *candidate.predicted;
    if (then.weight_copies > now.weight_copies)
        costs.push_back(sentence("{0} copies or versions of the weights on a rank", then.weight_copies));
    if (static_cast<double>(then.state_bytes) > kMoreState * static_cast<double>(now.state_bytes))
        costs.push_back(
            sentence("{0} MB of weights, gradients and optimizer state on a rank instead of {1} MB",
                     megabytesText(static_cast<double>(then.state_bytes)),
                     megabytesText(static_cast<double>(now.state_bytes))));
    if (then.staleness > now.staleness)
        costs.push_back(then.staleness == 1 ? sentence("gradients of weights that are one update old")
                                            : sentence("gradients of weights that are up to {0} updates old",
                                                       then.staleness));
    if (then.replicas <= now.replicas) return costs;
    const std::int64_t more_ns = then.optimizer_ns - now.optimizer_ns;
    if (!knows_model)
        costs.push_back(sentence("what the copies exchange is not known and not counted"));
    else if (static_cast<double>(more_ns) > kLeastOfIteration * static_cast<double>(then.iteration_ns))
        costs.push_back(sentence(
            "{0} more after the iteration, where gradients of all copies are added and weights are updated",
            duration(more_ns)));
    return costs;
}

Sentence doubtOf(double ran_ns, const Prediction& now, const DurationText& duration) {
    const double more_ns = ran_ns - static_cast<double>(now.iteration_ns);
    if (ran_ns <= 0 || now.iteration_ns <= 0 || std::abs(more_ns) <= kAgrees * ran_ns) return {};
    const std::string ran = duration(std::llround(ran_ns)), predicted = duration(now.iteration_ns),
                      share = fixedText(100 * std::abs(more_ns) / ran_ns, 0);
    return more_ns > 0
               ? sentence(
                     "the run took {0} and its costs explain {1}: the other {2} % has causes that no line "
                     "counts, such as other programs on these cores. A gain below {2} % may not be there",
                     ran, predicted, share)
               : sentence(
                     "the run took {0} and its costs predict {1}, {2} % more: they are not those of its "
                     "usual "
                     "iterations. A gain below {2} % may not be there",
                     ran, predicted, share);
}

}  // namespace bscope
