#include "page/run_numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "page/page_words.h"
#include "view/text/provenance_words.h"
#include "words/factor_text.h"
#include "words/number_text.h"

namespace bscope::page {

namespace {

// A bubble in both definitions, of which the page shows one.
std::string bubble(double of_total) {
    return "<span class=\"bt\">" + percentText(of_total) + "</span><span class=\"bi\">" +
           percentText(ofIdeal(of_total)) + "</span>";
}

std::string inDefinition(const Sentence& of_total, const Sentence& of_ideal) {
    return "<span class=\"bt\">" + inBoth(of_total) + "</span><span class=\"bi\">" + inBoth(of_ideal) +
           "</span>";
}

std::string number(const std::string& label, const std::string& value, const std::string& below = {}) {
    return "<div><dt>" + label + "</dt><dd>" + value + (below.empty() ? "" : "<small>" + below + "</small>") +
           "</dd></div>";
}

const char* classOf(Provenance provenance) {
    constexpr const char* kNames[] = {"measured", "reconstructed", "predicted", "imported"};
    return kNames[static_cast<std::size_t>(provenance)];
}

const char* classOf(NumberRow::Shown shown) {
    constexpr const char* kNames[] = {"", "bt", "bi"};
    return kNames[static_cast<std::size_t>(shown)];
}

}  // namespace

std::string badgeHtml(const PagedRun& run) {
    return "<span class=\"badge " + std::string(classOf(run.view.provenance())) + "\">" +
           inBoth(badgeOf(run)) + "</span>";
}

std::string numbersOf(const PagedRun& run) {
    const IterationView& view = run.run.view;
    const IterationSummary& numbers = *view.summary;
    const IterationReport& report = *view.report;
    std::string compared;
    if (view.import && !roundsToNothing(view.import->understated_by))
        compared = "<strong>" +
                   inBoth(sentence("may be too low, by up to {0} points",
                                   percentNumber(view.import->understated_by))) +
                   "</strong><br>";
    if (!std::isnan(report.predicted_bubble_of_total))
        compared += inBoth(sentence("predicted")) + ' ' + bubble(report.predicted_bubble_of_total);
    if (report.theory_bubble_of_total)
        compared += (compared.ends_with("</span>") ? " · " : "") + inBoth(sentence("theory")) + ' ' +
                    bubble(*report.theory_bubble_of_total);
    std::string all = number(inDefinition(sentence("bubble, of total"), sentence("bubble, of ideal")),
                             "<b>" + bubble(numbers.bubble_of_total) + "</b>",
                             inDefinition(definitionOfTotal(run), definitionOfIdeal()) +
                                 (compared.empty() ? "" : "<br>" + compared));
    all +=
        number(inBoth(sentence("iteration time")),
               "<b>" + millisecondsText(static_cast<double>(numbers.iteration_ns) / 1e6) + " ms</b>",
               report.tokens_per_s > 0 ? inBoth(sentence("{0} tokens/s", fixedText(report.tokens_per_s, 0)))
                                       : std::string());
    if (const RunPeak peak = peakOf(numbers); peak.bytes > 0) {
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
                percentText(static_cast<double>(ns) / static_cast<double>(causes->idle_ns())) + "</b></li>";
    return "<div class=\"causes\"><span>" +
           inBoth(sentence("idle time of all ranks, {0} ms, by cause:",
                           millisecondsText(static_cast<double>(causes->idle_ns()) / 1e6))) +
           "</span><ul>" + list + "</ul></div>";
}

std::string comparisonOf(std::span<const PagedRun> runs) {
    std::string head = "<tr><td></td>";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        head += "<th scope=\"col\">" + letterOf(i, runs.size()) + inBoth(titleOf(runs[i])) + "<small>" +
                inBoth(provenanceName(runs[i].view.provenance())) + "</small></th>";
        if (i > 0) head += "<th scope=\"col\">" + std::string(1, static_cast<char>('A' + i)) + " − A</th>";
    }
    std::string body;
    for (const NumberRow& row : rowsOf(runs)) {
        body += "<tr class=\"" + std::string(classOf(row.shown)) + "\"><th scope=\"row\">" +
                inBoth(row.label) + "</th>";
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            body += "<td>" + row.values[i] + "</td>";
            if (i > 0) body += "<td class=\"diff\">" + inBoth(row.differences[i - 1]) + "</td>";
        }
        body += "</tr>";
    }
    std::string caveats;
    for (const Sentence& caveat : caveatsOf(runs)) caveats += (caveats.empty() ? "" : " ") + inBoth(caveat);
    return "<div class=\"table\"><table><thead>" + head + "</tr></thead><tbody>" + body +
           "</tbody></table></div><p class=\"soft\">" + caveats + "</p>";
}

}  // namespace bscope::page
