// Several replicas of a pipeline at once: the one that is shown, with the grid of all of them.
#pragma once

#include <optional>

#include "import/imported_run.h"

namespace bscope::cli {

// As importRun(), with ImportOrigin::grid of the shown replica and those others that ran the same pipeline;
// others are noted. `shown` is its number. Throws ImportError.
ImportedRun importWithGrid(TracedRun run, int shown, std::optional<int> iteration);

}  // namespace bscope::cli
