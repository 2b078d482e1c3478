// Seq1F1B (arXiv:2406.03488): every sequence is cut into q segments, and 1F1B runs segments. A segment's
// forward reads the keys and values of those before it, so that backwards take the segments of a micro-batch
// in reverse. Unit k is segment k mod q of micro-batch k div q; p - s - 2 + q forwards to warm up, then the
// k-th backward is that of segment q - 1 - (k mod q) of micro-batch k div q.
#include <algorithm>

#include "catalog/generators.h"

namespace bscope::generators {

Schedule seq1f1b(const ScheduleParams& params) {
    const int p = params.p, q = params.segments, units = params.m * q;
    Schedule schedule = singleChain(params, loopPlacement(p, 1));
    for (int s = 0; s < p; ++s) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(s)];
        const auto forward = [&](int k) { order.push_back(params.piece(s, Op::Forward, k / q, k % q)); };
        const auto backward = [&](int k) {
            order.push_back(params.piece(s, Op::Backward, k / q, q - 1 - k % q));
        };
        const int w = std::min(p - s - 2 + q, units);
        for (int k = 0; k < w; ++k) forward(k);
        for (int k = 0; k < units - w; ++k) {
            forward(w + k);
            backward(k);
        }
        for (int k = units - w; k < units; ++k) backward(k);
    }
    return schedule;
}

}  // namespace bscope::generators
