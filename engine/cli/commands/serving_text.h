// What serving requests took, for the terminal and as JSON: every request, every rank, and the steps.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/print/line_printer.h"
#include "plan/plan.h"
#include "report/report.h"
#include "report/serving_report.h"

namespace bscope::cli {

struct ServedRun {
    const Plan& plan;
    const IterationReport& report;
    ServingReport serving;
    std::vector<std::vector<std::int32_t>> answers;  // (requests,) tokens
};

nlohmann::ordered_json servingJson(const ServedRun& run);
void printServing(const LinePrinter& printer, const ServedRun& run);

}  // namespace bscope::cli
