// bscope advise: what would shorten an iteration, by how much, predicted with the costs of a run: a recorded
// one, or two iterations that are run for it.
#include <atomic>
#include <cmath>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "catalog/catalog.h"
#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/flags_options.h"
#include "cli/input/lesson_runs.h"
#include "cli/input/options.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/advice_outcome.h"
#include "cli/report/advice_text.h"
#include "cli/report/bubble_text.h"
#include "cli/report/progress.h"
#include "cli/report/schedule_choice_text.h"
#include "cli/report/status_lines.h"
#include "run/run.h"
#include "server/interrupts.h"
#include "report/measured_report.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

constexpr int kIterationsForCosts = 3;  // the first one warms up
constexpr std::size_t kMostMeasured = 3;

std::vector<std::string> namesIn(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream parts(list);
    for (std::string name; std::getline(parts, name, ',');)
        if (!name.empty()) names.push_back(name);
    return names;
}

// Runs for the costs. nullopt when it was interrupted, `signal` says by what.
std::optional<AnalysedRun> ranForCosts(RunConfig config, std::atomic<int>& signal) {
    config.memory_cap_mb = 0;
    RunLog log(RunLog::Keep::LastIteration);
    Run run(config, log);
    run.abortWhen([&signal] { return signal != 0; });
    const Interrupts interrupts([&](int number) {
        signal = number;
        run.abort(sentence("interrupted"));
    });
    try {
        for (int i = 1; i <= kIterationsForCosts; ++i) run.iterate(kIterationsForCosts - i);
    } catch (const RunFailure&) {
        if (signal == 0) throw;
        return std::nullopt;
    }
    return analysedRun(log, log.lastTraced());
}

// A schedule that ran beside the run's own, and what it was predicted to take.
struct MeasuredSchedule {
    std::string name;
    int v = 1;
    IterationReport report;
    Prediction predicted;
    bool shares = false;  // durations, with others that compute the same
};

// The lines of the table with these schedules, "interleaved" or with its chunks "interleaved=4". Refuses what
// is no line of it, or not legal.
std::vector<Candidate> toMeasure(const std::vector<std::string>& names, const Advice& advice,
                                 const RunConfig& now) {
    std::vector<Candidate> chosen;
    for (const std::string& name : names) {
        const std::size_t equals = name.find('=');
        const CatalogEntry* entry = findSchedule(name.substr(0, equals));
        const std::string v = equals == std::string::npos ? "" : name.substr(equals + 1);
        const auto at = std::ranges::find_if(advice.candidates, [&](const Candidate& each) {
            const RunConfig& config = each.setting.config;
            return entry != nullptr && changesScheduleAlone(each, now) && config.schedule == entry->name &&
                   (v.empty() || std::to_string(config.params.v) == v);
        });
        if (at == advice.candidates.end())
            throw SentenceError<>(sentence(
                "--measure {0}: not in the table; bscope advise --schedules lists its schedules", name));
        if (!at->predicted) throw SentenceError<>(sentence("--measure {0}: {1}", name, at->excluded));
        chosen.push_back(*at);
    }
    return chosen;
}

// In turn with the run itself, so that what disturbs the machine disturbs all of them. Empty when it was
// interrupted. language: of the line that says how far it is; nothing: reports for programs.
std::vector<MeasuredSchedule> measured(const AnalysedRun& run, const Advice& advice,
                                       const std::vector<Candidate>& chosen, std::optional<Language> language,
                                       std::atomic<int>& signal) {
    std::vector<CourseRun> runs{{.config = run.start.config}};
    for (const Candidate& each : chosen) runs.push_back({.config = each.setting.config});
    for (CourseRun& each : runs) each.config.memory_cap_mb = 0;
    const Interrupts interrupts([&signal](int number) { signal = number; });
    try {
        const int total = iterationsOf(runs);
        std::optional<Progress> progress;
        if (language) progress.emplace(total, *language);
        int done = 0;
        const LessonCourse course = runCourse(
            runs, [&signal] { return signal != 0; },
            [&](const IterationReport& report) {
                ++done;
                if (progress)
                    progress->finished(report);
                else
                    reportProgress(done, total);
            });
        std::vector<MeasuredSchedule> out;
        for (std::size_t i = 0; i < runs.size(); ++i)
            out.push_back({runs[i].config.schedule, runs[i].config.params.v, course.kept(i)->report,
                           i == 0 ? advice.now : *chosen[i - 1].predicted,
                           !course.kept(i)->pooled_over.empty()});
        return out;
    } catch (const RunFailure&) {
        if (signal == 0) throw;
        return {};
    }
}

