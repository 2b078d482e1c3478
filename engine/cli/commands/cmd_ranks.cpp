// bscope ranks: which global rank is which stage of which replica and which shard of it, and which ranks
// exchange messages.
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/number_text.h"
#include "schedule/rank_layout.h"
#include "words/catalog.h"

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

}  // namespace

int ranksCommand(const Arguments& arguments) {
    CommandLine line(
        "ranks",
        "Prints the layout of ranks over stages, replicas and tensor-parallel shards, as Megatron-LM "
        "lays them out.",
        "bscope ranks --world 8 -p 4 -d 2\n"
        "  bscope ranks -t 2 -p 4 -d 2 --rank-order tp-pp-dp");
    RankLayout layout;
    std::optional<int> world;
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
    const long ranks = world ? *world : std::max(1L, static_cast<long>(layout.t) * layout.p * layout.d);
    for (const Sentence& problem : layoutProblems(layout, ranks)) line.refuse(problem);
    line.check();
    printLayout(std::cout, layout, line.language());
    return 0;
}

}  // namespace bscope::cli
