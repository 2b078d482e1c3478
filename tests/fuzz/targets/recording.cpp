// A recording as `bscope replay` prints and `bscope export` writes it. Refusals are WireError and
// std::runtime_error. Whatever opens can be parsed: what --json prints is JSON, one object a line; the Chrome
// trace is JSON whose times are numbers and whose durations are not negative; the CSV has a row an event, as
// many columns as its head line, and numbers where numbers belong.
#include <optional>
#include <sstream>

#include "cli/input/run_log.h"
#include "cli/print/json_text.h"
#include "cli/report/report_text.h"
#include "support/export_checks.h"
#include "support/memory_file.h"
#include "support/message_mutator.h"

namespace bscope::fuzz {

namespace {

void checkReplay(const cli::RunLog& log) {
    for (const IterationReport& report : log.reports()) {
        const std::string line = cli::jsonText(cli::reportJson(report));
        require(nlohmann::json::accept(line), "replay --json prints no JSON", [&] { return line; });
        require(line.find('\n') == std::string::npos, "replay --json breaks a line");
    }
    if (log.reports().empty()) return;
    std::ostringstream printed;
    try {
        cli::printIteration(printed, log, log.reports().back());
    } catch (const std::runtime_error&) {  // a sentence
        return;
    }
    require(!printed.str().empty(), "replay prints nothing");
}

void checkExports(const cli::RunLog& log, std::optional<std::int32_t> iteration) {
    std::optional<Timeline> timeline;
    try {
        timeline = log.timeline(iteration);
    } catch (const std::runtime_error&) {  // a sentence
        return;
    }
    if (timeline->empty()) return;
    checkChrome(*timeline, log.kernels(iteration));
    checkCsv(*timeline);
}

void run(std::string_view input) {
    static MemoryFile file;
    file.set(input);
    cli::RunLog log(cli::RunLog::Keep::Everything);
    try {
        cli::readRecording(file.path(), log);
    } catch (const WireError&) {
        return;
    }
    checkReplay(log);
    checkExports(log, std::nullopt);
    if (!log.reports().empty()) checkExports(log, log.reports().back().iteration);
}

}  // namespace

const Target& target() {
    static const Target recording{"recording", run, mutateRecording};
    return recording;
}

}  // namespace bscope::fuzz
