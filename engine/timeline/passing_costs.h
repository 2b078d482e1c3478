// Passing costs: what a run pays between its operations, learned from what ran: for a message between two
// ranks, and for going on to the next operation where no message kept the rank. docs/NUMBERS.md, "What would
// help". Pure function.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/costs.h"
#include "timeline/timeline.h"
#include "words/sentence.h"

namespace bscope {

// Medians in ns; of fewer than kLeastPassings samples 0, and then it is not known.
struct PassingCosts {
    static constexpr int kLeastPassings = 5;
    double handover_ns = 0;  // from the end of an operation to the start of the next one of its rank
    double message_ns = 0;   // from the end of an operation to the start of the one that waited for it
    int handovers = 0, messages = 0;  // samples behind each

    bool operator==(const PassingCosts&) const = default;
};

// Of these iterations. A message that its receiver did not wait for says nothing, and neither does an
// operation whose message came while the one before it ran. one_clock: false where ranks read clocks of their
// own: then what a message takes is the mean over both directions between two ranks, in which a shift between
// their clocks cancels, and one direction alone says nothing.
PassingCosts passingCosts(const Timeline& timeline, std::span<const int> iterations, bool one_clock);

// What predictions with the costs of files add between operations: "0.31 ms between operations,
// 0.12 ms a message (medians, from the files)".
Sentence passingWords(const Costs& costs);

}  // namespace bscope
