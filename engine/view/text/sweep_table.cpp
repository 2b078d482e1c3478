#include "view/text/sweep_table.h"

#include <algorithm>
#include <cmath>

#include "report/sweep_ranking.h"
#include "view/text/device_words.h"
#include "words/number_text.h"

namespace bscope {
namespace {

std::string percentOf(double share) {
    return std::isnan(share) ? "-" : percentText(share);
}
std::string megabytesOf(std::int64_t bytes) {
    return megabytesText(static_cast<double>(bytes)) + " MB";
}

std::string nameOf(const SweepPoint& point, SweepAxis axis) {
    return axis == SweepAxis::Microbatches ? std::to_string(point.m) : point.setting;
}

// Why a value was not run, or not yet.
Sentence whyNotRun(const SweepPoint& point) {
    if (point.over_cap)
        return sentence("not run: needs {0} of activations on a rank, more than the cap",
                        megabytesOf(point.predicted_peak_bytes));
    if (!point.problems.empty()) return sentence("not run: {0}", point.problems.front().withLegal());
    return sentence("not run");
}

Sentence standingText(const SweepPoint& point, const SweepRanking& standing) {
    const bool equal = std::ranges::count(standing.equals, point.value) > 0;
    if (point.value != standing.best && !equal) return {};
    if (!standing.equals.empty()) return sentence("<- no difference");
    return standing.open ? sentence("<- ahead so far") : sentence("<- best");
}

SweepRow rowOf(const SweepPoint& point, SweepAxis axis, const SweepRanking& standing, Language language) {
    SweepRow row{point.value, point.median.has_value(), {}};
    const bool is_predicted = point.predicted_tokens_per_s > 0;
    row.cells = {nameOf(point, axis), std::to_string(point.micro_batch)};
    row.cells[5] = is_predicted ? percentOf(point.predicted_bubble_of_total) : "-";
    if (!point.median) return row;
    row.cells[2] = fixedText(point.median->tokens_per_s, 0);
    row.cells[3] =
        "(" + fixedText(point.tokens_per_s_min, 0) + " .. " + fixedText(point.tokens_per_s_max, 0) + ")";
    row.cells[4] = percentOf(point.median->bubble_of_total);
    row.cells[6] = megabytesOf(peakBytes(point));
    row.cells[7] = say(standingText(point, standing), language);
    return row;
}

}  // namespace

SweepTable sweepTable(const SweepState& state, Language language) {
    const auto words = [language](const Sentence& said) { return say(said, language); };
    SweepTable table;
    table.head = {state.axis == SweepAxis::Microbatches ? "m" : "",
                  words(sentence("micro-batch")),
                  words(sentence("tokens/s")),
                  words(sentence("(least .. most)")),
                  words(sentence("bubble of total")),
                  words(sentence("predicted")),
                  words(sentence("peak activations")),
                  ""};
    const SweepRanking standing = standingOf(state.points);
    const bool is_over = state.finished || state.cancelled;
    for (const SweepPoint& point : state.points) {
        if (!point.over_cap && point.problems.empty())
            table.rows.push_back(rowOf(point, state.axis, standing, language));
        if (!point.median && (is_over || point.over_cap || !point.problems.empty()))
            table.notes.push_back(words(sentence("{0}: {1}", nameOf(point, state.axis), whyNotRun(point))));
    }
    const auto measured =
        std::ranges::find_if(state.points, [](const SweepPoint& point) { return point.median.has_value(); });
    if (measured != state.points.end())
        table.notes.push_back(words(sentence(
            "{0} on {1}; median iteration by tokens/s; bubble of total = 1 - compute / ({2} * iteration)",
            toText(measured->median->provenance), deviceWords(measured->median->device),
            measured->median->layout().worldText())));
    if (!state.why.empty()) table.notes.push_back(words(state.why));
    return table;
}

}  // namespace bscope
