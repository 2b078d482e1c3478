#include "schedule/rank_layout.h"

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
    for (int rank = 0; rank < world(); ++rank) groups[static_cast<std::size_t>(stageOf(rank))].push_back(rank);
    return groups;
}

std::vector<Sentence> layoutProblems(const RankLayout& layout, long world) {
    std::vector<Sentence> found;
    const auto check = [&](const char* name, long value) {
        if (value < 1 || value > kMostLayoutRanks)
            found.push_back(
                sentence("{0} = {1} must lie between {2} and {3}", name, value, 1, kMostLayoutRanks));
    };
    check("p", layout.p);
    check("d", layout.d);
    check("world", world);
    if (!found.empty()) return found;
    const long ranks = static_cast<long>(layout.p) * layout.d;
    if (ranks != world)
        found.push_back(
            sentence("world = {0} must be p d = {1} x {2} = {3}", world, layout.p, layout.d, ranks));
    return found;
}

}  // namespace bscope
