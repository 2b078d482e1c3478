// A recording as a source of `bscope import`: of an imported run what its files held, of an own run what its
// events say, with the provenance that it has.
#pragma once

#include <filesystem>
#include <optional>

#include "import/imported_run.h"

namespace bscope::cli {

bool isRecording(const std::filesystem::path& file);

// The iterations that ran under the configuration of the one of that number (view/view_data.h), or of the
// last. Throws ImportError: no whole iteration, or a schedule without iterations to compare; ImportCancelled:
// the progress said false; WireError: the file cannot be read.
ImportedRun readRecordedRun(const std::filesystem::path& file, std::optional<int> number,
                            std::optional<int> replica, const ImportProgress& progress = {},
                            bool with_grid = false);

}  // namespace bscope::cli
