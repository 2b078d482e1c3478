#include "check/invariants.h"

#include <stdexcept>

#include "analysis/causes.h"
#include "check/rules.h"

namespace bscope {

const char* toText(Invariant invariant) {
    constexpr std::array kNames = {"lanes",  "order",          "dependencies", "report", "gaps",
                                   "causes", "decompositions", "memory",       "ranges"};
    return kNames[static_cast<std::size_t>(invariant)];
}

Sentence wordsOf(Invariant invariant) {
    switch (invariant) {
        case Invariant::Lanes:
            return sentence("a rank runs one operation at a time");
        case Invariant::Order:
            return sentence("each operation of the order runs once, on its rank, in its place");
        case Invariant::Dependencies:
            return sentence("no operation begins before its input is there");
        case Invariant::Report:
            return sentence("the numbers of the report follow from the events");
        case Invariant::Gaps:
            return sentence("operations and gaps fill the time of every rank");
        case Invariant::Causes:
            return sentence("the causes of a gap sum to its length, and all of them to the idle time");
        case Invariant::Decompositions:
            return sentence("critical path and this run minus theory sum to the iteration");
        case Invariant::Memory:
            return sentence("activation memory is taken and given back as the order says");
        case Invariant::Ranges:
            return sentence("parts of a range sum to the whole");
    }
    return {};
}

void Findings::add(Invariant invariant, Sentence what) {
    std::size_t& count = counts_[static_cast<std::size_t>(invariant)];
    if (++count <= kMostNamed) violations_.push_back({invariant, iteration_, std::move(what)});
}

bool operationsHold(const RecordedIteration& iteration) {
    Findings findings(iteration.report.iteration);
    checkLanes(iteration, findings);
    checkOrder(iteration, findings);
    checkDependencies(iteration, factsOfIteration(iteration.order, iteration.start, iteration.report).link,
                      findings);
    return findings.take().empty();
}

std::vector<Violation> violations(const RecordedIteration& iteration) {
    Findings findings(iteration.report.iteration);
    const RunFacts facts = factsOfIteration(iteration.order, iteration.start, iteration.report);
    checkLanes(iteration, findings);
    checkOrder(iteration, findings);
    checkDependencies(iteration, facts.link, findings);
    checkMemory(iteration, findings);
    const BubbleCauses causes(iteration.timeline, iteration.report.iteration, facts);
    checkGaps(causes, iteration.timeline, findings);
    checkCauses(causes, findings);
    checkDecompositions(causes, iteration.order, findings);
    checkRanges(causes, iteration.timeline, findings);
    return findings.take();
}

}  // namespace bscope
