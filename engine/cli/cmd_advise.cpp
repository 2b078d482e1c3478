// bscope advise: what would shorten an iteration, by how much, predicted with the costs of a run: a recorded
// one, or two iterations that are run for it.
#include <atomic>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include "cli/analysed_run.h"
#include "cli/bubble_text.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/json_text.h"
#include "cli/number_text.h"
#include "cli/options.h"
#include "cli/schedule_choice_text.h"
#include "run/run.h"
#include "server/interrupts.h"
#include "timeline/measured_report.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

constexpr int kIterationsForCosts = 3;  // the first one warms up

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

// What `bscope run` needs to be told for it, where that is an option of a run.
std::string optionsText(const Setting& setting, const RunConfig& now) {
    const RunConfig& config = setting.config;
    std::string text;
    const auto add = [&text](const std::string& option, const std::string& value) {
        text += (text.empty() ? "" : " ") + option + " " + value;
    };
    if (config.schedule != now.schedule || config.params.v != now.params.v) {
        add("--schedule", config.schedule);
        add("-v", std::to_string(config.params.v));
    }
    if (config.params.p != now.params.p) add("-p", std::to_string(config.params.p));
    if (config.params.d != now.params.d) add("-d", std::to_string(config.params.d));
    if (config.params.m != now.params.m) add("-m", std::to_string(config.params.m));
    if (config.micro_batch != now.micro_batch) add("--micro-batch", std::to_string(config.micro_batch));
    if (config.recompute != now.recompute) add("--recompute", toText(config.recompute));
    if (!config.layers_per_stage.empty() && config.layers_per_stage != now.layers_per_stage) {
        std::string split;
        for (const int layers : config.layers_per_stage)
            split += (split.empty() ? "" : ",") + std::to_string(layers);
        add("--layers-per-stage", split);
    }
    return text;
}

nlohmann::ordered_json candidateJson(const Candidate& candidate, const AnalysedRun& run) {
    nlohmann::ordered_json out = {{"change", say(candidate.change, Language::English)}};
    const auto number = [&](auto value) {
        return candidate.predicted ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
    };
    const Prediction predicted = candidate.predicted.value_or(Prediction{});
    out["predicted_iteration_ms"] = number(toMs(predicted.iteration_ns));
    out["predicted_gain"] = number(candidate.gain);
    out["bubble_of_total"] = number(predicted.bubble_of_total);
    out["peak_bytes"] =
        predicted.peak_bytes.empty() ? nlohmann::ordered_json() : number(predicted.greatestPeak());
    if (!candidate.excluded.empty()) out["excluded"] = say(candidate.excluded, Language::English);
    if (candidate.predicted) {
        if (run.knowsModel()) out["samples"] = predicted.samples;
        out["peak_bytes_of_ranks"] = predicted.peak_bytes;
        out["weight_copies"] = predicted.weight_copies;
        out["messages"] = predicted.messages;
    }
    const std::string options = optionsText(candidate.setting, run.start.config);
    if (!options.empty()) out["options"] = options;
    return out;
}

void printAdviceJson(const AnalysedRun& run, const BubbleCauses& causes, const Advice& advice) {
    const RunConfig& config = run.start.config;
    nlohmann::ordered_json out = {{"iteration", run.report.iteration},
                                  {"provenance", toText(run.report.provenance)},
                                  {"schedule", run.schedule.name},
                                  {"p", config.params.p},
                                  {"v", config.params.v},
                                  {"m", config.params.m},
                                  {"d", config.params.d},
                                  {"iteration_ms", run.report.iteration_ms},
                                  {"bubble_of_total", run.report.bubble_of_total},
                                  {"predicted_iteration_ms", toMs(advice.now.iteration_ns)},
                                  {"idle_ms", toMs(causes.idle_ns())},
                                  {"causes_ms", causesJson(causes.totals())}};
    addOutliers(out, causes.usual().outliers());
    out["candidates"] = nlohmann::ordered_json::array();
    for (const Candidate& candidate : advice.candidates)
        out["candidates"].push_back(candidateJson(candidate, run));
    std::cout << jsonText(out) << '\n';
}

