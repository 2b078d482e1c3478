// bscope ranks: which global rank is which stage of which replica, and which ranks exchange messages.
#include <algorithm>
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "schedule/rank_layout.h"

namespace bscope::cli {

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
    layout.world = world ? *world : std::max(1L, static_cast<long>(layout.p) * layout.d);
    for (const std::string& problem : layoutProblems(layout)) line.refuse(problem);
    line.check();
    std::cout << layoutText(layout);
    return 0;
}

}  // namespace bscope::cli
