#include "gpu/link_rounds.h"

#include <algorithm>

namespace bscope {

// Neighbours in a chain: activations one way, gradients the other. Copies of a stage: what is added up.
std::set<RankPair> talkingPairs(const Schedule& schedule) {
    std::set<RankPair> pairs;
    for (const std::vector<int>& chain : schedule.chains)
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const int before = schedule.placement[static_cast<std::size_t>(chain[i - 1])];
            const int after = schedule.placement[static_cast<std::size_t>(chain[i])];
            if (before != after) pairs.insert({{before, after}, {after, before}});
        }
    if (schedule.isForwardOnly()) return pairs;
    for (int stage = 0; stage < schedule.stageCount(); ++stage)
        for (const int copy : schedule.copiesOf(stage)) {
            const int from = schedule.placement[static_cast<std::size_t>(stage)];
            const int to = schedule.placement[static_cast<std::size_t>(copy)];
            if (from != to) pairs.insert({from, to});
        }
    return pairs;
}

std::vector<std::vector<RankPair>> linkRounds(const std::set<RankPair>& pairs) {
    std::vector<std::vector<RankPair>> rounds;
    const auto isFree = [](const std::vector<RankPair>& round, int rank) {
        return std::none_of(round.begin(), round.end(), [rank](const RankPair& pair) {
            return pair.first == rank || pair.second == rank;
        });
    };
    for (const RankPair& pair : pairs) {
        const auto round = std::find_if(rounds.begin(), rounds.end(), [&](const auto& each) {
            return isFree(each, pair.first) && isFree(each, pair.second);
        });
        round == rounds.end() ? rounds.push_back({pair}) : round->push_back(pair);
    }
    return rounds;
}

}  // namespace bscope
