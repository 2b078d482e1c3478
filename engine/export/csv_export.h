// writeEventsCsv: every event of a Timeline as one CSV row, for spreadsheets and scripts.
#pragma once

#include <ostream>

#include "timeline/timeline.h"

namespace bscope {

// The columns of docs/FILE_FORMATS.md, in that order, with a header. transfer_ns is empty except for
// receives: [start, transfer) is wait, [transfer, end) transfer.
void writeEventsCsv(std::ostream& out, const Timeline& timeline);

}  // namespace bscope
