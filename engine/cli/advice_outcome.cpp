#include "cli/advice_outcome.h"

#include <ostream>
#include <stdexcept>

#include "cli/number_text.h"
#include "timeline/measured_report.h"
#include "timeline/median.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

// With everything that no advice changes as it is in `of`.
RunConfig advisable(RunConfig config, const RunConfig& of) {
    RunConfig out = of;
    out.schedule = std::move(config.schedule);
    out.params = config.params;
    out.layers_per_stage = std::move(config.layers_per_stage);
    out.micro_batch = config.micro_batch;
    out.recompute = config.recompute;
    out.link = config.link;
    out.slow_ranks = std::move(config.slow_ranks);
    return out;
}

}  // namespace

PromiseOutcome outcomeIn(const AdviceRequest& request, Provenance provenance,
                         const std::filesystem::path& other) {
    RunLog log(RunLog::Keep::Reports);
    (void)readRecording(other, log);
    if (log.reports().empty()) throw std::runtime_error(other.string() + " holds no complete iteration");
    const auto last = log.startOf(log.lastTraced().iteration);
    if (!last) throw std::runtime_error(other.string() + " does not say what ran");
    if (!request.knows_model || last->import)
        throw std::runtime_error("--outcome compares two runs of bscope; one of the recordings is imported");
    RunConfig own = request.config(), theirs = last->config;
    own.memory_cap_mb = theirs.memory_cap_mb;
    if (advisable(theirs, own) != theirs)
        throw std::runtime_error(other.string() +
                                 " ran with another model, device, clock or training; an outcome is of the "
                                 "same run with another schedule, p, v, m, d, split, micro-batch, "
                                 "recomputation, link or slow ranks");
    if (last->provenance != provenance)
        throw std::runtime_error("the times of the two recordings come from different sources (" +
                                 std::string(toText(provenance)) + ", " + toText(last->provenance) +
                                 ") and are not the same quantity");
    Setting setting{theirs};
    setting.order = last->schedule;
    Promise promise{sentence("the configuration of {0}", other.string()), theirs, provenance,
                    predictSetting(request, setting).iteration_ns};
    Promises promises;
    promises.give(promise);
    for (const IterationReport& report : log.reports())
        if (const auto start = log.startOf(report.iteration)) promises.ran(*start, report);
    if (!promises.outcomes().front().got_ms())
        throw std::runtime_error(other.string() +
                                 " holds one iteration of its last configuration, which warms up and does "
                                 "not count; record two or more");
    return promises.outcomes().front();
}

void addOutcomes(nlohmann::ordered_json& out, const std::vector<PromiseOutcome>& outcomes) {
    if (outcomes.empty()) return;
    nlohmann::ordered_json& list = out["outcomes"] = nlohmann::ordered_json::array();
    const auto orNull = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    for (const PromiseOutcome& each : outcomes)
        list.push_back({{"change", say(each.promise.change, Language::English)},
                        {"provenance", toText(each.promise.provenance)},
                        {"predicted_iteration_ms", toMs(each.promise.predicted_ns)},
                        {"got_iteration_ms", orNull(each.got_ms())},
                        {"iterations", each.lengths_ms.size()},
                        {"error", orNull(each.error())}});
    const std::vector<double> errors = absoluteErrors(outcomes);
    out["median_absolute_error"] =
        errors.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(median(errors));
}

void printOutcomes(std::ostream& out, const std::vector<PromiseOutcome>& outcomes) {
    if (outcomes.empty()) return;
    out << "\nPredicted, then run (the first iteration after a change does not count):\n"
        << "   predicted ms         got ms        error   iterations   change\n";
    for (const PromiseOutcome& each : outcomes) {
        const auto got = each.got_ms();
        const auto error = each.error();
        out << aligned(fixed(toMs(each.promise.predicted_ns), 1), 15)
            << aligned(got ? fixed(*got, 1) : "-", 15)
            << aligned(error ? (*error >= 0 ? "+" : "") + percent(*error) : "-", 13)
            << aligned(std::to_string(each.lengths_ms.size()), 13) << "   "
            << say(each.promise.change, Language::English) << " [" << toText(each.promise.provenance)
            << "]\n";
    }
    if (const std::vector<double> errors = absoluteErrors(outcomes); !errors.empty())
        out << "Median absolute error of " << errors.size() << ": " << percent(median(errors)) << ".\n";
}

}  // namespace bscope::cli
