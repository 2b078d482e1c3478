#include "page/run_numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "page/page_words.h"
#include "words/factor_text.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

std::string percent(double share) {
    return fixedText(100 * share, 1) + " %";
}

double ofIdeal(double of_total) {
    return of_total < 1 ? of_total / (1 - of_total) : of_total;
}

// A bubble in both definitions, of which the page shows one.
std::string bubble(double of_total) {
    return "<span class=\"bt\">" + percent(of_total) + "</span><span class=\"bi\">" +
           percent(ofIdeal(of_total)) + "</span>";
}

std::string inDefinition(const Sentence& of_total, const Sentence& of_ideal) {
    return "<span class=\"bt\">" + inBoth(of_total) + "</span><span class=\"bi\">" + inBoth(of_ideal) +
           "</span>";
}

struct Peak {
    std::int64_t bytes = 0;
    int in_flight = 0, rank = 0,
        fullest = 0;  // the ranks that hold the most bytes, and the most micro-batches
};

Peak peakOf(const IterationSummary& summary) {
    Peak peak;
    for (const RankSummary& rank : summary.ranks) {
        if (rank.peak_activation_bytes > peak.bytes) peak.rank = rank.rank;
        if (rank.peak_in_flight > peak.in_flight) peak.fullest = rank.rank;
        peak.bytes = std::max(peak.bytes, rank.peak_activation_bytes);
        peak.in_flight = std::max(peak.in_flight, rank.peak_in_flight);
    }
    return peak;
}

std::string number(const std::string& label, const std::string& value, const std::string& below = {}) {
    return "<div><dt>" + label + "</dt><dd>" + value + (below.empty() ? "" : "<small>" + below + "</small>") +
           "</dd></div>";
}

std::string deviceText(const std::string& device) {
    int cores = 0;
    if (std::sscanf(device.c_str(), "CPU, %d core", &cores) == 1)
        return inBoth(cores == 1 ? sentence("CPU · 1 core") : sentence("CPU · {0} cores", cores));
    std::string text;
    for (const char c : device) text += c == ',' ? std::string(" ·") : std::string(1, c);
    return escaped(text);
}

const char* classOf(Provenance provenance) {
    constexpr const char* kNames[] = {"measured", "reconstructed", "predicted", "imported"};
    return kNames[static_cast<std::size_t>(provenance)];
}

Sentence provenanceName(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return sentence("MEASURED");
        case Provenance::Reconstructed:
            return sentence("RECONSTRUCTED");
        case Provenance::Predicted:
            return sentence("PREDICTED");
        case Provenance::Imported:
            break;
    }
    return sentence("IMPORTED");
}

}  // namespace

std::string titleOf(const PagedRun& run) {
    const std::string& name = run.run.view.config.schedule;
    if (const CatalogEntry* entry = findSchedule(name))
        return inBoth(bscope::titleOf(*entry, Language::English), bscope::titleOf(*entry, Language::Chinese));
    return escaped(bscope::titleOf(name));
}

std::string parametersOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    const ScheduleParams& params = view.config.params;
    std::string text = "p = " + std::to_string(params.p) + ", m = " + std::to_string(params.m);
    if (params.v > 1) text += ", v = " + std::to_string(params.v);
    if (params.d > 1) text += ", d = " + std::to_string(params.d);
    if (view.config.recompute != Recompute::None)
        text += " · " + inBoth(sentence("recomputation: {0}", sentence(toText(view.config.recompute))));
    return text + " · " + inBoth(sentence("iteration {0}", view.number()));
}

std::string badgeOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    const Provenance provenance = run.view.provenance();
    std::string text = inBoth(provenanceName(provenance));
    if (!view.device.empty()) text += " · " + deviceText(view.device);
    if (view.report && view.report->timing.ofGpus()) text += " · " + inBoth(wordsOf(view.report->timing));
    if (view.config.durations == Durations::Calibrated && !view.import)
        text += " · " + inBoth(sentence("durations calibrated"));
    if (view.import && !view.import->aligned)
        text += " · " + inBoth(sentence("operations contradict each other"));
    return "<span class=\"badge " + std::string(classOf(provenance)) + "\">" + text + "</span>";
}

