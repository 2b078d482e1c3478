// Which schedule when: what usually decides on a schedule, asked in order and answered from a run's
// configuration and costs. It is the reason beside the table of schedules that advise() predicts; where the
// two differ, the table is right, since it is predicted from the run's costs. Pure function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "advice/advisor.h"

namespace bscope {

struct ChoiceStep {
    enum class Answer : std::uint8_t {
        No,       // go on to the next
        Yes,      // its advice is the answer
        Unknown,  // not known from the run: the user has to say
    };
    Sentence question;  // "Is m at least 4p?"
    Sentence found;     // the numbers behind the answer; empty: Unknown
    Sentence advice;    // what a Yes means
    Answer answer = Answer::No;
};

// All questions in their order. The first Yes is the tree's answer; none: the last advice is.
std::vector<ChoiceStep> scheduleChoice(const AdviceRequest& request, const Prediction& now);
// The index of that answer.
std::size_t chosenStep(const std::vector<ChoiceStep>& steps);

// Another schedule, or other chunks of the same, and nothing else: a line of the table.
bool changesScheduleAlone(const Candidate& candidate, const RunConfig& now);

// What many texts say in place of such questions, and what the run's costs say of it.
struct PopularClaim {
    Sentence claim;  // "A small model: GPipe"
    Sentence found;
    bool holds = false;
};
// A length of time as a sentence writes it; by itself in ms.
using DurationText = std::function<std::string(std::int64_t ns)>;
std::string inMilliseconds(std::int64_t ns);  // "52.1 ms"
// The quickest schedule that is legal, fits and is not out otherwise, and the next; without `one_copy` those
// that hold no more weights than the run.
Sentence choiceVerdict(const AdviceRequest& request, const Advice& advice,
                       const DurationText& duration = inMilliseconds);
// Empty where 1F1B is not legal, with which all of them compare.
std::vector<PopularClaim> popularClaims(const AdviceRequest& request, const Advice& advice,
                                        const DurationText& duration = inMilliseconds);

}  // namespace bscope
