// nearestLegal: the legal values just below and just above an illegal one, for the `legal` list of a Problem.
#pragma once

#include <vector>

namespace bscope {

// The greatest legal value below `value` and the least one above it, both within [least, greatest], the
// closer one first; empty when there is none. `legal(long)` is true for a legal value.
template <class Legal>
std::vector<long> nearestLegal(long value, long least, long greatest, Legal legal) {
    long below = value - 1 > greatest ? greatest : value - 1;
    while (below >= least && !legal(below)) --below;
    long above = value + 1 < least ? least : value + 1;
    while (above <= greatest && !legal(above)) ++above;
    std::vector<long> found;
    if (below >= least) found.push_back(below);
    if (above <= greatest) {
        const bool closer = !found.empty() && above - value < value - below;
        found.insert(closer ? found.begin() : found.end(), above);
    }
    return found;
}

}  // namespace bscope
