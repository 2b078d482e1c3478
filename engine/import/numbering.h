// numberOperations: gives every operation of a TracedRun its stage and micro-batch where the files do not say
// them, and drops iterations that are not whole.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "import/trace/traced_run.h"

namespace bscope {

struct Numbering {
    // Something was inferred: numbers of micro-batches, or the stage of an operation.
    bool inferred = false;
    std::vector<int> placement;   // (stages,) rank of each stage
    std::vector<int> iterations;  // whole ones, ascending
};

// Sets p, v, m and the numbers of all operations and messages; afterwards every rank has exactly the
// operations of the whole iterations. What is known is kept; what is not follows from the order: the k-th
// forward of a rank is micro-batch g p + q of chunk c with (g, w) = divmod(k, p v), (c, q) = divmod(w, p)
// (Megatron-LM's interleaving; micro-batch k for v = 1), backwards with chunk v - 1 - c. A chunk without a
// stage is placed as a loop or as a V, whichever contradicts fewer dependencies. Throws ImportError with what
// does not fit: ranks of different counts, numbers outside the run.
Numbering numberOperations(TracedRun& run);

// Those of one iteration: operations, receives or sends of a rank, which numberOperations() leaves sorted by
// iteration.
template <class Items>
auto ofIteration(Items&& items, int iteration) {
    const auto of = [](const auto& each) { return each.iteration; };
    return std::span(std::ranges::lower_bound(items, iteration, {}, of),
                     std::ranges::upper_bound(items, iteration, {}, of));
}

}  // namespace bscope
