// Eager 1F1B (arXiv:2211.05322): 1F1B with twice the warm-up, so that a message has a whole slot to
// travel in. Interleaved code run with v = 1 gives exactly this, not 1F1B.
#include "catalog/generators.h"

namespace bscope::generators {

Schedule eagerOneFOneB(const ScheduleParams& params) {
    return oneForwardOneBackward(params, [&](int r) { return 2 * (params.p - 1 - r); });
}

}  // namespace bscope::generators
