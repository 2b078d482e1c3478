// bscope import: what other programs recorded of a pipeline, said as this one says it of its own runs.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <optional>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/flags_options.h"
#include "cli/input/import_recording.h"
#include "cli/input/import_replicas.h"
#include "cli/input/output_files.h"
#include "cli/input/recorded_run.h"
#include "cli/input/saved_costs.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "cli/report/advice_text.h"
#include "cli/report/bubble_text.h"
#include "cli/report/grid_text.h"
#include "cli/report/growing_files_json.h"
#include "cli/report/import_json.h"
#include "cli/report/import_text.h"
#include "cli/report/part_text.h"
#include "cli/report/status_lines.h"
#include "cli/report/straggler_text.h"
#include "import/trace/import_error.h"
#include "import/imported_run.h"
#include "import/part_of_pipeline.h"
#include "server/interrupts.h"
#include "report/measured_report.h"
#include "timeline/passing_costs.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

using Paths = std::vector<std::filesystem::path>;

void explain(const Paths& paths, bool json, Language language) {
    std::vector<RecognisedFile> files;
    for (const auto& path : paths) {
        if (isRecording(path))
            files.push_back({path.string(), sentence("recording of Bubblescope")});
        else
            std::ranges::move(recogniseFiles(Paths{path}), std::back_inserter(files));
    }
    if (json) {
        std::cout << jsonText(recognisedJson(files)) << '\n';
        return;
    }
    printRecognised(std::cout, files, language);
}

// How far reading is, in percent: one moving line in a terminal, with `lines` reports for programs, else
// nothing.
class ReadingProgress {
public:
    explicit ReadingProgress(bool lines) : lines_(lines), moving_(!lines && errorsGoToTerminal()) {}
    ~ReadingProgress() {
        if (moving_ && reported_ >= 0) std::cerr << "\r\033[K" << std::flush;
    }
    ReadingProgress(const ReadingProgress&) = delete;
    ReadingProgress& operator=(const ReadingProgress&) = delete;

    void report(std::uintmax_t done, std::uintmax_t total) {
        const int percent = total == 0 ? 100 : static_cast<int>(100 * std::min(done, total) / total);
        if (percent <= reported_) return;
        reported_ = percent;
        if (lines_) reportProgress(percent, 100);
        if (moving_) std::cerr << "\rreading " << percent << " %\033[K" << std::flush;
    }

private:
    bool lines_, moving_;
    int reported_ = -1;
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

// What is taken of the files.
struct Choice {
    std::optional<int> iteration, replica;
    Places stages;
    bool grid = false;  // of all replicas, where there are several; of one, too, where it is asked for
};

const IterationReport& chosen(const ImportedRun& run, std::optional<int> number) {
    if (!number) return run.reports.back();
    for (const IterationReport& report : run.reports)
        if (numberOf(report) == *number) return report;
    throw SentenceError<>(sentence("the run has no iteration {0}; it has {1} to {2}", *number,
                                   numberOf(run.reports.front()), numberOf(run.reports.back())));
}

}  // namespace

