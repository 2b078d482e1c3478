// bscope export: a recording for other programs.
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/output_files.h"
#include "cli/run_log.h"
#include "timeline/chrome_trace.h"
#include "timeline/csv_export.h"

namespace bscope::cli {
int exportCommand(const Arguments& arguments) {
    CommandLine line("export", "Writes the events of a recording for other programs.",
                     "bscope export run.bscope --chrome run.json");
    std::string file, chrome, csv;
    std::optional<int> iteration;
    line.argument("FILE", "a recording", file);
    line.text("--chrome", "OUT.json", "Chrome trace; Perfetto and chrome://tracing open it", chrome);
    line.text("--csv", "OUT.csv", "one row an event", csv);
    line.option("--iteration", "N", "only this one, from 0 (all)",
                setInteger([&](int value) { iteration = value; }));
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse("which recording? Give its file");
    if (chrome.empty() && csv.empty()) line.refuse("export as what? Give --chrome OUT.json or --csv OUT.csv");
    const NamedFile recording{"the recording", file}, trace{"--chrome", chrome}, table{"--csv", csv};
    for (const NamedFile& each : {trace, table}) {
        refuseUnwritable(line, each, Writing::BesideOrStream);
        refuseSameFile(line, each, recording);
    }
    refuseSameFile(line, trace, table);
    line.check();

    RunLog log(RunLog::Keep::Everything, iteration);
    if (const auto warning = readRecording(file, log); !warning.empty()) std::cerr << warning << '\n';
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
