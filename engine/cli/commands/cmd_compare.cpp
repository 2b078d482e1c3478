// bscope compare: one iteration of each of two recordings beside each other: length, bubble by cause, busy
// and idle time of every rank, memory.
#include <algorithm>
#include <iostream>
#include <optional>

#include "analysis/comparison.h"
#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/bubble_text.h"
#include "config/config_table.h"
#include "report/measured_report.h"
#include "report/noise_verdict.h"
#include "view/view_data.h"
#include "words/factor_text.h"
#include "words/number_text.h"

namespace bscope::cli {
namespace {

// One side.
struct Compared {
    std::string file;
    AnalysedRun run;
    IterationTotals totals{};
    Outliers outliers{};
};

Compared compared(const std::string& file, std::optional<int> iteration, Language language) {
    Compared side{file, readAnalysedRun(file, iteration, language)};
    const BubbleCauses causes = side.run.causes();
    side.totals = totalsOf(causes);
    side.outliers = causes.usual().outliers();
    return side;
}

// By the keys that a side and the difference share.
void addTotals(nlohmann::ordered_json& out, const IterationTotals& totals) {
    out["iteration_ms"] = toMs(totals.iteration_ns);
    out["bubble_of_total"] = totals.bubble_of_total;
    out["idle_ms"] = toMs(totals.idle_ns);
    out["causes_ms"] = causesJson(totals.causes);
    out["peak_activation_bytes"] = totals.peak_bytes;
}

void addRanks(nlohmann::ordered_json& out, const IterationTotals& totals) {
    out["ranks"] = nlohmann::ordered_json::array();
    for (std::size_t rank = 0; rank < totals.ranks.size(); ++rank)
        out["ranks"].push_back({{"rank", rank},
                                {"busy_ms", toMs(totals.ranks[rank].busy_ns)},
                                {"idle_ms", toMs(totals.ranks[rank].idle_ns)},
                                {"peak_activation_bytes", totals.ranks[rank].peak_bytes}});
}

nlohmann::ordered_json sideJson(const Compared& side) {
    const RunConfig& config = side.run.start.config;
    nlohmann::ordered_json out = {{"file", side.file},
                                  {"iteration", side.run.report.iteration},
                                  {"provenance", toText(side.run.report.provenance)},
                                  {"schedule", side.run.schedule.name},
                                  {"p", config.params.p},
                                  {"v", config.params.v},
                                  {"m", config.params.m},
                                  {"d", config.params.d},
                                  {"zero", config.params.zero},
                                  {"t", config.params.t},
                                  {"sequence_parallel", config.sequence_parallel},
                                  {"recompute", toText(config.recompute)},
                                  {"checkpoint_every", toText(config.checkpoint_every)}};
    addTotals(out, side.totals);
    addOutliers(out, side.outliers);
    addStraggler(out, side.run.straggler);
    addRanks(out, side.totals);
    return out;
}

// Of the iterations of both; of one that stands alone nothing but itself is known.
NoiseVerdict lengthVerdict(const Compared& a, const Compared& b) {
    return noiseVerdict(samplesOf(a.run.lengths_ms), samplesOf(b.run.lengths_ms));
}
NoiseVerdict bubbleVerdict(const Compared& a, const Compared& b) {
    return noiseVerdict(samplesOf(a.run.bubbles), samplesOf(b.run.bubbles));
}

nlohmann::ordered_json verdictJson(const NoiseVerdict& verdict) {
    if (verdict.kind == NoiseVerdict::Kind::Unknown) return {};
    return {{"differs", verdict.differs()}, {"difference", verdict.difference}, {"noise", verdict.noise}};
}

// "iteration, medians of 20 and 18: +4.1 % (noise 1.2 %)".
void printVerdict(const LinePrinter& printer, const Sentence& what, const Compared& a, const Compared& b,
                  const NoiseVerdict& verdict, bool share) {
    const auto change = [&] {
        const double by = share ? 100 * verdict.share() : 100 * verdict.difference,
                     noise = share ? 100 * verdict.noiseShare() : 100 * verdict.noise;
        if (share && !readsAsPercent(1 + by / 100))
            return sentence("{0} times as much (noise {1} %)", timesText(1 + by / 100), fixed(noise, 1));
        const std::string text = (by >= 0 ? "+" : "") + fixed(by, 1);
        return share ? sentence("{0} % (noise {1} %)", text, fixed(noise, 1))
                     : sentence("{0} points (noise {1})", text, fixed(noise, 1));
    };
    const Sentence result = verdict.kind == NoiseVerdict::Kind::Unknown ? sentence("the noise is unknown")
                            : verdict.isNoise() && share                ? noDifferenceWords(verdict)
                            : verdict.isNoise() && roundsToNothing(verdict.noise) ? sentence("no difference")
                            : verdict.isNoise()
                                ? sentence("no difference (within {0} points)", fixed(100 * verdict.noise, 1))
                                : change();
    printer.line("{0}, medians of {1} and {2} iterations: {3}", what, a.run.lengths_ms.size(),
                 b.run.lengths_ms.size(), result);
}

// Otherwise ranks of one number are another part of the pipeline in each.
bool ranksCorrespond(const Compared& a, const Compared& b) {
    const ScheduleParams &of_a = a.run.start.config.params, &of_b = b.run.start.config.params;
    return of_a.d == of_b.d && of_a.t == of_b.t;
}

// B minus A.
nlohmann::ordered_json differenceJson(const Compared& a, const Compared& b) {
    IterationTotals found = difference(a.totals, b.totals);
    if (!ranksCorrespond(a, b)) found.ranks.clear();
    nlohmann::ordered_json out;
    addTotals(out, found);
    addRanks(out, found);
    out["verdict"] = {{"iteration_ms", verdictJson(lengthVerdict(a, b))},
                      {"bubble_of_total", verdictJson(bubbleVerdict(a, b))}};
    return out;
}

void printHead(const LinePrinter& printer, const char* side, const Compared& of) {
    printer.line("{0}  {1}: {2}, iteration {3} [{4}]", side, of.file, of.run.title(), numberOf(of.run.report),
                 toText(of.run.report.provenance));
    printOutliers(printer, of.outliers, of.run.straggler);
}

void printComparison(const LinePrinter& printer, const Compared& a, const Compared& b) {
    printHead(printer, "A", a);
    printHead(printer, "B", b);
    if (a.run.report.provenance != b.run.report.provenance)
        printer.line("Their times come from different sources and are not the same quantity.");
    printer.out() << '\n';
    TextTable table("lrrr");
    table.row({"", "A", "B", "B - A"});
    const auto row = [&table](const std::string& name, double of_a, double of_b, int decimals) {
        table.row({name, fixed(of_a, decimals), fixed(of_b, decimals),
                   (of_b >= of_a ? "+" : "") + fixed(of_b - of_a, decimals)});
    };
    const IterationTotals &of_a = a.totals, &of_b = b.totals;
    row(printer.words("iteration, ms"), toMs(of_a.iteration_ns), toMs(of_b.iteration_ns), 2);
    row(printer.words("bubble of total, %"), 100 * of_a.bubble_of_total, 100 * of_b.bubble_of_total, 2);
    row(printer.words("idle, all ranks, ms"), toMs(of_a.idle_ns), toMs(of_b.idle_ns), 2);
    for (int cause = 0; cause < kBubbleCauses; ++cause) {
        const auto index = static_cast<std::size_t>(cause);
        if (of_a.causes[index] != 0 || of_b.causes[index] != 0)
            row("  " + printer.words(wordsOf(static_cast<BubbleCause>(cause))), toMs(of_a.causes[index]),
                toMs(of_b.causes[index]), 2);
    }
    if (of_a.peak_bytes > 0 && of_b.peak_bytes > 0)
        row(printer.words("peak activations, fullest rank, MB"), static_cast<double>(of_a.peak_bytes) / 1e6,
            static_cast<double>(of_b.peak_bytes) / 1e6,
            decimalsOf(static_cast<double>(std::min(of_a.peak_bytes, of_b.peak_bytes)) / 1e6));
    const std::size_t ranks = ranksCorrespond(a, b) ? std::min(of_a.ranks.size(), of_b.ranks.size()) : 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        row(printer.words("rank {0} busy, ms", rank), toMs(of_a.ranks[rank].busy_ns),
            toMs(of_b.ranks[rank].busy_ns), 2);
        row(printer.words("rank {0} idle, ms", rank), toMs(of_a.ranks[rank].idle_ns),
            toMs(of_b.ranks[rank].idle_ns), 2);
    }
    table.print(printer.out());
    printVerdict(printer, sentence("length of an iteration"), a, b, lengthVerdict(a, b), true);
    printVerdict(printer, sentence("bubble of total"), a, b, bubbleVerdict(a, b), false);
    if (!ranksCorrespond(a, b))
        printer.line(
            "Ranks are not compared one by one: those of one number hold other parts of the model "
            "where d or t differ.");
    if (of_a.ranks.size() != of_b.ranks.size())
        printer.line("A has {0} ranks, B has {1}", of_a.ranks.size(), of_b.ranks.size());
}

// By what share an iteration of B takes longer than one of A; 0 where that is noise. Of one iteration each
// nothing is known of the noise, and the two count as they are.
double slowdown(const Compared& a, const Compared& b) {
    const NoiseVerdict verdict = lengthVerdict(a, b);
    if (verdict.isNoise()) return 0;
    if (verdict.differs()) return verdict.share();
    const auto of_a = static_cast<double>(a.totals.iteration_ns);
    return of_a > 0 ? static_cast<double>(b.totals.iteration_ns) / of_a - 1 : 0;
}

}  // namespace

