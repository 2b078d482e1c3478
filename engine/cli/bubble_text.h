// Causes of a bubble, its outliers and its gaps, as text for the terminal and as JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "analysis/causes.h"

namespace bscope::cli {

// ms by the name of the cause, all of them.
nlohmann::ordered_json causesJson(const CauseParts& parts);
// slow_rank, slow_stage, odd_microbatch (numbers or null) and slow_link ([from, to] or null) are added to
// `out`.
void addOutliers(nlohmann::ordered_json& out, const Outliers& found);
// "rank 2 is 50 % slower than the others (16 durations, +- 0.4 %)", a line each; "" when nothing stands out.
std::string outliersText(const Outliers& found);

}  // namespace bscope::cli
