#include "page/run_words.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "view/text/device_words.h"
#include "view/text/provenance_words.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

const IterationReport& reportOf(const PagedRun& run) {
    return *run.run.view.report;
}
const IterationSummary& summaryOf(const PagedRun& run) {
    return *run.run.view.summary;
}

// What a row of the table is made of.
struct Quantity {
    Bilingual label;
    std::function<double(const PagedRun&)> value;  // not above 0: not known
    const char* unit = "";
    NumberRow::Shown shown = NumberRow::Shown::Always;
    bool is_share = false;  // whose differences are percentage points
    int decimals = -1;      // -1: as many as the least of them needs
    bool falls = false;     // from iteration to iteration: of different ones there is no difference
};

bool sameIteration(const PagedRun& a, const PagedRun& b) {
    return a.run.view.number() == b.run.view.number();
}

std::vector<Quantity> quantities() {
    using Shown = NumberRow::Shown;
    return {
        {sentence("bubble, of total"),
         [](const PagedRun& run) { return 100 * summaryOf(run).bubble_of_total; }, " %", Shown::OfTotal, true,
         1},
        {sentence("bubble, of ideal"),
         [](const PagedRun& run) { return 100 * ofIdeal(summaryOf(run).bubble_of_total); }, " %",
         Shown::OfIdeal, true, 1},
        {sentence("iteration time"),
         [](const PagedRun& run) { return static_cast<double>(summaryOf(run).iteration_ns) / 1e6; }, " ms"},
        {sentence("tokens/s"), [](const PagedRun& run) { return reportOf(run).tokens_per_s; }, "",
         Shown::Always, false, 0},
        {sentence("peak activations"),
         [](const PagedRun& run) { return static_cast<double>(peakOf(summaryOf(run)).bytes) / 1e6; }, " MB"},
        {sentence("most in flight"),
         [](const PagedRun& run) { return static_cast<double>(peakOf(summaryOf(run)).in_flight); }, "",
         Shown::Always, false, 0},
        {sentence("loss"), [](const PagedRun& run) { return reportOf(run).loss; }, "", Shown::Always, false,
         3, true}};
}

Bilingual differenceText(const Quantity& quantity, double difference, int decimals) {
    const std::string sign = difference > 0 ? "+" : difference < 0 ? "−" : "";
    if (quantity.is_share)
        return Bilingual(sign) + sentence("{0} points", fixedText(std::abs(difference), 1));
    return sign + fixedText(std::abs(difference), decimals) + quantity.unit;
}

NumberRow rowOf(const Quantity& quantity, std::span<const PagedRun> runs) {
    std::vector<double> values;
    for (const PagedRun& run : runs) values.push_back(quantity.value(run));
    int decimals = quantity.decimals;
    for (const double value : values)
        if (quantity.decimals < 0 && value > 0) decimals = std::max(decimals, decimalsOf(value));
    decimals = std::max(0, decimals);
    const auto is_known = [&](double value) { return value > 0 || quantity.is_share; };
    // Of what is printed, so that no reader finds an error by subtracting.
    const auto printed = [&](double value) { return roundedTo(value, decimals); };
    NumberRow row{quantity.label, quantity.shown, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i], first = values.front();
        row.values.push_back(is_known(value) ? fixedText(value, decimals) + quantity.unit : "–");
        if (i > 0)
            row.differences.push_back(
                is_known(value) && is_known(first) &&
                        (!quantity.falls || sameIteration(runs[i], runs.front()))
                    ? differenceText(quantity, printed(value) - printed(first), decimals)
                    : Bilingual("–"));
    }
    return row;
}

}  // namespace

std::vector<PagedRun> pagedRuns(std::span<const PageRun> runs) {
    std::vector<PreparedView> views;
    for (const PageRun& run : runs) views.emplace_back(run.view);
    PreparedView::shareMemoryScale(views);
    std::vector<PagedRun> paged;
    for (std::size_t i = 0; i < runs.size(); ++i) paged.push_back({runs[i], std::move(views[i])});
    return paged;
}

