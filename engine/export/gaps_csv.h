// The gaps of an iteration with their causes as a table for other programs: a row a gap, the longest first;
// the columns stand in docs/FILE_FORMATS.md. Command line and window write the same.
#pragma once

#include <ostream>

#include "analysis/causes.h"

namespace bscope {

void writeGapsCsv(std::ostream& out, const BubbleCauses& causes);

}  // namespace bscope
