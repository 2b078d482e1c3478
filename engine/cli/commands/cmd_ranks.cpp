// bscope ranks: which global rank is which stage of which replica and which shard of it, which ranks
// exchange messages, and of a recorded run how much.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/analysed_run.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "report/traffic.h"
#include "schedule/rank_layout.h"
#include "view/view_data.h"
#include "words/catalog.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

void printGroups(std::ostream& out, const std::string& name, const std::vector<std::vector<int>>& groups) {
    out << name << " (" << groups.size() << "):";
    for (const auto& group : groups) {
        out << " [";
        for (std::size_t i = 0; i < group.size(); ++i) out << (i > 0 ? ", " : "") << group[i];
        out << ']';
    }
    out << '\n';
}

// A table of the ranks, then all kinds of groups; of shards only where there are several.
void printLayout(std::ostream& out, const RankLayout& layout, Language language) {
    const bool has_shards = layout.t > 1;
    const auto row = [&](const std::string& rank, const std::string& stage, const std::string& replica,
                         const std::string& shard) {
        out << aligned(rank, 4) << aligned(stage, 7) << aligned(replica, 9)
            << (has_shards ? aligned(shard, 7) : "") << '\n';
    };
    row(say(sentence("rank"), language), say(sentence("stage"), language), say(sentence("replica"), language),
        say(sentence("shard"), language));
    for (int rank = 0; rank < layout.world(); ++rank)
        row(std::to_string(rank), std::to_string(layout.stageOf(rank)),
            std::to_string(layout.replicaOf(rank)), std::to_string(layout.shardOf(rank)));
    if (has_shards)
        printGroups(out, say(sentence("tensor-parallel groups"), language), layout.tensorParallelGroups());
    printGroups(out, say(sentence("pipeline-parallel groups"), language), layout.pipelineGroups());
    printGroups(out, say(sentence("data-parallel groups"), language), layout.dataParallelGroups());
}

// A kind of traffic: its column, its key in JSON, whether a run has it, and where it should live.
struct Kind {
    const char* name;
    const char* key;
    std::int64_t RankTraffic::*bytes;
    bool (*has)(const ScheduleParams& params);
    const char* where;
};
constexpr Kind kKinds[] = {
    {"pipeline", "pipeline_bytes", &RankTraffic::pipeline,
     [](const ScheduleParams& params) { return params.p > 1; },
     "pipeline: messages between neighbouring stages, little, and hidden where a rank has work: may cross "
     "nodes"},
    {"tensor", "tensor_bytes", &RankTraffic::shards,
     [](const ScheduleParams& params) { return params.t > 1; },
     "tensor: within every layer, and computation waits for it: inside a node, on the fastest link"},
    {"gradients", "gradient_bytes", &RankTraffic::gradients,
     [](const ScheduleParams& params) { return params.d > 1; },
     "gradients: once a step, after the last backward: may cross nodes"},
    {"weights", "weight_bytes", &RankTraffic::weights,
     [](const ScheduleParams& params) { return params.zero > 0; },
     "weights: once a step, after the optimizer step: may cross nodes, beside the gradients"},
};

struct Traffic {
    std::vector<RankTraffic> recorded, counted;  // (ranks,)
};

Traffic trafficOf(const AnalysedRun& run) {
    if (!run.knowsModel())
        throw SentenceError<>(
            sentence("the recording is of another program: of its messages no bytes are known"));
    return {recordedTraffic(run.timeline, run.report), countTraffic(run.start.config, run.schedule)};
}

// Who sends how much, and where it should live.
void printTraffic(const LinePrinter& printer, const AnalysedRun& run, const Traffic& traffic) {
    const ScheduleParams& params = run.start.config.params;
    printer.line("received by every rank in iteration {0}, recorded (by formula): {1}", numberOf(run.report),
                 run.title());
    std::vector<std::string> head{printer.words("rank")};
    for (const Kind& kind : kKinds)
        if (kind.has(params)) head.push_back(printer.words(kind.name));
    TextTable table(std::string(head.size(), 'r'));
    table.row(std::move(head));
    for (std::size_t rank = 0; rank < traffic.recorded.size(); ++rank) {
        std::vector<std::string> cells{std::to_string(rank)};
        for (const Kind& kind : kKinds)
            if (kind.has(params))
                cells.push_back(megabytes(traffic.recorded[rank].*kind.bytes) + " (" +
                                megabytes(traffic.counted[rank].*kind.bytes) + ")");
        table.row(std::move(cells));
    }
    table.print(printer.out());
    for (const Kind& kind : kKinds)
        if (kind.has(params)) printer.line(kind.where);
}

