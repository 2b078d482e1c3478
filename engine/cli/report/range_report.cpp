#include "cli/report/range_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "analysis/range_numbers.h"
#include "cli/input/command_line.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/bubble_text.h"
#include "report/measured_report.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

struct Peak {
    int rank = -1;
    MemoryPoint point;
};

struct RangeFound {
    RangeNumbers numbers;
    std::optional<Peak> peak;
    double forward_per_s = 0, backward_per_s = 0;
    bool in_tokens = true;
};

// A file may say any start.
std::int64_t after(std::int64_t start_ns, double ms) {
    std::int64_t time_ns = 0;
    const std::int64_t by_ns = std::llround(1e6 * ms);
    if (__builtin_add_overflow(start_ns, by_ns, &time_ns)) return by_ns < 0 ? INT64_MIN : INT64_MAX;
    return time_ns;
}

RangeFound rangeOf(const AnalysedRun& run, const WantedRange& wanted) {
    const BubbleCauses causes = run.causes();
    const IterationSummary& summary = causes.summary();
    RangeQuery query;
    query.from_ns = after(summary.start_ns, wanted.from_ms);
    query.to_ns = after(summary.start_ns, wanted.to_ms);
    query.ranks = wanted.ranks;
    const int ranks = run.timeline.ranks();
    for (const int rank : wanted.ranks)
        if (rank < 0 || rank >= ranks)
            throw SentenceError<>(sentence("there is no rank {0}; legal: 0 to {1}", rank, ranks - 1));
    if (!wanted.kinds.empty())
        query.passes = [&wanted](int, const Action& action) {
            return std::ranges::find(wanted.kinds, action.op) != wanted.kinds.end();
        };
    RangeFound found;
    found.numbers = rangeNumbers(summary, &causes, run.timeline, query);
    for (const RangeNumbers::OfRank& each : found.numbers.ranks) {
        const auto peak = peakIn(run.timeline.memory(each.rank), query.from_ns, query.to_ns);
        if (peak && (!found.peak || peak->live_bytes > found.peak->point.live_bytes))
            found.peak = {each.rank, *peak};
    }
    const RunConfig& config = run.start.config;
    found.in_tokens = run.knowsModel();
    const double whole = amountOfIteration(config, found.in_tokens);
    const double seconds = (wanted.to_ms - wanted.from_ms) / 1e3;
    found.forward_per_s = found.numbers.forward_share * whole / seconds;
    found.backward_per_s = found.numbers.backward_share * whole / seconds;
    return found;
}

nlohmann::ordered_json shareJson(const RangeNumbers::Share& share) {
    return {{"busy_ms", toMs(share.busy_ns)},
            {"idle_ms", toMs(share.idle_ns)},
            {"bubble_of_total", share.bubbleOfTotal()},
            {"causes_ms", causesJson(share.causes)}};
}

std::string kindsText(const std::vector<Op>& kinds) {
    std::string text;
    for (const Op kind : kinds) text.append(text.empty() ? "" : ",").append(opText(kind));
    return text;
}

}  // namespace

WantedRange wantedRange(const std::string& range, const std::vector<int>& ranks, const std::string& kinds,
                        std::vector<Sentence>& problems) {
    WantedRange wanted;
    wanted.ranks = ranks;
    std::ranges::sort(wanted.ranks);
    wanted.ranks.erase(std::unique(wanted.ranks.begin(), wanted.ranks.end()), wanted.ranks.end());
    std::vector<std::optional<double>> ends;
    for (const std::string& end : splitAt(range, ',')) ends.push_back(parseNumber(end));
    constexpr double kMost_ms = 1e9, kLeast_ms = 1e-6;  // 11 days, a nanosecond
    const bool legal = ends.size() == 2 && ends[0] && ends[1] && *ends[1] - *ends[0] >= kLeast_ms &&
                       std::abs(*ends[0]) < kMost_ms && std::abs(*ends[1]) < kMost_ms;
    if (legal) {
        wanted.from_ms = *ends[0];
        wanted.to_ms = *ends[1];
    } else {
        problems.push_back(
            sentence("--range {0}: legal: two times in ms from the start of the iteration, the "
                     "earlier one first, such as 2.5,40",
                     range));
    }
    for (const std::string& kind : splitAt(kinds, ',')) {
        if (kind.empty()) continue;
        const std::optional<Op> op = parseOp(kind);
        if (op && isCompute(*op))
            wanted.kinds.push_back(*op);
        else
            problems.push_back(sentence("--kinds {0}: legal: F, B, I, W, R, with commas between", kind));
    }
    return wanted;
}

