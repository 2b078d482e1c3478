#include "schedule/stage_places.h"

#include <map>

namespace bscope {

StagePlaces::StagePlaces(const std::vector<int>& placement, const std::vector<std::vector<int>>& chains)
    : places_(placement.size()), chains_(chains.empty() ? 1 : static_cast<int>(chains.size())) {
    std::map<int, int> chunks;  // of each rank, so far
    for (std::size_t stage = 0; stage < placement.size(); ++stage) {
        StagePlace& place = places_[stage];
        place.rank = placement[stage];
        place.position = static_cast<int>(stage);
        if (place.rank >= 0) place.chunk = chunks[place.rank]++;
        lettered_ = lettered_ || place.chunk > 0;
    }
    for (std::size_t chain = 0; chain < chains.size(); ++chain)
        for (std::size_t i = 0; i < chains[chain].size(); ++i) {
            StagePlace& place = places_[static_cast<std::size_t>(chains[chain][i])];
            place.chain = static_cast<int>(chain);
            place.position = static_cast<int>(i);
        }
}

StagePlace StagePlaces::of(int stage) const {
    return stage >= 0 && stage < stages() ? places_[static_cast<std::size_t>(stage)] : StagePlace{};
}

std::vector<int> StagePlaces::stagesOf(int rank) const {
    std::vector<int> found;
    for (int stage = 0; stage < stages(); ++stage)
        if (of(stage).rank == rank) found.push_back(stage);
    return found;
}

}  // namespace bscope