void printAdvice(const AnalysedRun& run, const BubbleCauses& causes, const Advice& advice) {
    const RunConfig& config = run.start.config;
    std::cout << run.schedule.name << " p=" << config.params.p << " v=" << config.params.v
              << " m=" << config.params.m << " d=" << config.params.d << ", iteration "
              << run.report.iteration << ": " << fixed(run.report.iteration_ms, 1) << " ms ["
              << toText(run.report.provenance) << "], " << fixed(toMs(advice.now.iteration_ns), 1)
              << " ms predicted with the costs of the run\n"
              << outliersText(causes.usual().outliers())
              << "\n   gain   iteration ms   bubble of total   peak activations   change\n";
    for (const Candidate& candidate : advice.candidates) {
        if (!candidate.predicted) continue;
        const Prediction& predicted = *candidate.predicted;
        std::cout << aligned(percent(candidate.gain), 8)
                  << aligned(fixed(toMs(predicted.iteration_ns), 1), 14)
                  << aligned(percent(predicted.bubble_of_total), 18)
                  << aligned(predicted.peak_bytes.empty() ? "-" : megabytes(predicted.greatestPeak()), 19)
                  << "   " << say(candidate.change, Language::English);
        if (predicted.weight_copies > advice.now.weight_copies)
            std::cout << "; " << predicted.weight_copies << " copies or versions of the weights on a rank";
        if (!candidate.excluded.empty()) std::cout << "; out: " << say(candidate.excluded, Language::English);
        std::cout << '\n';
    }
    std::cout
        << "\nPREDICTED: nothing of this ran. gain = share of the time of a sample that is saved, against "
           "the run's own prediction.\n";
    bool first = true;
    for (const Candidate& candidate : advice.candidates) {
        if (candidate.predicted) continue;
        std::cout << (std::exchange(first, false) ? "Not legal here:\n" : "") << "  "
                  << say(candidate.change, Language::English) << ": "
                  << say(candidate.excluded, Language::English) << '\n';
    }
}

}  // namespace

int adviseCommand(const Arguments& arguments) {
    CommandLine line(
        "advise",
        "Says what would shorten the iteration and by how much, predicted with the costs of a run: "
        "of a recording, or of three iterations that are run for it.",
        "bscope advise --from run.bscope --memory-cap-mb 40\nbscope advise -p 4 -m 8 --json");
    std::string from;
    std::optional<int> iteration;
    bool json = false, schedules = false;
    line.text("--from", "RUN.bscope", "the costs and the configuration of this recording; nothing runs",
              from);
    line.option("--iteration", "N",
                "--from: which one, from 0 (of the last configuration's the nearest to their median)",
                setInteger([&](int value) { iteration = value; }));
    line.flag("--schedules", "which schedule when: every one that is legal here, and what usually decides",
              schedules);
    line.flag("--json", "one JSON object", json);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    const double cap_mb = config.memory_cap_mb;
    RunConfig untouched;
    untouched.memory_cap_mb = cap_mb;
    if (!from.empty() && config != untouched)
        line.refuse(
            "with --from the configuration is the recording's; legal beside it: --memory-cap-mb, "
            "--iteration and --json");
    if (from.empty() && iteration) line.refuse("--iteration belongs to --from");
    if (schedules && json) line.refuse(sentence("--json has all schedules already; leave out --schedules"));
    line.check();

    std::atomic<int> signal = 0;
    const std::optional<AnalysedRun> run =
        from.empty() ? ranForCosts(config, signal) : readAnalysedRun(from, iteration);
    if (!run) return statusAfter(signal);
    const BubbleCauses causes = run->causes();
    const AdviceRequest request = adviceRequest(*run, causes, cap_mb);
    const Advice advice = advise(request);
    if (json)
        printAdviceJson(*run, causes, advice);
    else if (schedules)
        printScheduleChoice(*run, request, advice, line.language());
    else
        printAdvice(*run, causes, advice);
    return 0;
}

}  // namespace bscope::cli
