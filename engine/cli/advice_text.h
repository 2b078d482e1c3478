// What would help, as bscope advise and bscope import say it.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "analysis/advisor.h"
#include "import/imported_run.h"
#include "words/catalog.h"

namespace bscope::cli {

inline constexpr double kSearch_s = 1, kMostSearch_s = 600;

// advise() with the order that a search of so many seconds finds, put in its place.
Advice advised(const AdviceRequest& request, double search_s);
// Of a run whose files were imported; its slow ranks are those of the iteration nearest to the median.
AdviceRequest adviceRequest(const ImportedRun& run);

nlohmann::ordered_json candidatesJson(const Advice& advice, const RunConfig& now, bool knows_model);
// A table of what is legal, sorted by gain, then why the rest is not.
void printCandidates(std::ostream& out, const Advice& advice, Language language = Language::English);

}  // namespace bscope::cli