Sentence provenanceWords(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return sentence(
                "MEASURED: all ranks ran at the same time, each on its own device, and their times share one "
                "time base.");
        case Provenance::Reconstructed:
            return sentence(
                "RECONSTRUCTED: every operation ran and was timed alone; its position is computed as if "
                "every rank had its own device.");
        case Provenance::Predicted:
            return sentence(
                "PREDICTED: nothing ran; the times are computed from the schedule and from durations that "
                "were given or taken from a run.");
        case Provenance::Imported:
            break;
    }
    return sentence("IMPORTED: another program ran and timed it; the times come from its files.");
}

std::string numbersOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    const IterationSummary& numbers = *view.summary;
    const IterationReport& report = *view.report;
    const std::string ranks = view.config.params.d > 1 ? "p × d" : "p";
    std::string compared;
    if (view.import && !roundsToNothing(view.import->understated_by))
        compared = "<strong>" +
                   inBoth(sentence("may be too low, by up to {0} points",
                                   fixedText(100 * view.import->understated_by, 1))) +
                   "</strong><br>";
    if (!std::isnan(report.predicted_bubble_of_total))
        compared += inBoth(sentence("predicted")) + ' ' + bubble(report.predicted_bubble_of_total);
    if (report.theory_bubble_of_total)
        compared += (compared.ends_with("</span>") ? " · " : "") + inBoth(sentence("theory")) + ' ' +
                    bubble(*report.theory_bubble_of_total);
    std::string all = number(inDefinition(sentence("bubble, of total"), sentence("bubble, of ideal")),
                             "<b>" + bubble(numbers.bubble_of_total) + "</b>",
                             inDefinition(sentence("idle time ÷ ({0} × iteration time)", ranks),
                                          sentence("idle time ÷ compute time")) +
                                 (compared.empty() ? "" : "<br>" + compared));
    all +=
        number(inBoth(sentence("iteration time")),
               "<b>" + millisecondsText(static_cast<double>(numbers.iteration_ns) / 1e6) + " ms</b>",
               report.tokens_per_s > 0 ? inBoth(sentence("{0} tokens/s", fixedText(report.tokens_per_s, 0)))
                                       : std::string());
    if (const Peak peak = peakOf(numbers); peak.bytes > 0) {
        all += number(inBoth(sentence("peak activations")),
                      "<b>" + megabytesText(static_cast<double>(peak.bytes)) + " MB</b>",
                      inBoth(sentence("on rank {0}", peak.rank)));
        all += number(inBoth(sentence("most in flight")), "<b>" + std::to_string(peak.in_flight) + "</b>",
                      inBoth(sentence("micro-batches on rank {0}", peak.fullest)));
    }
    if (report.loss > 0)
        all += number(inBoth(sentence("loss")), "<b>" + fixedText(report.loss, 3) + "</b>",
                      inBoth(sentence("before the optimizer step")));
    return "<dl class=\"numbers\">" + all + "</dl>";
}

std::string causesOf(const PagedRun& run) {
    const BubbleCauses* causes = run.view.causes();
    if (causes == nullptr) return {};
    if (causes->idle_ns() <= 0) return "<p class=\"causes\">" + inBoth(sentence("No rank is idle.")) + "</p>";
    std::vector<std::pair<std::int64_t, BubbleCause>> parts;
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (const std::int64_t ns = causes->totals()[static_cast<std::size_t>(cause)]; ns > 0)
            parts.emplace_back(ns, static_cast<BubbleCause>(cause));
    std::ranges::sort(parts, std::greater{}, [](const auto& part) { return part.first; });
    std::string list;
    for (const auto& [ns, cause] : parts)
        list += "<li>" + inBoth(wordsOf(cause)) + " <b>" +
                percent(static_cast<double>(ns) / static_cast<double>(causes->idle_ns())) + "</b></li>";
    return "<div class=\"causes\"><span>" +
           inBoth(sentence("idle time of all ranks, {0} ms, by cause:",
                           millisecondsText(static_cast<double>(causes->idle_ns()) / 1e6))) +
           "</span><ul>" + list + "</ul></div>";
}