int importCommand(const Arguments& arguments) {
    CommandLine line("import",
                     "Reads what another program recorded of a pipeline: traces of PyTorch's profiler (one "
                     "file per rank), databases of nsys, files of Bubblescope's probe, event times of "
                     "Megatron-LM, Chrome traces that bscope exported, recordings, folders of Primus pp_vis. "
                     "Prints its bubble, the schedule it follows and its costs, and draws it.",
                     "bscope import traces/");
    std::vector<std::string> names;
    std::string recording, against, costs_file, since_file;
    double memory_cap = 0;
    Choice choice;
    bool grid = false, json = false, only_explain = false, progress_lines = false, what_if = false;
    line.arguments("PATH", "files, or folders with everything below them", names);
    line.text("-o", "RUN.bscope", "keep the run as a recording; replay, export and the window open it",
              recording);
    line.option("--iteration", "N", "which one, as the files number them (the last)",
                setInteger([&](int value) { choice.iteration = value; }));
    line.flag("--json", "one JSON object; its rows are the iterations", json);
    line.flag("--explain", "only list what each file was recognised as; with --json as an object",
              only_explain);
    line.option("--stages", "0:3,1:2",
                "which place of the pipeline, from 0, each rank has, where the files do not say it",
                [&choice](const std::string& text) { return setStages(text, choice.stages); });
    line.flag("--what-if", "what would help, predicted with this run's costs: other schedules, m, v and more",
              what_if);
    line.number("--memory-cap",
                "--what-if: most micro-batches in flight on any rank; 1 = v chunks of one (no cap)",
                memory_cap);
    FlagsOptions flags(line);
    line.text("--save-costs", "FILE.json",
              "keep the medians of its operations; schedule --costs-from predicts other schedules with them",
              costs_file);
    line.text("--against", "PATH", "another run, compared with this one", against);
    line.option("--replica", "N",
                "which one, from 0, where the files are of several pipelines that ran side by side",
                setInteger([&](int value) { choice.replica = value; }));
    line.flag("--grid",
              "all replicas: medians by replica and stage, and what slows them down; shows the first one "
              "without --replica",
              grid);
    line.text("--since", "FILE.json",
              "for programs: a file that keeps how far a probe's growing files were read; only what came "
              "since is read, and {\"continued\":true} on standard error reports it",
              since_file);
    line.flag("--progress",
              "for programs: report progress, a refusal, and replicas or ranks to choose from on standard "
              "error, one JSON object per line",
              progress_lines);
    if (!line.parse(arguments)) return 0;
    if (names.empty()) line.refuse(sentence("which run? Give its files or their folder"));
    const NamedFile target{"-o", recording};
    refuseUnwritable(line, target, Writing::Over);
    const NamedFile costs_target{"--save-costs", costs_file};
    refuseUnwritable(line, costs_target, Writing::Beside);
    refuseSameFile(line, target, costs_target);
    for (const std::string& name : names) {
        refuseSameFile(line, target, {"what is imported", name});
        refuseSameFile(line, costs_target, {"what is imported", name});
    }
    if (choice.replica && *choice.replica < 0) line.refuse(sentence("--replica must be 0 or more"));
    if (grid && !choice.replica) choice.replica = 0;
    choice.grid = grid || json || !recording.empty();
    if (memory_cap < 0) line.refuse(sentence("--memory-cap must be 0, no cap, or more"));
    if (memory_cap > 0 && !what_if) line.refuse(sentence("--memory-cap is for --what-if"));
    flags.check(line, json, what_if ? "" : "--what-if");
    if (json && !against.empty())
        line.refuse(sentence("--against prints a table; leave out --json, or import each by itself"));
    line.check();

    const Paths paths(names.begin(), names.end());
    if (only_explain) {
        explain(paths, json, line.language());
        return 0;
    }
    const std::optional<GrowingFiles> since =
        since_file.empty() ? std::nullopt : readGrowingFiles(since_file);
    std::atomic<int> interrupted = 0;
    const Interrupts interrupts([&interrupted](int signal) { interrupted = signal; });
    constexpr int kSignalled = 128;  // as shells count
    const auto read = [&](const Paths& of, const Choice& wanted) {
        ReadingProgress progress(progress_lines);
        const ImportProgress reported = [&](std::uintmax_t done, std::uintmax_t total) {
            progress.report(done, total);
            return interrupted == 0;
        };
        if (const auto recorded = std::ranges::find_if(of, isRecording); recorded != of.end()) {
            if (of.size() > 1)
                throw ImportError(
                    sentence("{0} is a recording, a run by itself: name it alone", recorded->string()));
            if (!wanted.stages.empty())
                throw ImportError(sentence("{0} names its stages itself, so that no order can be given",
                                           recorded->string()));
            return readRecordedRun(*recorded, wanted.iteration, wanted.replica, reported,
                                   grid && wanted.grid);
        }
        const ReadOptions options{reported, wanted.replica, since ? &*since : nullptr};
        TracedRun traced = readTracedRun(of, options);
        if (!wanted.stages.empty()) placeRanks(traced, wanted.stages);
        if (wanted.grid && !traced.goes_on && (grid || !traced.others.empty()))
            return importWithGrid(std::move(traced), wanted.replica.value_or(0), wanted.iteration);
        return importRun(std::move(traced), wanted.iteration);
    };
    std::optional<ImportedRun> imported, other;
    try {
        imported = read(paths, choice);
        if (!against.empty()) other = read({against}, {});
    } catch (const ImportCancelled&) {
        return kSignalled + interrupted;
    } catch (const ImportError& error) {
        const auto* part = dynamic_cast<const PartOfPipeline*>(&error);
        const bool needs_all = !recording.empty() || !costs_file.empty() || what_if || !against.empty();
        if (part != nullptr && !progress_lines && !needs_all) {
            if (json)
                std::cout << jsonText(partJson(part->part, choice.iteration)) << '\n';
            else
                printPart(std::cout, part->part, choice.iteration, line.language());
            return 0;
        }
        if (!progress_lines) throw;
        if (const auto* several = dynamic_cast<const SeveralReplicas*>(&error))
            reportStatus("replicas", several->replicas);
        if (part != nullptr) reportStatus("some_ranks", partForWindow(part->part));
        if (dynamic_cast<const UnfinishedRun*>(&error) != nullptr) reportStatus("unfinished", true);
        throw;
    }
    const ImportedRun& run = *imported;
    const IterationReport& report = chosen(run, choice.iteration);
    if (!recording.empty() && run.timeline.provenance() != Provenance::Imported)
        throw SentenceError<>(
            sentence("-o is for runs of other programs; {0} is of this one's, and its recording "
                     "can be copied",
                     names.front()));
    if (!recording.empty()) writeRecording(run, recording);
    if (!since_file.empty()) writeGrowingFiles(run.growing, since_file);
    if (run.goes_on) reportStatus("continued", true);
    if (!costs_file.empty()) writeCosts(costsOf(run, costs_file), costs_file);
    std::optional<Advice> advice;
    AdviceRequest request;
    if (what_if) {
        request = adviceRequest(run);
        request.most_in_flight = memory_cap;
        flags.limit(request);
        advice = advised(request, 0);
        flags.leaveOut(request, *advice);
    }
    if (json) {
        nlohmann::ordered_json out =
            importJson(run, choice.iteration ? std::optional(report.iteration) : std::nullopt);
        addHeadline(out, stragglerOf(run), adviceRequest(run));
        nlohmann::ordered_json& bubble = out["bubble"] = {{"iteration", report.iteration}};
        addBubble(bubble, run.schedule, causesOf(run, report.iteration));
        if (advice) {
            out["predicted_iteration_ms"] = toMs(advice->now.iteration_ns);
            addDoubt(out, medianIterationMs(run), *advice);
            out["candidates"] = candidatesJson(*advice, {}, false);
            flags.addTo(out, request, *advice);
            if (!advice->refusal.empty()) out["candidates_refused"] = say(advice->refusal, Language::English);
        }
        std::cout << jsonText(out) << '\n';
        return 0;
    }
    const Language language = line.language();
    printImport(std::cout, run, report, language);
    if (advice) {
        std::cout << '\n'
                  << say(sentence("what would help, with the medians of this run; {0}; of other stages: work "
                                  "spread evenly within each stage of the run",
                                  passingWords(run.origin.costs)),
                         language)
                  << '\n';
        if (const LinePrinter printer(std::cout, language); advice->refusal.empty()) {
            printCandidates(printer, request, *advice, medianIterationMs(run), flags.asked());
            flags.print(printer, request, linesOf(*advice));
        } else
            std::cout << say(advice->refusal, language) << '\n';
    }
    if (grid && run.origin.grid) printGrid({std::cout, language}, *run.origin.grid);
    if (grid && !run.origin.grid)
        std::cout << '\n'
                  << say(sentence(
                             "the recording has no grid: it was made of one replica, or by an older version"),
                         language)
                  << '\n';
    if (other) printComparison(std::cout, run, *other, language);
    return 0;
}

}  // namespace bscope::cli
