// bscope import: what other programs recorded of a pipeline, said as this one says it of its own runs.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/import_recording.h"
#include "cli/import_text.h"
#include "cli/json_text.h"
#include "cli/output_files.h"
#include "cli/terminal.h"
#include "import/import_error.h"
#include "import/imported_run.h"
#include "server/interrupts.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

using Paths = std::vector<std::filesystem::path>;

void explain(const Paths& paths, bool json) {
    const std::vector<RecognisedFile> files = recogniseFiles(paths);
    if (json) {
        std::cout << jsonText(recognisedJson(files)) << '\n';
        return;
    }
    for (const RecognisedFile& each : files)
        std::cout << each.file << ": " << say(each.as, Language::English) << '\n';
}

// How far reading is: one moving line in a terminal, with `lines` a line a percent for programs, else
// nothing.
class ReadingProgress {
public:
    explicit ReadingProgress(bool lines) : lines_(lines), moving_(!lines && errorsGoToTerminal()) {}
    ~ReadingProgress() {
        if (moving_ && told_ >= 0) std::cerr << "\r\033[K" << std::flush;
    }
    ReadingProgress(const ReadingProgress&) = delete;
    ReadingProgress& operator=(const ReadingProgress&) = delete;

    void tell(std::uintmax_t done, std::uintmax_t total) {
        const int percent = total == 0 ? 100 : static_cast<int>(100 * std::min(done, total) / total);
        if (percent <= told_) return;
        told_ = percent;
        if (lines_) std::cerr << "read " << percent << " %\n" << std::flush;
        if (moving_) std::cerr << "\rreading " << percent << " %\033[K" << std::flush;
    }

private:
    bool lines_, moving_;
    int told_ = -1;
};

// "0:3,1:2": rank and its place.
using Places = std::vector<std::pair<int, int>>;
std::optional<std::string> setStages(const std::string& text, Places& stages) {
    stages.clear();
    for (const std::string& pair : splitAt(text, ',')) {
        const std::vector<std::string> parts = splitAt(pair, ':');
        const auto rank = parseInteger(parts.front()), place = parseInteger(parts.back());
        if (parts.size() != 2 || !rank || !place || *rank < 0 || *place < 0)
            return "RANK:PLACE pairs, for example 0:1,1:0";
        stages.emplace_back(*rank, *place);
    }
    return std::nullopt;
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
        "databases "
        "of nsys, files of Bubblescope's probe, event times of Megatron-LM, Chrome traces that bscope "
        "exported, "
        "folders of Primus pp_vis. Says its bubble, the schedule it follows, its costs, and draws it.",
        "bscope import traces/");
    std::vector<std::string> names;
    std::optional<int> iteration;
    std::string recording, against;
    double memory_cap = 0;
    Places stages;
    std::optional<int> replica;
    bool json = false, only_explain = false, progress_lines = false, what_if = false;
    line.arguments("PATH", "files, or folders with everything below them", names);
    line.text("-o", "RUN.bscope", "keep the run as a recording; replay, export and the window open it",
              recording);
    line.option("--iteration", "N", "which one, as the files number them (the last)",
                setInteger([&](int value) { iteration = value; }));
    line.flag("--json", "one JSON object; its rows are the iterations", json);
    line.flag("--explain", "only say what every file was taken for; with --json as an object", only_explain);
    line.option("--stages", "0:3,1:2",
                "which place of the pipeline, from 0, each rank has, where the files do not say it",
                [&stages](const std::string& text) { return setStages(text, stages); });
    line.flag("--what-if", "what other schedules, m and v would give with this run's costs", what_if);
    line.number("--memory-cap",
                "--what-if: most micro-batches in flight on any rank; 1 = v chunks of one (no cap)",
                memory_cap);
    line.text("--against", "PATH", "another run, compared with this one", against);
    line.option("--replica", "N",
                "which one, from 0, where the files are of several pipelines that ran side by side",
                setInteger([&](int value) { replica = value; }));
    line.flag("--progress",
              "for programs: say on standard error, a line each, how much is read, and a refusal as JSON",
              progress_lines);
    if (!line.parse(arguments)) return 0;
    if (names.empty()) line.refuse("which run? Give its files or their folder");
    const NamedFile target{"-o", recording};
    refuseUnwritable(line, target, Writing::Over);
    for (const std::string& name : names) refuseSameFile(line, target, {"what is imported", name});
    if (replica && *replica < 0) line.refuse("--replica must be 0 or more");
    if (memory_cap < 0) line.refuse("--memory-cap must be 0, no cap, or more");
    if (memory_cap > 0 && !what_if) line.refuse("--memory-cap is for --what-if");
    if (json && !against.empty())
        line.refuse("--against prints a table; leave out --json, or import each by itself");
    line.check();

    const Paths paths(names.begin(), names.end());
    if (only_explain) {
        explain(paths, json);
        return 0;
    }
    std::atomic<int> interrupted = 0;
    const Interrupts interrupts([&interrupted](int signal) { interrupted = signal; });
    constexpr int kSignalled = 128;  // as shells count
    const auto read = [&](const Paths& of, std::optional<int> which, const Places& places) {
        ReadingProgress progress(progress_lines);
        ReadOptions options;
        options.progress = [&](std::uintmax_t done, std::uintmax_t total) {
            progress.tell(done, total);
            return interrupted == 0;
        };
        options.replica = which;
        TracedRun traced = readTracedRun(of, options);
        if (!places.empty()) placeRanks(traced, places);
        return importRun(std::move(traced));
    };
    std::optional<ImportedRun> imported, other;
    try {
        imported = read(paths, replica, stages);
        if (!against.empty()) other = read({against}, std::nullopt, {});
    } catch (const ImportCancelled&) {
        return kSignalled + interrupted;
    } catch (const ImportError& error) {
        if (!progress_lines) throw;
        std::cerr << "refused " << jsonText(sentenceJson(error.words)) << std::endl;
        return 1;
    }
    const ImportedRun& run = *imported;
    const IterationReport& report = chosen(run, iteration);
    if (!recording.empty()) writeRecording(run, recording);
    const std::vector<Alternative> alternatives =
        what_if ? whatIf(run, memory_cap) : std::vector<Alternative>();
    if (json) {
        nlohmann::ordered_json out = importJson(run, iteration);
        if (what_if) out["what_if"] = whatIfJson(alternatives);
        std::cout << jsonText(out) << '\n';
        return 0;
    }
    printImport(std::cout, run, report);
    if (what_if) printWhatIf(std::cout, alternatives, memory_cap);
    if (other) printComparison(std::cout, run, *other);
    return 0;
}

}  // namespace bscope::cli
