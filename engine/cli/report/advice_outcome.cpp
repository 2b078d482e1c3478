#include "cli/report/advice_outcome.h"

#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "words/sentence_error.h"

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
    out.checkpoint_every = config.checkpoint_every;
    out.link = config.link;
    out.slow_ranks = std::move(config.slow_ranks);
    return out;
}

}  // namespace

PromiseOutcome outcomeIn(const AdviceRequest& request, Provenance provenance,
                         const std::filesystem::path& other, const LinePrinter& warn) {
    RunLog log(RunLog::Keep::Reports);
    warn.lines(readRecording(other, log).warnings());
    if (log.reports().empty())
        throw SentenceError<>(sentence("{0} holds no complete iteration", other.string()));
    const auto last = log.startOf(log.lastTraced().iteration);
    if (!last) throw SentenceError<>(sentence("{0} does not say what ran", other.string()));
    if (!request.knows_model || last->import)
        throw SentenceError<>(
            sentence("--outcome compares two runs of bscope; one of the recordings is imported"));
    RunConfig own = request.config(), theirs = last->config;
    own.memory_cap_mb = theirs.memory_cap_mb;
    if (advisable(theirs, own) != theirs)
        throw SentenceError<>(sentence(
            "{0} ran with another model, device, clock or training; an outcome is of the same run with "
            "another schedule, p, v, m, d, split, micro-batch, recomputation, link or slow ranks",
            other.string()));
    if (last->provenance != provenance)
        throw SentenceError<>(
            sentence("the times of the two recordings come from different sources ({0}, {1}) and are not the "
                     "same quantity",
                     toText(provenance), toText(last->provenance)));
    Setting setting{theirs};
    setting.order = last->schedule;
    Promise promise{sentence("the configuration of {0}", other.string()), theirs, provenance,
                    predictSetting(request, setting).iteration_ns};
    Promises promises;
    promises.give(promise);
    for (const IterationReport& report : log.reports())
        if (const auto start = log.startOf(report.iteration)) promises.ran(*start, report);
    if (!promises.outcomes().front().got_ms())
        throw SentenceError<>(
            sentence("{0} holds one iteration of its last configuration, which warms up and does not count; "
                     "record two or more",
                     other.string()));
    return promises.outcomes().front();
}

void addOutcomes(nlohmann::ordered_json& out, const std::vector<PromiseOutcome>& outcomes) {
    if (outcomes.empty()) return;
    nlohmann::ordered_json& list = out["outcomes"] = nlohmann::ordered_json::array();
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

void printOutcomes(const LinePrinter& printer, const std::vector<PromiseOutcome>& outcomes) {
    if (outcomes.empty()) return;
    printer.out() << '\n';
    printer.line("Predicted, then run (the first iteration after a change does not count):");
    TextTable table("rrrrl");
    table.row({printer.words("predicted ms"), printer.words("actual ms"), printer.words("error"),
               printer.words("iterations"), printer.words("change")});
    for (const PromiseOutcome& each : outcomes) {
        const auto got = each.got_ms();
        const auto error = each.error();
        table.row({milliseconds(toMs(each.promise.predicted_ns)), got ? milliseconds(*got) : "-",
                   error ? (*error >= 0 ? "+" : "") + percent(*error) : "-",
                   std::to_string(each.lengths_ms.size()),
                   printer.words(each.promise.change) + " [" + toText(each.promise.provenance) + "]"});
    }
    table.print(printer.out());
    if (const std::vector<double> errors = absoluteErrors(outcomes); !errors.empty())
        printer.line("Median absolute error of {0}: {1}.", errors.size(), percent(median(errors)));
}

}  // namespace bscope::cli
