// Notes of a recording as text for the terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/print/line_printer.h"
#include "timeline/run_notes.h"

namespace bscope::cli {

nlohmann::ordered_json noteJson(const RunNote& note);
void printNotes(const LinePrinter& printer, const std::vector<RunNote>& notes);

}  // namespace bscope::cli
