// The table that PyTorch's own analyzer prints of flight recorder dumps (torchfrtrace -j, short or with
// FR_TRACE_VERBOSE_OUTPUT=1): a column a rank, "send(s=0 d=1, input_sizes=[[4, 16]], state=completed)". Facts of
// the format: torch/distributed/flight_recorder/components/utils.py and types.py. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hang/flight_dump.h"

namespace bscope {

// Whether a text that begins like this holds one; lines of other programs may come before it.
bool looksLikeFlightTable(std::string_view beginning);

// A dump a column. The short form has no times and no groups. Throws SentenceError that names the line.
std::vector<FlightDump> readFlightTable(std::string_view text, const std::string& file);

}  // namespace bscope
