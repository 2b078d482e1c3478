#include "cli/report/advice_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "advice/candidate_costs.h"
#include "analysis/causes.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

std::string numberText(double number) {
    return nlohmann::ordered_json(number).dump();
}

// The options of `bscope run` that make it, where there are such.
std::string optionsText(const Setting& setting, const RunConfig& now) {
    const RunConfig& config = setting.config;
    std::string text;
    const auto add = [&text](const std::string& option, const std::string& value) {
        text += (text.empty() ? "" : " ") + option + " " + value;
    };
    if (setting.order || !setting.isConfiguration()) return {};
    if (config.schedule != now.schedule || config.params.v != now.params.v) {
        add("--schedule", config.schedule);
        add("-v", std::to_string(config.params.v));
    }
    if (config.params.p != now.params.p) add("-p", std::to_string(config.params.p));
    if (config.params.d != now.params.d) add("-d", std::to_string(config.params.d));
    if (config.params.m != now.params.m) add("-m", std::to_string(config.params.m));
    if (config.micro_batch != now.micro_batch) add("--micro-batch", std::to_string(config.micro_batch));
    if (config.recompute != now.recompute) add("--recompute", toText(config.recompute));
    if (config.checkpoint_every != now.checkpoint_every)
        add("--checkpoint-every", toText(config.checkpoint_every));
    if (config.link.latency_us != now.link.latency_us)
        add("--link-latency-us", numberText(config.link.latency_us));
    if (config.link.gbps != now.link.gbps) add("--link-gbps", numberText(config.link.gbps));
    if (!config.layers_per_stage.empty() && config.layers_per_stage != now.layers_per_stage) {
        std::string split;
        for (const int layers : config.layers_per_stage)
            split += (split.empty() ? "" : ",") + std::to_string(layers);
        add("--layers-per-stage", split);
    }
    return text;
}

double tokensPerSecond(const Prediction& predicted, int tokens_a_sample) {
    return 1e9 * static_cast<double>(predicted.samples) * tokens_a_sample /
           static_cast<double>(predicted.iteration_ns);
}

nlohmann::ordered_json candidateJson(const Candidate& candidate, const RunConfig& now, bool knows_model) {
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
        if (predicted.bubble_of_span) out["bubble_of_span"] = *predicted.bubble_of_span;
        if (knows_model) {
            out["samples"] = predicted.samples;
            out["predicted_tokens_per_s"] = tokensPerSecond(predicted, now.model.sequence);
        }
        out["peak_bytes_of_ranks"] = predicted.peak_bytes;
        out["most_in_flight"] = predicted.most_in_flight;
        out["weight_copies"] = predicted.weight_copies;
        out["staleness"] = predicted.staleness;
        out["messages"] = predicted.messages;
        if (knows_model) {
            out["state_bytes"] = predicted.state_bytes;
            out["message_bytes"] = predicted.message_bytes;
            out["optimizer_ms"] = toMs(predicted.optimizer_ns);
        }
    }
    const std::string options = optionsText(candidate.setting, now);
    if (!options.empty()) out["options"] = options;
    return out;
}

}  // namespace

Advice advised(const AdviceRequest& request, double search_s) {
    Advice advice = advise(request);
    if (!advice.refusal.empty() || search_s <= 0) return advice;
    const auto budget = std::chrono::milliseconds(std::llround(1e3 * search_s));
    if (auto searched = searchedCandidate(request, advice.now, budget))
        addInOrder(advice, std::move(*searched));
    return advice;
}

BubbleCauses causesOf(const ImportedRun& run, int iteration) {
    RunFacts facts = factsOfRun(run.schedule, {}, &run.origin, {});
    SeriesMedians medians;
    for (auto each = run.reports.rbegin();
         each != run.reports.rend() && medians.size() < kSeriesIterations && run.schedule.step_every == 0;
         ++each)
        if (each->isTraced() && operationsOf(run.timeline, each->iteration) <= kMostOfSeries)
            medians.push_back(iterationMedians(run.timeline, each->iteration, false));
    facts.series = seriesOf(std::move(medians), true);
    return {run.timeline, iteration, facts};
}

double medianIterationMs(const ImportedRun& run) {
    std::vector<double> lengths;
    for (const IterationReport& report : run.reports) lengths.push_back(report.iteration_ms);
    return median(lengths);
}

