// The rules of invariants.h one by one; each adds to the findings what breaks it. For this folder alone.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/causes.h"
#include "check/invariants.h"

namespace bscope {

class Findings {
public:
    explicit Findings(std::int32_t iteration) : iteration_(iteration) {}
    // What is more than kMostNamed of a rule is left out.
    void add(Invariant invariant, Sentence what);
    std::vector<Violation> take() { return std::move(violations_); }

private:
    std::int32_t iteration_;
    std::array<std::size_t, kInvariants.size()> counts_{};
    std::vector<Violation> violations_;
};

// Of the events: rules_of_events.cpp.
void checkLanes(const RecordedIteration& iteration, Findings& findings);
void checkOrder(const RecordedIteration& iteration, Findings& findings);
void checkDependencies(const RecordedIteration& iteration, const std::optional<LinkModel>& link,
                       Findings& findings);
void checkMemory(const RecordedIteration& iteration, Findings& findings);

// Of what is derived from them: rules_of_analysis.cpp.
void checkGaps(const BubbleCauses& causes, const Timeline& timeline, Findings& findings);
void checkCauses(const BubbleCauses& causes, Findings& findings);
void checkDecompositions(const BubbleCauses& causes, const Schedule& order, Findings& findings);
void checkRanges(const BubbleCauses& causes, const Timeline& timeline, Findings& findings);

}  // namespace bscope
