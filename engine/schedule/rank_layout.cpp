#include "schedule/rank_layout.h"

#include <iomanip>
#include <sstream>

namespace bscope {

std::vector<std::vector<int>> RankLayout::pipelineGroups() const {
    std::vector<std::vector<int>> groups(static_cast<std::size_t>(d));
    for (int replica = 0; replica < d; ++replica)
        for (int stage = 0; stage < p; ++stage)
            groups[static_cast<std::size_t>(replica)].push_back(rankOf(stage, replica));
    return groups;
}

std::vector<std::vector<int>> RankLayout::dataParallelGroups() const {
    std::vector<std::vector<int>> groups(static_cast<std::size_t>(p));
    for (int rank = 0; rank < world; ++rank) groups[static_cast<std::size_t>(stageOf(rank))].push_back(rank);
    return groups;
}

std::string layoutProblem(const RankLayout& layout) {
    const auto text = [](int number) { return std::to_string(number); };
    if (layout.p < 1 || layout.d < 1 || layout.world < 1) return "world, p and d must be at least 1";
    if (layout.world == layout.p * layout.d) return {};
    return "world = " + text(layout.world) + " is not p d = " + text(layout.p) + " x " + text(layout.d) +
           " = " + text(layout.p * layout.d);
}

std::string layoutText(const RankLayout& layout) {
    std::ostringstream out;
    out << "rank  stage  replica\n";
    for (int rank = 0; rank < layout.world; ++rank)
        out << std::setw(4) << rank << std::setw(7) << layout.stageOf(rank) << std::setw(9)
            << layout.replicaOf(rank) << '\n';
    const auto print = [&](const char* name, const std::vector<std::vector<int>>& groups) {
        out << name << " (" << groups.size() << "):";
        for (const auto& group : groups) {
            out << " [";
            for (std::size_t i = 0; i < group.size(); ++i) out << (i > 0 ? ", " : "") << group[i];
            out << ']';
        }
        out << '\n';
    };
    print("pipeline-parallel groups", layout.pipelineGroups());
    print("data-parallel groups", layout.dataParallelGroups());
    return out.str();
}

}  // namespace bscope
