// bscope sweep: really runs each m, v, p against d, or kind of checkpointing for a few iterations and says
// which is best. Ctrl-C keeps what was measured.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <nlohmann/json.hpp>

#include "analysis/cost_estimate.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/options.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/text_table.h"
#include "run/sweep.h"
#include "server/interrupts.h"
#include "report/sweep_ranking.h"
#include "view/text/sweep_table.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

constexpr int kNothingLegal = 2;

nlohmann::ordered_json pointJson(const SweepPoint& point, SweepAxis axis) {
    nlohmann::ordered_json problems = nlohmann::ordered_json::array();
    for (const auto& problem : point.problems) problems.push_back(problem.text());
    nlohmann::ordered_json json;
    if (axis != SweepAxis::Microbatches) json = {{"value", point.value}, {"setting", point.setting}};
    json.update({{"m", point.m},
                 {"micro_batch", point.micro_batch},
                 {"iterations", point.iterations_done},
                 {"over_cap", point.over_cap},
                 {"problems", std::move(problems)},
                 {"predicted_tokens_per_s", point.predicted_tokens_per_s},
                 {"predicted_bubble_of_total", point.predicted_bubble_of_total},
                 {"predicted_peak_activation_bytes", point.predicted_peak_bytes}});
    if (!point.median) return json;
    json["provenance"] = toText(point.median->provenance);
    json["tokens_per_s"] = point.median->tokens_per_s;
    json["tokens_per_s_min"] = point.tokens_per_s_min;
    json["tokens_per_s_max"] = point.tokens_per_s_max;
    json["bubble_of_total"] = point.median->bubble_of_total;
    json["iteration_ms"] = point.median->iteration_ms;
    json["peak_activation_bytes"] = peakBytes(point);
    return json;
}

void printJson(const SweepState& state) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const auto& point : state.points) points.push_back(pointJson(point, state.axis));
    const bool of_m = state.axis == SweepAxis::Microbatches;
    nlohmann::ordered_json json = {{"points", std::move(points)}, {"cancelled", state.cancelled}};
    if (!of_m) json["vary"] = toText(state.axis);
    const SweepRanking standing = standingOf(state.points);
    json[of_m ? "best_m" : "best"] = state.best;
    json["no_difference"] = standing.equals;
    json["noise_share"] = standing.closest.kind == NoiseVerdict::Kind::Unknown
                              ? nlohmann::ordered_json()
                              : nlohmann::ordered_json(standing.closest.noiseShare());
    json["open"] = standing.open;
    json["why"] = say(state.why, Language::English);
    std::cout << jsonText(json) << '\n';
}

void printTable(const LinePrinter& printer, const SweepState& state) {
    const SweepTable rows = sweepTable(state, printer.language());
    const auto cells = [](const auto& row) { return std::vector<std::string>(row.begin(), row.end()); };
    TextTable table(kSweepSides);
    table.row(cells(rows.head));
    for (const SweepRow& row : rows.rows)
        if (row.is_measured) table.row(cells(row.cells));
    table.print(printer.out());
    for (const std::string& note : rows.notes) printer.text(note);
}

class SweepProgress {
public:
    explicit SweepProgress(Language language) : language_(language) {}
    void operator()(const SweepState& state) {
        int done = 0, all = 0;
        for (const auto& point : state.points) {
            done += point.iterations_done;
            all += point.iterations;
        }
        const std::string words = say(sentence("sweep: {0} of {1} iterations", done, all), language_);
        if (moving_)
            std::cerr << '\r' << words << "\033[K" << (state.finished || state.cancelled ? "\n" : "")
                      << std::flush;
        else if (done > reported_)
            std::cerr << words << '\n';
        reported_ = done;
    }

private:
    Language language_;
    bool moving_ = errorsGoToTerminal();
    int reported_ = 0;
};

