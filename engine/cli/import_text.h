// What an imported run is, as text for the terminal and as JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "import/imported_run.h"

namespace bscope::cli {

// The keys scripts depend on, in their documented order; a number that the files do not hold is absent. With
// an iteration only its row.
nlohmann::ordered_json importJson(const ImportedRun& run, std::optional<int> iteration);

// What was recognised, the costs, and the picture of one iteration.
void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report);

}  // namespace bscope::cli