std::string comparisonOf(std::span<const PagedRun> runs) {
    struct Row {
        std::string label;
        std::function<double(const PagedRun&)> value;  // not above 0: not known
        std::function<std::string(double, int decimals)> text;
        const char* shown = "";  // with one definition of the bubble only
        bool is_share = false;   // whose differences are percentage points
        int decimals = -1;       // -1: as many as the least of them needs
    };
    const auto report = [](const PagedRun& run) -> const IterationReport& { return *run.run.view.report; };
    const auto in = [](const char* unit) {
        return [unit](double value, int decimals) { return fixedText(value, decimals) + unit; };
    };
    const std::vector<Row> rows{
        {inBoth(sentence("bubble, of total")),
         [](const PagedRun& run) { return 100 * run.run.view.summary->bubble_of_total; }, in(" %"), "bt",
         true, 1},
        {inBoth(sentence("bubble, of ideal")),
         [](const PagedRun& run) { return 100 * ofIdeal(run.run.view.summary->bubble_of_total); }, in(" %"),
         "bi", true, 1},
        {inBoth(sentence("iteration time")),
         [](const PagedRun& run) { return static_cast<double>(run.run.view.summary->iteration_ns) / 1e6; },
         in(" ms")},
        {inBoth(sentence("tokens/s")), [&](const PagedRun& run) { return report(run).tokens_per_s; }, in(""),
         "", false, 0},
        {inBoth(sentence("peak activations")),
         [](const PagedRun& run) { return static_cast<double>(peakOf(*run.run.view.summary).bytes) / 1e6; },
         in(" MB")},
        {inBoth(sentence("most in flight")),
         [](const PagedRun& run) { return static_cast<double>(peakOf(*run.run.view.summary).in_flight); },
         in(""), "", false, 0},
        {inBoth(sentence("loss")), [&](const PagedRun& run) { return report(run).loss; }, in(""), "", false,
         3}};
    std::string head = "<tr><td></td>";
    bool alike = true;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::string letter(1, static_cast<char>('A' + i));
        head += "<th scope=\"col\">" + letter + " · " + titleOf(runs[i]) + "<small>" +
                inBoth(provenanceName(runs[i].view.provenance())) + "</small></th>";
        if (i > 0) head += "<th scope=\"col\">" + letter + " − A</th>";
        alike = alike && runs[i].view.provenance() == runs.front().view.provenance();
    }
    std::string body;
    for (const Row& row : rows) {
        std::string cells;
        bool known = false;
        int decimals = row.decimals;
        for (const PagedRun& run : runs)
            if (const double value = row.value(run); row.decimals < 0 && value > 0)
                decimals = std::max(decimals, decimalsOf(value));
        const auto text_of = [&](double value) { return row.text(value, std::max(0, decimals)); };
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const double value = row.value(runs[i]), first = row.value(runs.front());
            const bool here = value > 0 || row.is_share;
            known = known || here;
            cells += "<td>" + (here ? text_of(value) : "–") + "</td>";
            if (i == 0) continue;
            // Of what is printed, so that no reader finds an error by subtracting.
            const auto printed = [&](double of) { return std::strtod(text_of(of).c_str(), nullptr); };
            const double difference = printed(value) - printed(first);
            const std::string text = text_of(std::abs(difference));
            cells +=
                "<td class=\"diff\">" +
                (here && (first > 0 || row.is_share)
                     ? (difference > 0   ? "+"
                        : difference < 0 ? "−"
                                         : "") +
                           (row.is_share ? inBoth(sentence("{0} points", fixedText(std::abs(difference), 1)))
                                         : text)
                     : "–") +
                "</td>";
        }
        if (known)
            body += "<tr class=\"" + std::string(row.shown) + "\"><th scope=\"row\">" + row.label + "</th>" +
                    cells + "</tr>";
    }
    return "<div class=\"table\"><table><thead>" + head + "</tr></thead><tbody>" + body +
           "</tbody></table></div><p class=\"soft\">" +
           inBoth(sentence("Each number is of the one iteration that is shown, so a small difference may be "
                           "noise: `bscope compare` compares all iterations.")) +
           (alike ? std::string()
                  : ' ' + inBoth(sentence("The times come from different places, as the badges state: they "
                                          "compare orders, not speeds."))) +
           "</p>";
}

}  // namespace bscope::page