void printMeasured(const LinePrinter& printer, const std::vector<MeasuredSchedule>& all) {
    if (all.empty()) return;
    printer.out() << '\n';
    printer.line("Run in turn here, the median of three iterations each [{0}]:",
                 toText(all[0].report.provenance));
    TextTable table("lrrrr");
    table.row({"", printer.words("iteration ms"), printer.words("predicted"), printer.words("difference"),
               printer.words("bubble of total")});
    for (const MeasuredSchedule& each : all) {
        const double predicted_ms = toMs(each.predicted.iteration_ns);
        const std::string name = each.v > 1 ? each.name + ", v = " + std::to_string(each.v) : each.name;
        table.row({name, milliseconds(each.report.iteration_ms), milliseconds(predicted_ms),
                   percent(each.report.iteration_ms / predicted_ms - 1),
                   percent(each.report.bubble_of_total)});
    }
    table.print(printer.out());
    std::string sharing;
    for (const MeasuredSchedule& each : all)
        if (each.shares) sharing += (sharing.empty() ? "" : ", ") + each.name;
    if (!sharing.empty())
        printer.line("Their stages compute the same and share their durations: {0}.", sharing);
}

nlohmann::ordered_json measuredJson(const std::vector<MeasuredSchedule>& all) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const MeasuredSchedule& each : all)
        out.push_back({{"schedule", each.name},
                       {"v", each.v},
                       {"provenance", toText(each.report.provenance)},
                       {"iteration_ms", each.report.iteration_ms},
                       {"predicted_iteration_ms", toMs(each.predicted.iteration_ns)},
                       {"bubble_of_total", each.report.bubble_of_total},
                       {"shares_durations", each.shares}});
    return out;
}

void printAdviceJson(const AnalysedRun& run, const BubbleCauses& causes, const Advice& advice,
                     const std::vector<PromiseOutcome>& outcomes,
                     const std::vector<MeasuredSchedule>& measured, const AdviceRequest& request,
                     const FlagsOptions& flags) {
    const RunConfig& config = run.start.config;
    nlohmann::ordered_json out = {{"iteration", run.report.iteration},
                                  {"provenance", toText(run.report.provenance)},
                                  {"schedule", run.schedule.name},
                                  {"p", config.params.p},
                                  {"v", config.params.v},
                                  {"m", config.params.m},
                                  {"d", config.params.d},
                                  {"zero", config.params.zero},
                                  {"t", config.params.t},
                                  {"iteration_ms", run.report.iteration_ms},
                                  {"bubble_of_total", run.report.bubble_of_total},
                                  {"predicted_iteration_ms", toMs(advice.now.iteration_ns)},
                                  {"idle_ms", toMs(causes.idle_ns())},
                                  {"causes_ms", causesJson(causes.totals())}};
    addOutliers(out, causes.usual().outliers());
    addStraggler(out, run.straggler);
    addDoubt(out, run.report.iteration_ms, advice);
    out["candidates"] = candidatesJson(advice, config, run.knowsModel());
    flags.addTo(out, request, advice);
    addOutcomes(out, outcomes);
    if (!measured.empty()) out["measured"] = measuredJson(measured);
    std::cout << jsonText(out) << '\n';
}

void printAdvice(const LinePrinter& printer, const AnalysedRun& run, const BubbleCauses& causes,
                 const AdviceRequest& request, const Advice& advice,
                 const std::vector<PromiseOutcome>& outcomes, const FlagsOptions& flags) {
    printer.line("{0}, iteration {1}: {2} ms [{3}], {4} ms predicted with the costs of the run", run.title(),
                 numberOf(run.report), milliseconds(run.report.iteration_ms), toText(run.report.provenance),
                 milliseconds(toMs(advice.now.iteration_ns)));
    printOutliers(printer, causes.usual().outliers(), run.straggler);
    printer.out() << '\n';
    printCandidates(printer, request, advice, run.report.iteration_ms, flags.asked());
    printOutcomes(printer, outcomes);
    flags.print(printer, request, linesOf(advice));
}

}  // namespace

