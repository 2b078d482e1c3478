// What is known from files of some ranks of a pipeline, as text and as JSON (import/part_of_pipeline.h).
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>

#include "import/part_of_pipeline.h"
#include "words/catalog.h"

namespace bscope::cli {

// One iteration, the last without a number; throws SentenceError where the part has no such iteration.
void printPart(std::ostream& out, const PipelinePart& part, std::optional<int> iteration, Language language);

// The keys of an import; what needs all ranks is null or absent.
nlohmann::ordered_json partJson(const PipelinePart& part, std::optional<int> iteration);
// What the window shows of it: words as sentences, and the operations of the last iteration.
nlohmann::ordered_json partForWindow(const PipelinePart& part);

}  // namespace bscope::cli
