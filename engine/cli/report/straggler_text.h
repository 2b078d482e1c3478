// The straggler of a run as its headline: what is slow in most of the last iterations, and what the run would
// take without it. As text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "advice/advisor.h"
#include "analysis/iteration_series.h"
#include "cli/print/line_printer.h"
#include "import/imported_run.h"

namespace bscope::cli {

// In the last iterations, as many as the window looks at; none of orders too large for it.
std::optional<Straggler> stragglerOf(const ImportedRun& run);
// Two lines; none without a straggler.
void printHeadline(const LinePrinter& printer, const std::optional<Straggler>& found,
                   const AdviceRequest& request);
// straggler, and without_straggler: {"iteration_ms", "bubble_of_total", "now_iteration_ms",
// "now_bubble_of_total"}, all predicted, or null.
void addHeadline(nlohmann::ordered_json& out, const std::optional<Straggler>& found,
                 const AdviceRequest& request);

}  // namespace bscope::cli