std::string letterOf(std::size_t index, std::size_t of) {
    return of > 1 ? std::string(1, static_cast<char>('A' + index)) + " · " : "";
}

Bilingual titleOf(const PagedRun& run) {
    const std::string& name = run.run.view.config.schedule;
    if (const CatalogEntry* entry = findSchedule(name))
        return {bscope::titleOf(*entry, Language::English), bscope::titleOf(*entry, Language::Chinese)};
    return bscope::titleOf(name);
}

Bilingual settingsOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    const ScheduleParams& params = view.config.params;
    Bilingual text = "p = " + std::to_string(params.p) + ", m = " + std::to_string(params.m);
    if (params.v > 1) text += ", v = " + std::to_string(params.v);
    if (params.d > 1) text += ", d = " + std::to_string(params.d);
    if (params.zero > 0) text += ", ZeRO-" + std::to_string(params.zero);
    if (params.t > 1) text += ", t = " + std::to_string(params.t);
    if (params.segments > 1) text += ", q = " + std::to_string(params.segments);
    if (view.config.sequence_parallel) text += Bilingual(" · ") + sentence("sequence parallelism");
    if (view.config.recompute != Recompute::None)
        text += Bilingual(" · ") + sentence("recomputation: {0}", sentence(toText(view.config.recompute)));
    return text;
}

Bilingual parametersOf(const PagedRun& run) {
    return settingsOf(run) + " · " + sentence("iteration {0}", run.run.view.number());
}

Bilingual badgeOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    Bilingual text = provenanceName(run.view.provenance());
    if (!view.device.empty()) text += Bilingual(" · ") + deviceWords(view.device);
    if (view.report && view.report->timing.ofGpus()) text += Bilingual(" · ") + wordsOf(view.report->timing);
    if (view.config.durations == Durations::Calibrated && !view.import)
        text += Bilingual(" · ") + sentence("durations calibrated");
    if (view.import && !view.import->aligned)
        text += Bilingual(" · ") + sentence("operations contradict each other");
    return text;
}

double ofIdeal(double of_total) {
    return of_total < 1 ? of_total / (1 - of_total) : of_total;
}

Sentence definitionOfTotal(const PagedRun& run) {
    return sentence("idle time ÷ ({0} × iteration time)",
                    run.run.view.config.params.layout().worldText(" × "));
}

Sentence definitionOfIdeal() {
    return sentence("idle time ÷ compute time");
}

RunPeak peakOf(const IterationSummary& summary) {
    RunPeak peak;
    for (const RankSummary& rank : summary.ranks) {
        if (rank.peak_activation_bytes > peak.bytes) peak.rank = rank.rank;
        if (rank.peak_in_flight > peak.in_flight) peak.fullest = rank.rank;
        peak.bytes = std::max(peak.bytes, rank.peak_activation_bytes);
        peak.in_flight = std::max(peak.in_flight, rank.peak_in_flight);
    }
    return peak;
}

std::vector<NumberRow> rowsOf(std::span<const PagedRun> runs) {
    std::vector<NumberRow> rows;
    for (const Quantity& quantity : quantities()) {
        NumberRow row = rowOf(quantity, runs);
        if (std::ranges::any_of(row.values, [](const std::string& value) { return value != "–"; }))
            rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Sentence> caveatsOf(std::span<const PagedRun> runs) {
    std::vector<Sentence> caveats{
        sentence("Each number is of the one iteration that is shown, so a small difference may be "
                 "noise: `bscope compare` compares all iterations.")};
    if (std::ranges::any_of(runs, [&](const PagedRun& run) {
            return reportOf(run).loss > 0 && !sameIteration(run, runs.front());
        }))
        caveats.push_back(
            sentence("The losses are of different iterations of the training: their difference would say "
                     "nothing of the "
                     "schedules, and is left out."));
    if (std::ranges::any_of(runs, [&](const PagedRun& run) {
            return run.view.provenance() != runs.front().view.provenance();
        }))
        caveats.push_back(sentence(
            "The times come from different places, as the badges state: they compare orders, not speeds."));
    return caveats;
}

}  // namespace bscope::page
