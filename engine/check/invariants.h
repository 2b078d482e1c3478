// What has to hold of every recorded iteration, whatever its configuration: the operations are those of the
// order, none begins before its input was there, and every number follows from the events. Each rule is
// computed here by itself, from the events alone. Pure functions over plain data, which must not change
// meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

enum class Invariant : std::uint8_t {
    Lanes,         // a rank runs one operation at a time
    Order,         // each operation of the order once, on its rank, in its place
    Dependencies,  // none begins before its input was made and had travelled over the modelled link
    Report,        // the numbers of the report
    Gaps,          // operations and gaps fill the window of every rank
    Causes,        // the causes of a gap sum to it, those of the iteration to its idle time
    Decompositions,  // critical path and waterfall sum to the iteration
    Memory,        // never below zero, nothing left at the end, chunks in flight as the order has them
    Ranges,        // a range and its complement sum to the whole
};
inline constexpr std::array kInvariants = {
    Invariant::Lanes,  Invariant::Order,          Invariant::Dependencies, Invariant::Report, Invariant::Gaps,
    Invariant::Causes, Invariant::Decompositions, Invariant::Memory,       Invariant::Ranges};
const char* toText(Invariant invariant);  // "lanes": the name in files
Sentence wordsOf(Invariant invariant);

struct Violation {
    Invariant invariant = Invariant::Lanes;
    std::int32_t iteration = 0;
    Sentence what;
};

struct RecordedIteration {
    const IterationStart& start;
    const Schedule& order;
    const IterationReport& report;
    // Its events; of a stream that goes on also those of the iteration before (stream_pieces.h).
    const Timeline& timeline;
};

// Every rule that the iteration breaks, with at most kMostNamed places a rule. Report is not among them: it is
// held against the events as the recording is read (ReportAudit). Throws std::out_of_range when the timeline
// holds no compute event of the iteration.
inline constexpr std::size_t kMostNamed = 5;
std::vector<Violation> violations(const RecordedIteration& iteration);
// Of the rules only Lanes, Order and Dependencies, which cost little.
bool operationsHold(const RecordedIteration& iteration);

}  // namespace bscope
