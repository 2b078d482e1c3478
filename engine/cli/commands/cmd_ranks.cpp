// bscope ranks: which global rank is which stage of which replica, and which ranks exchange messages.
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

// A table of the ranks, then both kinds of groups.
void printLayout(std::ostream& out, const RankLayout& layout, Language language) {
    const auto row = [&out](const std::string& rank, const std::string& stage, const std::string& replica) {
        out << aligned(rank, 4) << aligned(stage, 7) << aligned(replica, 9) << '\n';
    };
    row(say(sentence("rank"), language), say(sentence("stage"), language),
        say(sentence("replica"), language));
    for (int rank = 0; rank < layout.world(); ++rank)
        row(std::to_string(rank), std::to_string(layout.stageOf(rank)),
            std::to_string(layout.replicaOf(rank)));
    printGroups(out, say(sentence("pipeline-parallel groups"), language), layout.pipelineGroups());
    printGroups(out, say(sentence("data-parallel groups"), language), layout.dataParallelGroups());
}

}  // namespace

int ranksCommand(const Arguments& arguments) {
    CommandLine line("ranks",
                     "Prints the layout of ranks over stages and replicas, as Megatron-LM lays them out.",
                     "bscope ranks --world 8 -p 4 -d 2");
    RankLayout layout;
    std::optional<int> world;
    line.option("--world", "N", "processes in all; p d when absent", setInteger([&](int n) { world = n; }));
    line.integer("-p", "pipeline ranks", layout.p);
    line.integer("-d", "data-parallel replicas", layout.d);
    if (!line.parse(arguments)) return 0;
    const long ranks = world ? *world : std::max(1L, static_cast<long>(layout.p) * layout.d);
    for (const Sentence& problem : layoutProblems(layout, ranks)) line.refuse(problem);
    line.check();
    printLayout(std::cout, layout, line.language());
    return 0;
}

}  // namespace bscope::cli
