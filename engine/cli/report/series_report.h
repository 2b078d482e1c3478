// Many iterations of a recording, for replay --series: the median one, those that stand out with their cause,
// a drift, the straggler; as text and as JSON lines.
#pragma once

#include <filesystem>

#include "words/catalog.h"

namespace bscope::cli {

// Of all iterations of the file, series by series (docs/NUMBERS.md, "Many iterations"); json: a line each,
// and one a series. Throws a SentenceError when there is none, WireError when it cannot be read.
void printSeries(const std::filesystem::path& file, bool json, Language language);

}  // namespace bscope::cli
