// What an imported run is, as JSON for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "import/imported_run.h"

namespace bscope::cli {

// The keys scripts depend on, in their documented order; a number that the files do not hold is absent. With
// an iteration only its row.
nlohmann::ordered_json importJson(const ImportedRun& run, std::optional<int> iteration);
nlohmann::ordered_json importedRowJson(const ImportOrigin& origin, const IterationReport& report);

// A sentence for programs that put it into words themselves: "id", "arguments", each a text or a sentence.
nlohmann::ordered_json sentenceJson(const Sentence& said);

// What every file was taken for, in English ("as") and as a sentence ("words").
nlohmann::ordered_json recognisedJson(const std::vector<RecognisedFile>& files);

}  // namespace bscope::cli
