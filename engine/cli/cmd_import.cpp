// bscope import: what other programs recorded of a pipeline, said as this one says it of its own runs.
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/import_text.h"
#include "cli/json_text.h"
#include "cli/terminal.h"
#include "import/imported_run.h"

namespace bscope::cli {
namespace {

void explain(const std::vector<std::filesystem::path>& paths) {
    for (const RecognisedFile& each : recogniseFiles(paths))
        std::cout << each.file << ": " << each.as << '\n';
}

const IterationReport& chosen(const ImportedRun& run, std::optional<int> iteration) {
    if (!iteration) return run.reports.back();
    for (const IterationReport& report : run.reports)
        if (report.iteration == *iteration) return report;
    throw std::runtime_error("the run has no iteration " + std::to_string(*iteration) + "; it has " +
                             std::to_string(run.reports.front().iteration) + " to " +
                             std::to_string(run.reports.back().iteration));
}

}  // namespace

int importCommand(const Arguments& arguments) {
    CommandLine line(
        "import",
        "Reads what another program recorded of a pipeline: traces of PyTorch's profiler (a file a rank), "
        "folders of Primus pp_vis. Says its bubble, the schedule it follows, its costs, and draws it.",
        "bscope import traces/");
    std::vector<std::string> names;
    std::optional<int> iteration;
    bool json = false, only_explain = false;
    line.arguments("PATH", "files, or folders with everything below them", names);
    line.option("--iteration", "N", "which one, as the files number them (the last)",
                setInteger([&](int value) { iteration = value; }));
    line.flag("--json", "one JSON object; its rows are the iterations", json);
    line.flag("--explain", "only say what every file was taken for", only_explain);
    if (!line.parse(arguments)) return 0;
    if (names.empty()) line.refuse("which run? Give its files or their folder");
    line.check();

    const std::vector<std::filesystem::path> paths(names.begin(), names.end());
    if (only_explain) {
        explain(paths);
        return 0;
    }
    const ImportedRun run = importRun(readTracedRun(paths));
    const IterationReport& report = chosen(run, iteration);
    if (json)
        std::cout << jsonText(importJson(run, iteration)) << '\n';
    else
        printImport(std::cout, run, report);
    return 0;
}

}  // namespace bscope::cli
