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

// A sentence for programs that put it into words themselves: "id", "arguments", each a text or a sentence.
nlohmann::ordered_json sentenceJson(const Sentence& said);

// What every file was taken for, in English ("as") and as a sentence ("words").
nlohmann::ordered_json recognisedJson(const std::vector<RecognisedFile>& files);

// What was recognised, the costs, and the picture of one iteration.
void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report);

// Medians of two runs side by side, stage by stage where they have as many.
void printComparison(std::ostream& out, const ImportedRun& run, const ImportedRun& other);

// The same for a recording of an imported run, whose start.import is set.
nlohmann::ordered_json importedRowJson(const ImportOrigin& origin, const IterationReport& report);
// Without the picture.
void printImportedIteration(std::ostream& out, const IterationStart& start, const IterationReport& report);

}  // namespace bscope::cli
