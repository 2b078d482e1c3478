// bscope export: a recording for other programs.
#include <iostream>
#include <optional>

#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/output_files.h"
#include "cli/input/run_log.h"
#include "cli/print/line_printer.h"
#include "export/chrome_trace.h"
#include "export/csv_export.h"
#include "export/gaps_csv.h"

namespace bscope::cli {
int exportCommand(const Arguments& arguments) {
    CommandLine line("export", "Writes the events of a recording for other programs.",
                     "bscope export run.bscope --chrome run.json");
    std::string file, chrome, csv, gaps;
    std::optional<int> iteration;
    line.argument("FILE", "a recording", file);
    line.text("--chrome", "OUT.json", "Chrome trace; Perfetto and chrome://tracing open it", chrome);
    line.text("--csv", "OUT.csv", "one row per event", csv);
    line.text("--gaps", "OUT.csv",
              "one row per idle gap of one iteration, with its causes (the last configuration's iteration "
              "nearest to their median, or --iteration)",
              gaps);
    line.option("--iteration", "N", "only this one, from 0 (all)",
                setInteger([&](int value) { iteration = value; }));
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse(sentence("which recording? Give its file"));
    if (chrome.empty() && csv.empty() && gaps.empty())
        line.refuse(sentence("export as what? Give --chrome OUT.json, --csv OUT.csv or --gaps OUT.csv"));
    const NamedFile recording{"the recording", file}, trace{"--chrome", chrome}, table{"--csv", csv},
        idle{"--gaps", gaps};
    for (const NamedFile& each : {trace, table, idle}) {
        refuseUnwritable(line, each, Writing::BesideOrStream);
        refuseSameFile(line, each, recording);
    }
    refuseSameFile(line, trace, table);
    refuseSameFile(line, trace, idle);
    refuseSameFile(line, table, idle);
    line.check();

    if (!gaps.empty()) {
        const AnalysedRun run = readAnalysedRun(file, iteration, line.language());
        writeWhole(gaps, [&](std::ostream& out) { writeGapsCsv(out, run.causes()); });
        if (chrome.empty() && csv.empty()) return 0;
    }
    RunLog log(RunLog::Keep::Everything, iteration);
    LinePrinter(std::cerr, line.language()).lines(readRecording(file, log).warnings());
    const Timeline timeline = log.timeline(iteration);
    if (timeline.empty())
        throw std::runtime_error("the recording holds no event " +
                                 (iteration ? "of iteration " + std::to_string(*iteration) : "to export"));
    if (!chrome.empty())
        writeWhole(chrome,
                   [&](std::ostream& out) { writeChromeTrace(out, timeline, log.kernels(iteration)); });
    if (!csv.empty()) writeWhole(csv, [&](std::ostream& out) { writeEventsCsv(out, timeline); });
    return 0;
}

}  // namespace bscope::cli
