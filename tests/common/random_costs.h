// Costs of stages drawn at random: whole ns, no two operations alike.
#pragma once

#include <random>

#include "timeline/costs.h"

namespace bscope {

// 500 to 3000 ns an operation, a backward twice that; a link that is free.
inline Costs randomCosts(int stages, std::mt19937& random) {
    std::uniform_int_distribution<int> duration(500, 3000);
    Costs costs;
    for (int s = 0; s < stages; ++s) {
        StageCosts stage;
        stage.forward_ns = duration(random);
        stage.backward_ns = 2 * duration(random);
        stage.input_ns = duration(random);
        stage.weight_ns = duration(random);
        stage.recompute_ns = duration(random);
        costs.stages.push_back(stage);
    }
    costs.optimizer_ns = costs.reduce_ns = costs.gather_ns = 100;
    return costs;
}

}  // namespace bscope
