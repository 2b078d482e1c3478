// What would help, as bscope advise and bscope import say it.
#pragma once

#include <nlohmann/json.hpp>

#include "advice/advisor.h"
#include "analysis/causes.h"
#include "cli/print/line_printer.h"
#include "import/imported_run.h"

namespace bscope::cli {

inline constexpr double kSearch_s = 1, kMostSearch_s = 600;

// advise() with the order that a search of so many seconds finds, put in its place.
Advice advised(const AdviceRequest& request, double search_s);
// Causes of an iteration of a run whose files were imported; what it refers to is the run's.
BubbleCauses causesOf(const ImportedRun& run, int iteration);
double medianIterationMs(const ImportedRun& run);
// Of such a run; its slow ranks are those of the iteration nearest to the median.
AdviceRequest adviceRequest(const ImportedRun& run);

nlohmann::ordered_json candidatesJson(const Advice& advice, const RunConfig& now, bool knows_model);
// doubtOf() of a run that took so long, a line of its own or "caution"; nothing where there is none.
void printDoubt(const LinePrinter& printer, double ran_ms, const Advice& advice);
void addDoubt(nlohmann::ordered_json& out, double ran_ms, const Advice& advice);
// A table of what is legal, sorted by gain, its lines numbered from 1 if so asked, then why the rest is not.
// ran_ms: what an iteration of the run took.
void printCandidates(const LinePrinter& printer, const AdviceRequest& request, const Advice& advice,
                     double ran_ms, bool numbered = false);

}  // namespace bscope::cli
