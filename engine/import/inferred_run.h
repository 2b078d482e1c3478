// importInferred: a run whose files name no operation. What follows from calls and messages is shown only when
// it is the order of a schedule of several ranks; else it is said what is known of the run.
#pragma once

#include <functional>

#include "import/imported_run.h"

namespace bscope {

// An import of a run whose numbers may have to be inferred; throws ImportError.
using ImportOne = std::function<ImportedRun(TracedRun run)>;

// With the fewest chunks for which the order is that of a schedule. One iteration whose operations are not
// those of the others costs itself alone; the ranks may stand in another order than the stages. Throws
// ImportError with what does not fit.
ImportedRun importInferred(const TracedRun& run, const ImportOne& import_one);

}  // namespace bscope
