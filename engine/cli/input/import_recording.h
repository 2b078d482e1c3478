// An imported run as a recording: from then on everything works on it that works on recordings.
#pragma once

#include <filesystem>

#include "import/imported_run.h"

namespace bscope::cli {

// Creates or replaces the file. Throws std::runtime_error: it cannot be written, or the run has more stages
// than a recording can name.
void writeRecording(const ImportedRun& run, const std::filesystem::path& file);

}  // namespace bscope::cli
