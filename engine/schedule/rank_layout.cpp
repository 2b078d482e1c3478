#include "schedule/rank_layout.h"

#include <map>
#include <utility>

namespace bscope {
namespace {

// The ranks with the same key, in ascending order; the groups in the order of their first ranks.
template <class Key>
std::vector<std::vector<int>> groupsBy(const RankLayout& layout, Key key) {
    std::vector<std::vector<int>> groups;
    std::map<std::pair<int, int>, std::size_t> known;
    for (int rank = 0; rank < layout.world(); ++rank) {
        const auto [at, is_new] = known.emplace(key(rank), groups.size());
        if (is_new) groups.emplace_back();
        groups[at->second].push_back(rank);
    }
    return groups;
}

}  // namespace

std::string RankLayout::worldText(const char* times) const {
    std::string text = "p";
    if (d > 1) text.append(times).append("d");
    if (t > 1) text.append(times).append("t");
    return text;
}

std::vector<std::vector<int>> RankLayout::tensorParallelGroups() const {
    return groupsBy(*this, [this](int rank) { return std::pair(stageOf(rank), replicaOf(rank)); });
}

std::vector<std::vector<int>> RankLayout::pipelineGroups() const {
    return groupsBy(*this, [this](int rank) { return std::pair(shardOf(rank), replicaOf(rank)); });
}

std::vector<std::vector<int>> RankLayout::dataParallelGroups() const {
    return groupsBy(*this, [this](int rank) { return std::pair(shardOf(rank), stageOf(rank)); });
}

std::vector<Sentence> layoutProblems(const RankLayout& layout, std::optional<long> world) {
    std::vector<Sentence> found;
    const auto check = [&](const char* name, long value) {
        if (value < 1 || value > kMostLayoutRanks)
            found.push_back(
                sentence("{0} = {1} must lie between {2} and {3}", name, value, 1, kMostLayoutRanks));
    };
    check("p", layout.p);
    check("d", layout.d);
    check("t", layout.t);
    if (world) check("world", *world);
    if (!found.empty()) return found;
    const long ranks = static_cast<long>(layout.t) * layout.p * layout.d;
    if (!world) check("world", ranks);
    if (!world || ranks == *world) return found;
    found.push_back(layout.t == 1 ? sentence("world = {0} must be p d = {1} x {2} = {3}", *world, layout.p,
                                             layout.d, ranks)
                                  : sentence("world = {0} must be t p d = {1} x {2} x {3} = {4}", *world,
                                             layout.t, layout.p, layout.d, ranks));
    return found;
}

}  // namespace bscope
