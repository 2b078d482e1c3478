// bscope compare: one iteration of each of two recordings beside each other: length, bubble by cause, busy
// and idle time of every rank, memory.
#include <algorithm>
#include <iostream>
#include <optional>

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

struct RankNumbers {
    double busy_ms = 0, idle_ms = 0;
    std::int64_t peak_bytes = 0;
};

// One side.
struct Compared {
    std::string file;
    AnalysedRun run;
    CauseParts causes{};
    Outliers outliers{};
    double iteration_ms = 0, bubble_of_total = 0, idle_ms = 0;
    std::int64_t peak_bytes = 0;  // of the fullest rank; 0: the recording has no memory
    std::vector<RankNumbers> ranks{};
};

Compared compared(const std::string& file, std::optional<int> iteration) {
    Compared side{file, readAnalysedRun(file, iteration)};
    const BubbleCauses causes = side.run.causes();
    const IterationSummary& summary = causes.summary();
    side.causes = causes.totals();
    side.outliers = causes.usual().outliers();
    side.iteration_ms = toMs(summary.iteration_ns);
    side.bubble_of_total = summary.bubble_of_total;
    side.idle_ms = toMs(causes.idle_ns());
    for (const RankSummary& rank : summary.ranks) {
        side.ranks.push_back({toMs(rank.busy_ns), 0, rank.peak_activation_bytes});
        side.peak_bytes = std::max(side.peak_bytes, rank.peak_activation_bytes);
    }
    for (const Gap& gap : causes.gaps())
        side.ranks[static_cast<std::size_t>(gap.rank)].idle_ms += toMs(gap.length_ns());
    return side;
}

nlohmann::ordered_json rankJson(std::size_t rank, const RankNumbers& numbers) {
    return {{"rank", rank},
            {"busy_ms", numbers.busy_ms},
            {"idle_ms", numbers.idle_ms},
            {"peak_activation_bytes", numbers.peak_bytes}};
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
                                  {"recompute", toText(config.recompute)},
                                  {"iteration_ms", side.iteration_ms},
                                  {"bubble_of_total", side.bubble_of_total},
                                  {"idle_ms", side.idle_ms},
                                  {"causes_ms", causesJson(side.causes)},
                                  {"peak_activation_bytes", side.peak_bytes}};
    addOutliers(out, side.outliers);
    out["ranks"] = nlohmann::ordered_json::array();
    for (std::size_t rank = 0; rank < side.ranks.size(); ++rank)
        out["ranks"].push_back(rankJson(rank, side.ranks[rank]));
    return out;
}

CauseParts minus(const CauseParts& b, const CauseParts& a) {
    CauseParts difference{};
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = b[i] - a[i];
    return difference;
}

// B minus A.
nlohmann::ordered_json differenceJson(const Compared& a, const Compared& b) {
    nlohmann::ordered_json out = {{"iteration_ms", b.iteration_ms - a.iteration_ms},
                                  {"bubble_of_total", b.bubble_of_total - a.bubble_of_total},
                                  {"idle_ms", b.idle_ms - a.idle_ms},
                                  {"causes_ms", causesJson(minus(b.causes, a.causes))},
                                  {"peak_activation_bytes", b.peak_bytes - a.peak_bytes}};
    out["ranks"] = nlohmann::ordered_json::array();
    for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank)
        out["ranks"].push_back(rankJson(rank, {b.ranks[rank].busy_ms - a.ranks[rank].busy_ms,
                                               b.ranks[rank].idle_ms - a.ranks[rank].idle_ms,
                                               b.ranks[rank].peak_bytes - a.ranks[rank].peak_bytes}));
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
    printRow("iteration, ms", a.iteration_ms, b.iteration_ms, 2);
    printRow("bubble of total, %", 100 * a.bubble_of_total, 100 * b.bubble_of_total, 2);
    printRow("idle, all ranks, ms", a.idle_ms, b.idle_ms, 2);
    for (int cause = 0; cause < kBubbleCauses; ++cause) {
        const auto index = static_cast<std::size_t>(cause);
        if (a.causes[index] != 0 || b.causes[index] != 0)
            printRow("  " + say(wordsOf(static_cast<BubbleCause>(cause)), Language::English),
                     toMs(a.causes[index]), toMs(b.causes[index]), 2);
    }
    if (a.peak_bytes > 0 && b.peak_bytes > 0)
        printRow("peak activations, fullest rank, MB", static_cast<double>(a.peak_bytes) / 1e6,
                 static_cast<double>(b.peak_bytes) / 1e6, 1);
    for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank) {
        printRow("rank " + std::to_string(rank) + " busy, ms", a.ranks[rank].busy_ms, b.ranks[rank].busy_ms,
                 2);
        printRow("rank " + std::to_string(rank) + " idle, ms", a.ranks[rank].idle_ms, b.ranks[rank].idle_ms,
                 2);
    }
    if (a.ranks.size() != b.ranks.size())
        std::cout << "A has " << a.ranks.size() << " ranks, B has " << b.ranks.size() << '\n';
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
