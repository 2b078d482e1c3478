// Where the last reading of growing files ended, kept in a file between two calls of bscope import.
#pragma once

#include <filesystem>
#include <optional>

#include "import/trace/growing_files.h"

namespace bscope::cli {

// Nothing: there is no such file yet, or nothing in it to go on from.
std::optional<GrowingFiles> readGrowingFiles(const std::filesystem::path& file);
// Throws std::runtime_error when it cannot be written.
void writeGrowingFiles(const GrowingFiles& growing, const std::filesystem::path& file);

}  // namespace bscope::cli
