// bscope ranks: which global rank is which stage of which replica, and who talks to whom.
#include <iostream>

#include "cli/command.h"
#include "cli/command_line.h"
#include "schedule/rank_layout.h"

namespace bscope::cli {

int ranksCommand(const Arguments& arguments) {
    CommandLine line("ranks",
                     "Prints the layout of ranks over stages and replicas, as Megatron-LM lays them out.",
                     "bscope ranks --world 8 -p 4 -d 2");
    RankLayout layout;
    int world = 0;
    line.integer("--world", "processes in all; p d when absent", world);
    line.integer("-p", "pipeline ranks", layout.p);
    line.integer("-d", "data-parallel replicas", layout.d);
    if (!line.parse(arguments)) return 0;
    layout.world = world == 0 ? layout.p * layout.d : world;
    if (const std::string problem = layoutProblem(layout); !problem.empty()) line.refuse(problem);
    line.check();
    std::cout << layoutText(layout);
    return 0;
}

}  // namespace bscope::cli
