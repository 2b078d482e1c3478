// Notes of a recording as text for the terminal and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/print/line_printer.h"
#include "report/run_notes.h"

namespace bscope::cli {

nlohmann::ordered_json noteJson(const RunNote& note);
// is_import: its iterations have the numbers of another program's files.
void printNotes(const LinePrinter& printer, const std::vector<RunNote>& notes, bool is_import);

}  // namespace bscope::cli
