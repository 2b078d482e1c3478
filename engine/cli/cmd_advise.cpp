// bscope advise: what would shorten an iteration, by how much, predicted with the costs of a run: a recorded
// one, or two iterations that are run for it.
#include <atomic>
#include <cmath>
#include <iostream>
#include <optional>
#include <utility>

#include "cli/advice_outcome.h"
#include "cli/advice_text.h"
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
#include "words/said.h"

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

void printAdviceJson(const AnalysedRun& run, const BubbleCauses& causes, const Advice& advice,
                     const std::vector<PromiseOutcome>& outcomes) {
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
    addStraggler(out, run.straggler);
    out["candidates"] = candidatesJson(advice, config, run.knowsModel());
    addOutcomes(out, outcomes);
    std::cout << jsonText(out) << '\n';
}

void printAdvice(const LineTeller& tell, const AnalysedRun& run, const BubbleCauses& causes,
                 const Advice& advice, const std::vector<PromiseOutcome>& outcomes) {
    const ScheduleParams& params = run.start.config.params;
    tell.line("{0}, iteration {1}: {2} ms [{3}], {4} ms predicted with the costs of the run",
              run.schedule.name + " p=" + std::to_string(params.p) + " v=" + std::to_string(params.v) +
                  " m=" + std::to_string(params.m) + " d=" + std::to_string(params.d),
              run.report.iteration, fixed(run.report.iteration_ms, 1), toText(run.report.provenance),
              fixed(toMs(advice.now.iteration_ns), 1));
    printOutliers(tell, causes.usual().outliers());
    printStraggler(tell, run.straggler);
    tell.out() << '\n';
    printCandidates(tell, advice);
    printOutcomes(tell, outcomes);
}

}  // namespace

int adviseCommand(const Arguments& arguments) {
    CommandLine line(
        "advise",
        "Says what would shorten the iteration and by how much, predicted with the costs of a run: "
        "of a recording, or of three iterations that are run for it.",
        "bscope advise --from run.bscope --memory-cap-mb 40\nbscope advise -p 4 -m 8 --json\n"
        "bscope advise --from before.bscope --outcome after.bscope");
    std::string from, outcome;
    std::optional<int> iteration;
    bool json = false, schedules = false;
    double search_s = kSearch_s;
    line.text("--from", "RUN.bscope", "the costs and the configuration of this recording; nothing runs",
              from);
    line.option("--iteration", "N",
                "--from: which one, from 0 (of the last configuration's the nearest to their median)",
                setInteger([&](int value) { iteration = value; }));
    line.text("--outcome", "OTHER.bscope",
              "--from: this recording's last configuration, predicted, beside what its iterations took",
              outcome);
    line.flag("--schedules", "which schedule when: every one that is legal here, and what usually decides",
              schedules);
    line.number("--search-s",
                "seconds for the search of an order for these costs, on this machine; 0: none (1)", search_s);
    line.flag("--json", "one JSON object", json);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    const double cap_mb = config.memory_cap_mb;
    if (!from.empty() && config_options.anyGiven("memory_cap_mb"))
        line.refuse(
            sentence("with --from the configuration is the recording's; legal beside it: --memory-cap-mb, "
                     "--iteration, --outcome, --search-s and --json"));
    if (!(search_s >= 0 && search_s <= kMostSearch_s))
        line.refuse(sentence("--search-s must be from 0 to 600"));
    if (from.empty() && !outcome.empty()) line.refuse(sentence("--outcome belongs to --from"));
    if (from.empty() && iteration) line.refuse(sentence("--iteration belongs to --from"));
    if (schedules && json) line.refuse(sentence("--json has all schedules already; leave out --schedules"));
    line.check();

    std::atomic<int> signal = 0;
    const std::optional<AnalysedRun> run =
        from.empty() ? ranForCosts(config, signal) : readAnalysedRun(from, iteration);
    if (!run) return statusAfter(signal);
    const BubbleCauses causes = run->causes();
    AdviceRequest request = adviceRequest(*run, causes);
    request.memory_cap_bytes = cap_mb * 1e6;
    const Advice advice = advised(request, search_s);
    if (!advice.refusal.empty()) throw SaidError<>(advice.refusal);
    std::vector<PromiseOutcome> outcomes = run->outcomes;
    if (!outcome.empty()) outcomes.push_back(outcomeIn(request, run->report.provenance, outcome));
    if (json)
        printAdviceJson(*run, causes, advice, outcomes);
    else if (schedules)
        printScheduleChoice(*run, request, advice, line.language());
    else
        printAdvice({std::cout, line.language()}, *run, causes, advice, outcomes);
    return 0;
}

}  // namespace bscope::cli
