// bscope compare: one iteration of each of two recordings beside each other: length, bubble by cause, busy
// and idle time of every rank, memory.
#include <algorithm>
#include <iostream>
#include <optional>

#include "analysis/comparison.h"
#include "cli/analysed_run.h"
#include "cli/bubble_text.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/json_text.h"
#include "cli/number_text.h"
#include "timeline/measured_report.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

// One side.
struct Compared {
    std::string file;
    AnalysedRun run;
    IterationTotals totals{};
    Outliers outliers{};
};

Compared compared(const std::string& file, std::optional<int> iteration) {
    Compared side{file, readAnalysedRun(file, iteration)};
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
                                  {"recompute", toText(config.recompute)}};
    addTotals(out, side.totals);
    addOutliers(out, side.outliers);
    addRanks(out, side.totals);
    return out;
}

// B minus A.
nlohmann::ordered_json differenceJson(const Compared& a, const Compared& b) {
    const IterationTotals found = difference(a.totals, b.totals);
    nlohmann::ordered_json out;
    addTotals(out, found);
    addRanks(out, found);
    return out;
}

std::string headText(const Compared& side) {
    const ScheduleParams& params = side.run.start.config.params;
    return side.file + ": " + side.run.schedule.name + " p=" + std::to_string(params.p) +
           " v=" + std::to_string(params.v) + " m=" + std::to_string(params.m) +
           " d=" + std::to_string(params.d) + ", iteration " + std::to_string(side.run.report.iteration) +
           " [" + toText(side.run.report.provenance) + "]\n" + outliersText(side.outliers);
}

void printRow(const std::string& name, double a, double b, int decimals) {
    std::cout << padded(name, 34) << aligned(fixed(a, decimals), 12) << aligned(fixed(b, decimals), 12)
              << aligned((b >= a ? "+" : "") + fixed(b - a, decimals), 12) << '\n';
}

void printComparison(const Compared& a, const Compared& b) {
    std::cout << "A  " << headText(a) << "B  " << headText(b);
    if (a.run.report.provenance != b.run.report.provenance)
        std::cout << "Their times come from different sources and are not the same quantity.\n";
    std::cout << '\n'
              << padded("", 34) << aligned("A", 12) << aligned("B", 12) << aligned("B - A", 12) << '\n';
    const IterationTotals &of_a = a.totals, &of_b = b.totals;
    printRow("iteration, ms", toMs(of_a.iteration_ns), toMs(of_b.iteration_ns), 2);
    printRow("bubble of total, %", 100 * of_a.bubble_of_total, 100 * of_b.bubble_of_total, 2);
    printRow("idle, all ranks, ms", toMs(of_a.idle_ns), toMs(of_b.idle_ns), 2);
    for (int cause = 0; cause < kBubbleCauses; ++cause) {
        const auto index = static_cast<std::size_t>(cause);
        if (of_a.causes[index] != 0 || of_b.causes[index] != 0)
            printRow("  " + say(wordsOf(static_cast<BubbleCause>(cause)), Language::English),
                     toMs(of_a.causes[index]), toMs(of_b.causes[index]), 2);
    }
    if (of_a.peak_bytes > 0 && of_b.peak_bytes > 0)
        printRow("peak activations, fullest rank, MB", static_cast<double>(of_a.peak_bytes) / 1e6,
                 static_cast<double>(of_b.peak_bytes) / 1e6, 1);
    for (std::size_t rank = 0; rank < std::min(of_a.ranks.size(), of_b.ranks.size()); ++rank) {
        const std::string name = "rank " + std::to_string(rank);
        printRow(name + " busy, ms", toMs(of_a.ranks[rank].busy_ns), toMs(of_b.ranks[rank].busy_ns), 2);
        printRow(name + " idle, ms", toMs(of_a.ranks[rank].idle_ns), toMs(of_b.ranks[rank].idle_ns), 2);
    }
    if (of_a.ranks.size() != of_b.ranks.size())
        std::cout << "A has " << of_a.ranks.size() << " ranks, B has " << of_b.ranks.size() << '\n';
}

}  // namespace

int compareCommand(const Arguments& arguments) {
    CommandLine line(
        "compare",
        "Puts an iteration of each of two recordings beside each other: length, bubble by cause, "
        "busy and idle time of every rank, memory. The same recording twice compares two of its "
        "iterations.",
        "bscope compare before.bscope after.bscope\n"
        "bscope compare run.bscope run.bscope --iterations 3,17");
    std::vector<std::string> files;
    std::vector<int> iterations;
    bool json = false;
    line.arguments("FILE", "two recordings", files);
    line.option("--iterations", "A,B",
                "which ones, from 0 (of the last configuration's those nearest to their median)",
                setIntegers([&](std::vector<int> values) { iterations = std::move(values); }));
    line.flag("--json", "one JSON object", json);
    if (!line.parse(arguments)) return 0;
    if (files.size() != 2) line.refuse(sentence("which recordings? Give two files"));
    if (!iterations.empty() && iterations.size() != 2)
        line.refuse(sentence("--iterations takes two numbers, one of each recording, such as 3,17"));
    line.check();

    const auto side = [&](std::size_t i) {
        return compared(files[i], iterations.empty() ? std::nullopt : std::optional(iterations[i]));
    };
    const Compared a = side(0), b = side(1);
    if (json)
        std::cout << jsonText({{"a", sideJson(a)}, {"b", sideJson(b)}, {"difference", differenceJson(a, b)}})
                  << '\n';
    else
        printComparison(a, b);
    return 0;
}

}  // namespace bscope::cli
