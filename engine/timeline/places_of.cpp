#include "timeline/places_of.h"

namespace bscope {

StagePlaces placesOf(const Timeline& timeline) {
    std::vector<int> placement;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank)) {
            if (event.stage < 0 || !isCompute(event.op)) continue;
            const auto stage = static_cast<std::size_t>(event.stage);
            if (stage >= placement.size()) placement.resize(stage + 1, -1);
            placement[stage] = rank;
        }
    return StagePlaces(placement);
}

}  // namespace bscope
