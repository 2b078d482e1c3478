// An iteration as text for the terminal and as a JSON line for scripts. Every number stands beside where it
// comes from.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/input/run_log.h"
#include "cli/print/line_printer.h"
#include "report/report.h"
#include "words/catalog.h"

namespace bscope::cli {

// The keys scripts depend on, in their documented order.
nlohmann::ordered_json reportJson(const IterationReport& report);

// Parameters, numbers with their definitions, a row a rank.
void printReport(const LinePrinter& printer, const IterationReport& report);

// What of an iteration has to be known beside its numbers: clocks, disturbance, what tracing costs, what is
// lost.
void printReportCaveats(const LinePrinter& printer, const IterationReport& report);

// printReport, or of an imported run what its files held, and the picture of that iteration, as wide as the
// terminal.
void printIteration(std::ostream& out, const RunLog& log, const IterationReport& report,
                    Language language = Language::English);

}  // namespace bscope::cli
