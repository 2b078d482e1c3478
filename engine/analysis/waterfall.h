// Waterfall: from the closed form of a schedule's bubble to what an iteration was, in named steps, each a
// replay of the iteration's own order with one thing more as it was (docs/NUMBERS.md, "This run minus
// theory"). The steps sum to the difference exactly. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/causes.h"

namespace bscope {

struct WaterfallStep {
    enum class Kind : std::uint8_t {
        Theory,         // closed form: F = I = W, equal stages, a free link
        Ratio,          // the real F : B : W
        UnequalStages,  // of the same work
        SlowRank,
        Link,
        Recomputation,
        LaunchGaps,
        Scatter,  // single operations and messages; then it is what was measured
    };
    Kind kind = Kind::Theory;
    std::int64_t iteration_ns = 0;  // with all up to this step
    double bubble_of_total = 0;
    std::int64_t added_ns = 0;  // to the step before; the first: from 0
    double added_bubble = 0;
    // Which one most: of UnequalStages the heaviest stage, of SlowRank the rank, of Link the sender and `to`
    // of the slowest link; -1: none stands out.
    int index = -1, to = -1;
    int twin = -1;  // as of an Outlier
};
const char* toText(WaterfallStep::Kind kind);  // "closed_form", "slow_rank": the name in files
Sentence wordsOf(WaterfallStep::Kind kind);

struct Waterfall {
    bool is_closed_form = false;  // the first step; else it is played, no closed form being known
    int iterations = 1;           // whose medians the steps up to SlowRank are
    // Whose property a step is that is said of stages and ranks.
    Sentence comparedBy() const;
    std::vector<WaterfallStep> steps;
};

// nullopt of a stream, which neither fills nor drains. closed_form: of total, for F = I = W.
std::optional<Waterfall> waterfall(const BubbleCauses& causes, std::optional<double> closed_form);
// With the closed form of this order.
std::optional<Waterfall> waterfall(const BubbleCauses& causes, const Schedule& order);

}  // namespace bscope
