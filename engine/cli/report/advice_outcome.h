// Promise and outcome on the command line: what was predicted of a change beside what came out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "advice/advisor.h"
#include "cli/input/run_log.h"
#include "cli/print/line_printer.h"
#include "report/promises.h"

namespace bscope::cli {

// The last configuration of the other recording, predicted with the costs of the advised run, whose times are
// of this provenance, and what its iterations took. Throws std::runtime_error when the two cannot be
// compared. warn: what the other recording lacks.
PromiseOutcome outcomeIn(const AdviceRequest& request, Provenance provenance,
                         const std::filesystem::path& other, const LinePrinter& warn);

// outcomes[] {change, predicted_iteration_ms, got_iteration_ms, iterations, error}, median_absolute_error.
void addOutcomes(nlohmann::ordered_json& out, const std::vector<PromiseOutcome>& outcomes);
void printOutcomes(const LinePrinter& printer, const std::vector<PromiseOutcome>& outcomes);

}  // namespace bscope::cli