int compareCommand(const Arguments& arguments) {
    CommandLine line(
        "compare",
        "Compares an iteration of each of two recordings: length, bubble by cause, busy and idle time of "
        "every rank, memory. The same recording twice compares two of its iterations.",
        "bscope compare before.bscope after.bscope\n"
        "bscope compare run.bscope run.bscope --iterations 3,17\n"
        "bscope compare before.bscope after.bscope --fail-above 3");
    std::vector<std::string> files;
    std::vector<int> iterations;
    bool json = false;
    std::optional<double> fail_above;
    line.arguments("FILE", "two recordings", files);
    line.option(
        "--iterations", "A,B",
        "which ones, by their numbers in tables and in the window (the last configuration's iterations "
        "nearest to their median)",
        setIntegers([&](std::vector<int> values) { iterations = std::move(values); }));
    line.flag("--json", "one JSON object", json);
    line.option("--fail-above", "PERCENT",
                "exit status 1 when iterations of the second take so much longer and that is no noise",
                setNumber([&](double value) { fail_above = value; }));
    if (!line.parse(arguments)) return 0;
    if (fail_above && *fail_above < 0)
        line.refuse(sentence("--fail-above {0} is not legal: it must be a number of percent from 0 on",
                             numberText(*fail_above)));
    if (files.size() != 2) line.refuse(sentence("which recordings? Give two files"));
    if (!iterations.empty() && iterations.size() != 2)
        line.refuse(sentence("--iterations takes two numbers, one of each recording, such as 3,17"));
    line.check();

    const auto side = [&](std::size_t i) {
        return compared(files[i], iterations.empty() ? std::nullopt : std::optional(iterations[i]),
                        line.language());
    };
    const Compared a = side(0), b = side(1);
    if (json)
        std::cout << jsonText({{"a", sideJson(a)}, {"b", sideJson(b)}, {"difference", differenceJson(a, b)}})
                  << '\n';
    else
        printComparison({std::cout, line.language()}, a, b);
    const double slower = 100 * slowdown(a, b);
    if (!fail_above || slower <= *fail_above) return 0;
    std::cout << std::flush;
    LinePrinter(std::cerr, line.language())
        .line("{0} takes {1} % longer; --fail-above allows {2} %", files[1], fixed(slower, 1),
              numberText(*fail_above));
    return 1;
}

}  // namespace bscope::cli
