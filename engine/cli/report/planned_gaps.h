// The idle stretches of a schedule that is only planned, the longest first, each with its causes and its
// sentence. Nothing runs; times are those of the costs, units or milliseconds.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/input/schedule_text.h"
#include "cli/print/line_printer.h"

namespace bscope::cli {

// gaps: rank, start and length, share_of_idle, next (the action before which it lies, or null), cause, causes
// (time by name) and words, for every gap.
nlohmann::ordered_json plannedGapsJson(const Schedule& schedule, const PlannedCosts& costs);
// The longest ones in words, with their share of the idle time.
void printPlannedGaps(const LinePrinter& printer, const Schedule& schedule, const PlannedCosts& costs,
                      std::size_t most);

}  // namespace bscope::cli
