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

std::vector<std::string> layoutProblems(const RankLayout& layout) {
    std::vector<std::string> found;
    const auto check = [&](const char* name, long value) {
        if (value < 1 || value > kMostLayoutRanks)
            found.push_back(std::string(name) + " = " + std::to_string(value) + " must lie between 1 and " +
                            std::to_string(kMostLayoutRanks));
    };
    check("p", layout.p);
    check("d", layout.d);
    check("world", layout.world);
    if (!found.empty()) return found;
    const long ranks = static_cast<long>(layout.p) * layout.d;
    if (ranks != layout.world)
        found.push_back("world = " + std::to_string(layout.world) +
                        " must be p d = " + std::to_string(layout.p) + " x " + std::to_string(layout.d) +
                        " = " + std::to_string(ranks));
    return found;
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