AdviceRequest adviceRequest(const ImportedRun& run) {
    RunConfig config;
    config.schedule = run.schedule.name;
    config.params = run.schedule.params;
    config.recompute = run.recompute;
    std::vector<double> slowness;
    const double middle = medianIterationMs(run);
    const IterationReport& usual = *std::ranges::min_element(
        run.reports, {},
        [middle](const IterationReport& each) { return std::abs(each.iteration_ms - middle); });
    const BubbleCauses causes = causesOf(run, usual.iteration);
    for (int rank = 0; rank < run.timeline.ranks(); ++rank)
        slowness.push_back(causes.usual().slowness(rank));
    return requestOfImport(config, run.origin.costs, std::make_shared<const Schedule>(run.schedule),
                           std::move(slowness));
}

nlohmann::ordered_json candidatesJson(const Advice& advice, const RunConfig& now, bool knows_model) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Candidate& candidate : advice.candidates)
        out.push_back(candidateJson(candidate, now, knows_model));
    return out;
}

void printDoubt(const LinePrinter& printer, double ran_ms, const Advice& advice) {
    if (const Sentence doubt = doubtOf(1e6 * ran_ms, advice.now); !doubt.empty())
        printer.line("Caution: {0}.", doubt);
}

void addDoubt(nlohmann::ordered_json& out, double ran_ms, const Advice& advice) {
    if (const Sentence doubt = doubtOf(1e6 * ran_ms, advice.now); !doubt.empty())
        out["caution"] = say(doubt, Language::English);
}

void printCandidates(const LinePrinter& printer, const AdviceRequest& request, const Advice& advice,
                     double ran_ms, bool numbered) {
    std::ostream& out = printer.out();
    const auto words = [&printer](const Sentence& said) { return printer.words(said); };
    const bool bytes = !advice.now.peak_bytes.empty();
    // Only of our own runs tokens are known.
    const int tokens_a_sample = request.knows_model ? request.config().model.sequence : 0;
    TextTable table(std::string(numbered ? "r" : "") + (tokens_a_sample > 0 ? "rrrrrrl" : "rrrrrl"));
    std::vector<std::string> heads{words(sentence("gain")),
                                   words(sentence("iteration ms")),
                                   words(sentence("bubble of total")),
                                   words(bytes ? sentence("peak activations") : sentence("most in flight")),
                                   words(sentence("messages")),
                                   words(sentence("change"))};
    if (tokens_a_sample > 0) heads.insert(heads.begin() + 2, words(sentence("tokens/s")));
    if (numbered) heads.insert(heads.begin(), "");
    table.row(heads);
    int number = 0;
    for (const Candidate& candidate : advice.candidates) {
        if (!candidate.predicted) continue;
        const Prediction& predicted = *candidate.predicted;
        Sentence change =
            candidate.trainsDifferently() ? sentence("asynchronous: {0}", candidate.change) : candidate.change;
        for (Sentence& cost : costsInWords(candidate, advice.now, request.knows_model))
            change = sentence("{0}; {1}", std::move(change), std::move(cost));
        if (!candidate.excluded.empty())
            change = sentence("{0}; excluded: {1}", std::move(change), candidate.excluded);
        std::vector<std::string> cells{
            percent(candidate.gain),
            milliseconds(toMs(predicted.iteration_ns)),
            percent(predicted.bubble_of_total),
            bytes ? megabytes(predicted.greatestPeak()) : fixed(predicted.most_in_flight, 2),
            std::to_string(predicted.messages),
            words(change)};
        if (tokens_a_sample > 0)
            cells.insert(cells.begin() + 2, fixed(tokensPerSecond(predicted, tokens_a_sample), 0));
        if (numbered) cells.insert(cells.begin(), std::to_string(++number));
        table.row(cells);
    }
    table.print(out);
    out << '\n'
        << words(bytes ? sentence(
                             "PREDICTED: nothing of this ran. gain = share of the time of a sample that is "
                             "saved, against the run's own prediction.")
                       : sentence("PREDICTED: nothing of this ran. gain = share of the time of a micro-batch "
                                  "that is saved, against the run's own prediction."))
        << '\n';
    printDoubt(printer, ran_ms, advice);
    bool first = true;
    for (const Candidate& candidate : advice.candidates) {
        if (candidate.predicted) continue;
        if (std::exchange(first, false)) out << words(sentence("Not legal here:")) << '\n';
        out << "  " << words(sentence("{0}: {1}", candidate.change, candidate.excluded)) << '\n';
    }
}

}  // namespace bscope::cli
