// What the quiz asks about, played with F = 1 and a free link. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/analysis.h"
#include "words/sentence.h"

namespace bscope::quiz {

struct Played {
    Schedule schedule;
    IterationSummary summary;
    int messages_of_microbatch = 0;
};

// b: duration of a whole backward in units of F; slow_rank: that rank is 1.5 times as slow, -1: none is.
Played played(const std::string& schedule, int p, int v, int m, double b = 2, bool recomputes = false,
              int slow_rank = -1);

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