nlohmann::ordered_json trafficJson(const AnalysedRun& run, const Traffic& traffic) {
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (std::size_t rank = 0; rank < traffic.recorded.size(); ++rank) {
        nlohmann::ordered_json& each = ranks.emplace_back();
        each["rank"] = rank;
        for (const Kind& kind : kKinds)
            each[kind.key] = {{"recorded", traffic.recorded[rank].*kind.bytes},
                              {"by_formula", traffic.counted[rank].*kind.bytes}};
    }
    const ScheduleParams& params = run.start.config.params;
    return {{"iteration", run.report.iteration},
            {"p", params.p},
            {"d", params.d},
            {"zero", params.zero},
            {"t", params.t},
            {"ranks", std::move(ranks)}};
}

void ofRecording(const std::string& file, std::optional<int> number, bool json, Language language) {
    const AnalysedRun run = readAnalysedRun(file, number, language);
    const Traffic traffic = trafficOf(run);
    if (json) {
        std::cout << jsonText(trafficJson(run, traffic)) << '\n';
        return;
    }
    printLayout(std::cout, run.start.config.params.layout(), language);
    printTraffic({std::cout, language}, run, traffic);
}

}  // namespace

int ranksCommand(const Arguments& arguments) {
    CommandLine line(
        "ranks",
        "Prints the layout of ranks over stages, replicas and tensor-parallel shards, as Megatron-LM "
        "lays them out; of a recorded run also what every rank receives in a step from which of its "
        "groups, and where such traffic should live.",
        "bscope ranks --world 8 -p 4 -d 2\n"
        "  bscope ranks -t 2 -p 4 -d 2 --rank-order tp-pp-dp\n"
        "  bscope ranks run.bscope");
    RankLayout layout;
    std::optional<int> world, number;
    std::string file;
    bool json = false;
    line.argument("FILE", "a recording: its layout, and its traffic", file);
    line.option("--iteration", "N",
                "FILE: which one (the one nearest to the median of the last configuration)",
                setInteger([&](int value) { number = value; }));
    line.flag("--json", "FILE: the traffic as one JSON object", json);
    line.option("--world", "N", "processes in all; t p d when absent", setInteger([&](int n) { world = n; }));
    line.integer("-p", "pipeline ranks", layout.p);
    line.integer("-d", "data-parallel replicas", layout.d);
    line.integer("-t,--tensor", "tensor-parallel shards of a stage", layout.t);
    line.option(
        "--rank-order", "ORDER",
        "which ranks are neighbours: tp-dp-pp (Megatron-LM's tp-cp-ep-dp-pp, the engine's too) or tp-pp-dp",
        [&](const std::string& text) -> std::optional<std::string> {
            const bool is_usual = text == "tp-dp-pp" || text == "tp-cp-ep-dp-pp";
            if (!is_usual && text != "tp-pp-dp") return "tp-dp-pp or tp-pp-dp";
            layout.order = is_usual ? RankOrder::TpDpPp : RankOrder::TpPpDp;
            return std::nullopt;
        });
    if (!line.parse(arguments)) return 0;
    if (file.empty() && (json || number))
        line.refuse(sentence("--json and --iteration belong to a recording"));
    const bool is_given =
        world || layout.p != 1 || layout.d != 1 || layout.t != 1 || layout.order != RankOrder::TpDpPp;
    if (!file.empty() && is_given)
        line.refuse(sentence("a recording has its layout: leave out -p, -d, -t, --world and --rank-order"));
    if (!file.empty()) {
        line.check();
        ofRecording(file, number, json, line.language());
        return 0;
    }
    for (const Sentence& problem : layoutProblems(layout, world)) line.refuse(problem);
    line.check();
    printLayout(std::cout, layout, line.language());
    return 0;
}

}  // namespace bscope::cli
