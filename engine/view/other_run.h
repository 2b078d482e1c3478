// Whether a number belongs to another run than the iteration that it stands beside: while the first iteration
// after a change of the configuration runs, the newest numbers that are complete are of the run before. This is
// the one rule; who shows such a number either leaves it out or makes it faint and names its run
// (otherRunName() in widgets/text). Pure function over plain data.
#pragma once

#include "view/view_data.h"

namespace bscope {

inline bool isOfOtherRun(const RunConfig& numbers, const RunConfig& shown) {
    return numbers != shown;
}
inline bool isOfOtherRun(const IterationView& numbers, const IterationView& shown) {
    return isOfOtherRun(numbers.config, shown.config);
}

// Numbers of a complete iteration, to stand beside one that runs.
struct EarlierNumbers {
    RunConfig config;
    int number = 0;  // on the screen
    IterationSummary summary;
    std::optional<IterationReport> report;
};

}  // namespace bscope
