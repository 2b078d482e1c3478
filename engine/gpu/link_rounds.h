// Which ranks need a link, and in which order links are made: a split of the world makes many at once, but
// only one for each rank. Pure functions.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

using RankPair = std::pair<int, int>;  // sender, receiver

// Every pair of ranks of which one has something to send to the other.
std::set<RankPair> talkingPairs(const Schedule& schedule);

// Every pair in one round, no rank twice in a round: each pair goes into the first round where both its ranks
// are free, which takes fewer rounds than twice the most pairs that one rank has.
std::vector<std::vector<RankPair>> linkRounds(const std::set<RankPair>& pairs);

}  // namespace bscope
