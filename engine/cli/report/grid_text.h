// The grid of replicas and stages, and what slows the replicas down, as text for the terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/print/line_printer.h"
#include "report/replica_grid.h"

namespace bscope::cli {

void printGrid(const LinePrinter& printer, const ReplicaGrid& grid);
nlohmann::ordered_json gridJson(const ReplicaGrid& grid);

}  // namespace bscope::cli
