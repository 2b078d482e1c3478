// bscope sweep: really runs each m for a few iterations and says which is best. Ctrl-C keeps what was
// measured.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/json_text.h"
#include "cli/number_text.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "run/sweep.h"
#include "server/interrupts.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

constexpr int kNothingLegal = 2;

std::int64_t peakBytes(const IterationReport& report) {
    std::int64_t peak = 0;
    for (const auto& rank : report.ranks) peak = std::max(peak, rank.peak_activation_bytes);
    return peak;
}

nlohmann::ordered_json pointJson(const SweepPoint& point) {
    nlohmann::ordered_json problems = nlohmann::ordered_json::array();
    for (const auto& problem : point.problems) problems.push_back(problem.text());
    nlohmann::ordered_json json = {{"m", point.m},
                                   {"micro_batch", point.micro_batch},
                                   {"iterations", point.iterations_done},
                                   {"over_cap", point.over_cap},
                                   {"problems", std::move(problems)},
                                   {"predicted_tokens_per_s", point.predicted_tokens_per_s},
                                   {"predicted_bubble_of_total", point.predicted_bubble_of_total},
                                   {"predicted_peak_activation_bytes", point.predicted_peak_bytes}};
    if (!point.median) return json;
    json["provenance"] = toText(point.median->provenance);
    json["tokens_per_s"] = point.median->tokens_per_s;
    json["tokens_per_s_min"] = point.tokens_per_s_min;
    json["tokens_per_s_max"] = point.tokens_per_s_max;
    json["bubble_of_total"] = point.median->bubble_of_total;
    json["iteration_ms"] = point.median->iteration_ms;
    json["peak_activation_bytes"] = peakBytes(*point.median);
    return json;
}

void printJson(const SweepState& state) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const auto& point : state.points) points.push_back(pointJson(point));
    std::cout << jsonText({{"points", std::move(points)},
                           {"cancelled", state.cancelled},
                           {"best_m", state.best_m},
                           {"why", say(state.why, Language::English)}})
              << '\n';
}

void printTable(const SweepState& state) {
    std::cout << "   m  micro-batch   tokens/s (least .. most)     bubble of total   predicted   peak "
                 "activations\n";
    for (const auto& point : state.points) {
        std::cout << aligned(std::to_string(point.m), 4) << aligned(std::to_string(point.micro_batch), 13);
        if (point.median)
            std::cout << aligned(fixed(point.median->tokens_per_s, 0), 11)
                      << padded(" (" + fixed(point.tokens_per_s_min, 0) + " .. " +
                                    fixed(point.tokens_per_s_max, 0) + ")",
                                18)
                      << aligned(percent(point.median->bubble_of_total), 18)
                      << aligned(percent(point.predicted_bubble_of_total), 12)
                      << aligned(megabytes(peakBytes(*point.median)), 19)
                      << (point.m == state.best_m ? "  <- best" : "");
        else if (point.over_cap)
            std::cout << "   not run: needs " << megabytes(point.predicted_peak_bytes)
                      << " of activations on a rank, more than the cap";
        else if (!point.problems.empty())
            std::cout << "   not run: " << point.problems.front().text();
        else
            std::cout << "   not run";
        std::cout << '\n';
    }
    for (const auto& point : state.points) {
        if (!point.median) continue;
        std::cout << toText(point.median->provenance) << " on " << point.median->device
                  << "; median iteration by tokens/s; bubble of total = 1 - compute / ("
                  << (point.median->d > 1 ? "p * d" : "p") << " * iteration)\n";
        break;
    }
    if (!state.why.empty()) std::cout << say(state.why, Language::English) << '\n';
}

class SweepProgress {
public:
    void operator()(const SweepState& state) {
        int done = 0, all = 0;
        for (const auto& point : state.points) {
            done += point.iterations_done;
            all += point.iterations;
        }
        if (moving_)
            std::cerr << "\rsweep: " << done << " of " << all << " iterations\033[K"
                      << (state.finished || state.cancelled ? "\n" : "") << std::flush;
        else if (done > told_)
            std::cerr << "sweep: " << done << " of " << all << " iterations\n";
        told_ = done;
    }

private:
    bool moving_ = errorsGoToTerminal();
    int told_ = 0;
};

// Costs under the configured micro-batch size, from two iterations at the first m that is legal: with them
// the sweep predicts before it measures.
std::optional<Costs> measureCosts(const SweepRequest& request, Cancellation& cancel) {
    for (const int m : request.m) {
        RunConfig config = request.config;
        config.params.m = m;
        config.memory_cap_mb = 0;
        if (!problems(config).empty()) continue;
        RunObserver nobody;
        Run run(config, nobody);
        const Cancellation::Working working(cancel, run);
        try {
            run.iterate(1);
            return run.iterate().costs;
        } catch (const RunFailure& failure) {
            if (!cancel || failure.rank >= 0) throw;
        }
        break;
    }
    return std::nullopt;
}

}  // namespace

int sweepCommand(const Arguments& arguments) {
    CommandLine line("sweep", "Really runs each m for a few iterations and says which is best, and why.",
                     "bscope sweep --m 1,2,4,8,16,32 --fixed-batch 32 -p 4");
    SweepRequest request;
    request.m = {1, 2, 4, 8, 16, 32};
    bool json = false;
    line.option("--m", "1,2,4,8", "the values of m (1,2,4,8,16,32)",
                setIntegers([&](std::vector<int> values) { request.m = std::move(values); }));
    line.integer("--fixed-batch",
                 "samples per iteration: the micro-batch is N / (m * d); 0 = micro-batch as given",
                 request.fixed_batch);
    line.integer("--iterations", "how many of each m (3)", request.iterations);
    line.flag("--json", "one JSON object", json);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    request.config = config_options.resolve();
    if (request.iterations < 1) line.refuse(sentence("--iterations must be at least 1"));
    if (request.fixed_batch < 0) line.refuse(sentence("--fixed-batch must be 0 or more"));
    line.check();

    Cancellation cancel;
    std::atomic<int> signal = 0;
    const Interrupts interrupts([&](int number) {
        signal = number;
        cancel.cancel();
    });
    request.costs = measureCosts(request, cancel);
    const SweepState state = sweep(request, SweepProgress(), cancel);
    if (json)
        printJson(state);
    else
        printTable(state);
    const bool nothing_is_legal = std::none_of(state.points.begin(), state.points.end(),
                                               [](const auto& point) { return point.problems.empty(); });
    if (signal != 0) return statusAfter(signal);
    return nothing_is_legal ? kNothingLegal : 0;
}

}  // namespace bscope::cli
