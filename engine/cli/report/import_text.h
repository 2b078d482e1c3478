// What an imported run is, as text for the terminal, in the reader's language.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cli/print/line_printer.h"
#include "import/imported_run.h"
#include "words/catalog.h"

namespace bscope::cli {

// The program that recorded the run, without its format: "Primus".
std::string programOf(const ImportOrigin& origin);

// What every file was taken for, a line each.
void printRecognised(std::ostream& out, const std::vector<RecognisedFile>& files, Language language);

// What was recognised, the costs, and the picture of one iteration.
void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report, Language language);

// Medians of two runs side by side, stage by stage where they have as many.
void printComparison(std::ostream& out, const ImportedRun& run, const ImportedRun& other, Language language);

// printImport for a recording of an imported run, whose start.import is set, without the picture.
void printImportedIteration(std::ostream& out, const IterationStart& start, const IterationReport& report,
                            Language language);

// What of it was recognised, and what its times do not mean: lines that its numbers are never shown without.
void printImportCaveats(const LinePrinter& printer, const IterationStart& start,
                        const IterationReport& report);

}  // namespace bscope::cli
