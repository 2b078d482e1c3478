// predictSummary: summarize(predict(program, costs), 0) without the events in between, which are most of the
// cost when only numbers are asked for.
#pragma once

#include "catalog/endless_stream.h"
#include "schedule/program.h"
#include "timeline/analysis.h"
#include "timeline/costs.h"

namespace bscope {

// Throws as predict(), and std::out_of_range for a program that computes nothing.
IterationSummary predictSummary(const Program& program, const Costs& costs);
// Of a stream an iteration that is neither filled nor drained.
IterationSummary predictSummary(const EndlessStream& stream, const Costs& costs);

}  // namespace bscope
