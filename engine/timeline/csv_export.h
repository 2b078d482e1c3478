// writeEventsCsv: every event of a Timeline as one CSV row, for spreadsheets and scripts.
#pragma once

#include <ostream>

#include "timeline/timeline.h"

namespace bscope {

// Columns: provenance, iteration, rank, op, stage, microbatch, start_ns, transfer_ns, end_ns, bytes,
// disturbed; with a header. transfer_ns is empty except for receives: [start, transfer) is wait, [transfer,
// end) transfer.
void writeEventsCsv(std::ostream& out, const Timeline& timeline);

}  // namespace bscope