nlohmann::ordered_json rangeJson(const AnalysedRun& run, const WantedRange& wanted) {
    const RangeFound found = rangeOf(run, wanted);
    nlohmann::ordered_json out = {{"iteration", run.report.iteration},
                                  {"provenance", toText(run.report.provenance)},
                                  {"from_ms", wanted.from_ms},
                                  {"to_ms", wanted.to_ms}};
    out.update(shareJson(found.numbers.all));
    if (!wanted.kinds.empty()) {
        out["kinds"] = kindsText(wanted.kinds);
        out["of_kinds"] = shareJson(found.numbers.passing);
    }
    const char* const unit = found.in_tokens ? "tokens_per_s" : "microbatches_per_s";
    out[std::string("forward_") + unit] = found.forward_per_s;
    out[std::string("backward_") + unit] = found.backward_per_s;
    out["peak_activation_bytes"] =
        found.peak ? nlohmann::ordered_json(found.peak->point.live_bytes) : nlohmann::ordered_json();
    out["peak_rank"] = found.peak ? nlohmann::ordered_json(found.peak->rank) : nlohmann::ordered_json();
    out["ranks"] = nlohmann::ordered_json::array();
    for (const RangeNumbers::OfRank& each : found.numbers.ranks) {
        nlohmann::ordered_json of_rank = {{"rank", each.rank}};
        of_rank.update(shareJson(each.all));
        out["ranks"].push_back(std::move(of_rank));
    }
    return out;
}

void printRange(const LinePrinter& printer, const AnalysedRun& run, const WantedRange& wanted) {
    const RangeFound found = rangeOf(run, wanted);
    const RangeNumbers& numbers = found.numbers;
    printer.line("{0}, iteration {1} [{2}]: {3} to {4} ms from its start", run.schedule.name,
                 numberOf(run.report), toText(run.report.provenance), shortNumber(wanted.from_ms),
                 shortNumber(wanted.to_ms));
    printer.out() << '\n';
    TextTable table("lrrr");
    table.row({"", printer.words("busy ms"), printer.words("idle ms"), printer.words("bubble of total")});
    const auto row = [&table](const std::string& name, const RangeNumbers::Share& share) {
        table.row({name, fixed(toMs(share.busy_ns), 2), fixed(toMs(share.idle_ns), 2),
                   percent(share.bubbleOfTotal())});
    };
    for (const RangeNumbers::OfRank& each : numbers.ranks)
        row(printer.words("Rank {0}", each.rank), each.all);
    row(printer.words("together"), numbers.all);
    if (!wanted.kinds.empty()) row(printer.words("of {0} alone", kindsText(wanted.kinds)), numbers.passing);
    table.print(printer.out());
    printer.out() << '\n';
    printCauses(printer, numbers.passing.causes, numbers.passing.idle_ns);
    printer.out() << '\n';
    const int decimals = found.in_tokens ? 0 : 1;
    printer.line(found.in_tokens ? "throughput: forward {0}, backward {1} tokens/s"
                                 : "throughput: forward {0}, backward {1} micro-batches/s",
                 fixed(found.forward_per_s, decimals), fixed(found.backward_per_s, decimals));
    if (found.peak)
        printer.line("peak of activations: {0} on rank {1}, {2} in flight",
                     megabytes(found.peak->point.live_bytes), found.peak->rank, found.peak->point.in_flight);
}

}  // namespace bscope::cli
