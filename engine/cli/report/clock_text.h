// What a comparison of the clocks says: as lines for people, and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/print/line_printer.h"
#include "run/clock_check.h"

namespace bscope::cli {

void printClockCheck(const LinePrinter& printer, const ClockCheck& check);
nlohmann::ordered_json clockCheckJson(const ClockCheck& check);

}  // namespace bscope::cli