int adviseCommand(const Arguments& arguments) {
    CommandLine line(
        "advise",
        "Says what would shorten the iteration and by how much, predicted with the costs of a run: "
        "of a recording, or of three iterations that are run for it.",
        "bscope advise --from run.bscope --memory-cap-mb 40\nbscope advise -p 4 -m 8 --json\n"
        "bscope advise --schedules -p 4 -m 8 --one-copy --synchronous\n"
        "bscope advise --from run.bscope --framework megatron --flags megatron\n"
        "bscope advise --from before.bscope --outcome after.bscope");
    std::string from, outcome, measure;
    std::optional<int> number;
    bool json = false, schedules = false, progress_lines = false;
    double search_s = kSearch_s;
    line.text("--from", "RUN.bscope", "the costs and the configuration of this recording; nothing runs",
              from);
    line.option("--iteration", "N",
                "--from: which one, by its number in tables and in the window (the last configuration's "
                "iteration nearest to their median)",
                setInteger([&](int value) { number = value; }));
    line.text("--outcome", "OTHER.bscope",
              "--from: this recording's last configuration, predicted, beside what its iterations took",
              outcome);
    line.flag("--schedules", "which schedule when: every one that is legal here, and what usually decides",
              schedules);
    FlagsOptions flags(line);
    line.text("--measure", "NAME[=V],...",
              "up to three of these schedules: run them in turn with the run itself, and say what they took",
              measure);
    line.number("--search-s",
                "seconds for the search of an order for these costs, on this machine; 0: none (1)", search_s);
    line.flag("--json", "one JSON object", json);
    line.flag("--progress",
              "for programs: report the progress of --measure on standard error, one JSON object per line",
              progress_lines);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    const double cap_mb = config.memory_cap_mb;
    if (!from.empty() && config_options.anyGiven("memory_cap_mb"))
        line.refuse(
            sentence("with --from the configuration is the recording's; legal beside it: --memory-cap-mb, "
                     "--iteration, --outcome, --search-s, --flags, --for, --framework, --one-copy, "
                     "--synchronous, --schedules and --json"));
    if (!(search_s >= 0 && search_s <= kMostSearch_s))
        line.refuse(sentence("--search-s must be from 0 to 600"));
    if (from.empty() && !outcome.empty()) line.refuse(sentence("--outcome belongs to --from"));
    if (from.empty() && number) line.refuse(sentence("--iteration belongs to --from"));
    if (schedules && json) line.refuse(sentence("--json has all schedules already; leave out --schedules"));
    const std::vector<std::string> names = namesIn(measure);
    if (!measure.empty() && !from.empty())
        line.refuse(sentence("--measure runs here; leave out --from and give the configuration"));
    if (!measure.empty() && !schedules && !json)
        line.refuse(sentence("--measure belongs to --schedules or --json"));
    flags.check(line, json);
    if (names.size() > kMostMeasured)
        line.refuse(sentence("--measure takes {0} schedules at most, not {1}", kMostMeasured, names.size()));
    line.check();

    std::atomic<int> signal = 0;
    const std::optional<AnalysedRun> run =
        from.empty() ? ranForCosts(config, signal) : readAnalysedRun(from, number, line.language());
    if (!run) return statusAfter(signal);
    const BubbleCauses causes = run->causes();
    AdviceRequest request = adviceRequest(*run, causes);
    request.memory_cap_bytes = cap_mb * 1e6;
    flags.limit(request);
    Advice advice = advised(request, search_s);
    if (!advice.refusal.empty()) throw SentenceError<>(advice.refusal);
    flags.leaveOut(request, advice);
    std::vector<PromiseOutcome> outcomes = run->outcomes;
    if (!outcome.empty())
        outcomes.push_back(
            outcomeIn(request, run->report.provenance, outcome, LinePrinter(std::cerr, line.language())));
    std::vector<MeasuredSchedule> ran;
    if (const auto chosen = toMeasure(names, advice, request.config()); !chosen.empty()) {
        ran = measured(*run, advice, chosen, progress_lines ? std::nullopt : std::optional(line.language()),
                       signal);
        if (ran.empty()) return statusAfter(signal);
    }
    const LinePrinter printer{std::cout, line.language()};
    if (json) {
        printAdviceJson(*run, causes, advice, outcomes, ran, request, flags);
    } else if (schedules) {
        printScheduleChoice(*run, request, advice, line.language(), flags.asked());
        printMeasured(printer, ran);
        flags.print(printer, request, scheduleLinesOf(advice, request.config()));
    } else
        printAdvice(printer, *run, causes, request, advice, outcomes, flags);
    return 0;
}

}  // namespace bscope::cli
