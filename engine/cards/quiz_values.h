// What the quiz asks about, played with F = 1 and a free link. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "cards/quiz.h"
#include "schedule/schedule.h"
#include "timeline/analysis.h"
#include "words/sentence.h"

namespace bscope::quiz {

struct Played {
    Schedule schedule;
    Timeline timeline{1, Provenance::Predicted};
    IterationSummary summary;
    int messages_of_microbatch = 0;
};

// Throws std::invalid_argument for an order that can never run.
Played played(const QuizSetting& setting);
// With the order of `rank` in place of its own; it need not be able to run.
Schedule scheduleOf(const QuizSetting& setting);

// The rank's order with two cells exchanged, such that the schedule can no longer run, with the broken rule.
struct BrokenOrder {
    std::vector<Action> order;
    Sentence rule;
    bool wrong_by_itself = false;  // a backward before its own forward
};
std::vector<BrokenOrder> brokenOrders(const Schedule& schedule, int rank);

// "F0 F1 B0 B1"
std::string orderText(const std::vector<Action>& order);

}  // namespace bscope::quiz
