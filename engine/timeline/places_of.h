// placesOf: where the stages lie that a timeline has operations of. Pure function.
#pragma once

#include "schedule/stage_places.h"
#include "timeline/timeline.h"

namespace bscope {

// As its computations say, in one chain: for what has a timeline and not its schedule. Stages that have not run yet
// are on no rank, so ask of a whole iteration or a plan.
StagePlaces placesOf(const Timeline& timeline);

}  // namespace bscope
