// Causes of a bubble, its outliers and its gaps, as text for the terminal and as JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "analysis/causes.h"
#include "cli/analysed_run.h"

namespace bscope::cli {

// ms by the name of the cause, all of them.
nlohmann::ordered_json causesJson(const CauseParts& parts);
// slow_rank, slow_stage, odd_microbatch (numbers or null) and slow_link ([from, to] or null) are added to
// `out`.
void addOutliers(nlohmann::ordered_json& out, const Outliers& found);
// "rank 2 is 50 % slower than the others (16 durations, +- 0.4 %)", a line each; "" when nothing stands out.
std::string outliersText(const Outliers& found);

// Causes, measured minus theory, critical path and gaps of an iteration: all gaps with their reasons as one
// object; the longest of them in words.
nlohmann::ordered_json bubbleJson(const AnalysedRun& run);
void printBubble(std::ostream& out, const AnalysedRun& run);

}  // namespace bscope::cli