// Costs from two iterations at the first value that is legal: with them the sweep predicts before it
// measures.
std::optional<KnownCosts> measureCosts(const SweepRequest& request, Cancellation& cancel) {
    for (const int value : request.values) {
        if (value < 1) continue;
        auto [config, problem] = swept(request.config, request.axis, value);
        config.memory_cap_mb = 0;
        if (problem || !problems(config).empty()) continue;
        RunObserver no_observer;
        Run run(config, no_observer);
        const Cancellation::Working working(cancel, run);
        try {
            run.iterate(1);
            return KnownCosts{.config = config, .costs = run.iterate().costs};
        } catch (const RunFailure& failure) {
            if (!cancel || failure.rank >= 0) throw;
        }
        break;
    }
    return std::nullopt;
}

}  // namespace

int sweepCommand(const Arguments& arguments) {
    CommandLine line("sweep",
                     "Runs each m, or each value of what --vary names, for a few iterations and reports "
                     "which is best, and why.",
                     "bscope sweep --m 1,2,4,8,16,32 --fixed-batch 32 -p 4\nbscope sweep --vary p -p 4 -m 8");
    SweepRequest request;
    std::string axis = "m";
    std::optional<std::vector<int>> of_m, of_any;
    bool json = false;
    line.option("--m", "1,2,4,8", "the values of m (1,2,4,8,16,32)",
                setIntegers([&](std::vector<int> values) { of_m = std::move(values); }));
    line.text(
        "--vary", "m|v|p|recompute",
        "what is varied (m): v; p against d, the same ranks and mini-batch; or the kind of checkpointing",
        axis);
    line.option(
        "--values", "1,2,4",
        "its values (v in powers of two, every p that divides p * d; kinds of checkpointing are 1 none, 2 "
        "selective, 3 full)",
        setIntegers([&](std::vector<int> values) { of_any = std::move(values); }));
    line.integer("--fixed-batch",
                 "samples per iteration: the micro-batch is N / (m * d); 0 = micro-batch as given",
                 request.fixed_batch);
    line.integer("--iterations", "how many of each value (3)", request.iterations);
    line.flag("--json", "one JSON object", json);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    request.config = config_options.resolve();
    if (const auto found = sweepAxisOf(axis))
        request.axis = *found;
    else
        line.refuse(sentence("--vary is m, v, p or recompute, not {0}", axis));
    const bool varies_m = request.axis == SweepAxis::Microbatches;
    if (of_m && (of_any || !varies_m))
        line.refuse(sentence("--m lists the values of m alone: give --values with --vary {0}", axis));
    if (request.fixed_batch > 0 && !varies_m)
        line.refuse(
            sentence("--fixed-batch is for a sweep of m: --vary {0} keeps the mini-batch as it is", axis));
    request.values = of_m ? *of_m : of_any ? *of_any : usualValues(request.axis, request.config);
    if (request.iterations < 1) line.refuse(sentence("--iterations must be at least 1"));
    if (request.fixed_batch < 0) line.refuse(sentence("--fixed-batch must be 0 or more"));
    line.check();

    Cancellation cancel;
    std::atomic<int> signal = 0;
    const Interrupts interrupts([&](int number) {
        signal = number;
        cancel.cancel();
    });
    if (const auto known = measureCosts(request, cancel))
        request.costs_of = [known](const RunConfig& config) {
            return std::optional(estimateCosts(config, &*known));
        };
    const SweepState state = sweep(request, SweepProgress(line.language()), cancel);
    if (json)
        printJson(state);
    else
        printTable({std::cout, line.language()}, state);
    const bool nothing_is_legal = std::none_of(state.points.begin(), state.points.end(),
                                               [](const auto& point) { return point.problems.empty(); });
    if (signal != 0) return statusAfter(signal);
    if (nothing_is_legal) return kNothingLegal;
    const bool nothing_ran =
        std::ranges::none_of(state.points, [](const SweepPoint& point) { return point.median.has_value(); });
    return nothing_ran ? 1 : 0;
}

}  // namespace bscope::cli
