// StagePlaces: on which rank a stage lies, in which chain, at which position of it, and which of its rank's model
// chunks it is. Invariant: every place of the same placement is computed here, once, so that letters, stacked
// replicas and tables agree. A value; any thread may read it.
#pragma once

#include <vector>

#include "schedule/schedule.h"

namespace bscope {

struct StagePlace {
    int rank = -1;     // -1: no rank has it
    int chain = 0;     // a replica of the pipeline, or a direction of a bidirectional schedule
    int position = 0;  // in its chain, in forward order, from 0
    int chunk = 0;     // which of its rank's stages, in the order of their numbers: the letter a, b, ...
    bool operator==(const StagePlace&) const = default;
};

class StagePlaces {
public:
    StagePlaces() = default;  // of no stage
    explicit StagePlaces(const Schedule& schedule) : StagePlaces(schedule.placement, schedule.chains) {}
    // placement: (stages,) ranks, -1 = on none. chains: as in Schedule; empty: one, in the order of the numbers.
    explicit StagePlaces(const std::vector<int>& placement, const std::vector<std::vector<int>>& chains = {});

    int stages() const { return static_cast<int>(places_.size()); }
    int chains() const { return chains_; }
    // A rank has more than one stage: chunks have letters.
    bool lettered() const { return lettered_; }
    // Of a stage that there is not: the first place, on no rank.
    StagePlace of(int stage) const;
    // In the order of their numbers.
    std::vector<int> stagesOf(int rank) const;

private:
    std::vector<StagePlace> places_;
    int chains_ = 0;
    bool lettered_ = false;
};

}  // namespace bscope
