// Work beside the named operations: what no name covers counts as idle time, so that the bubble is too high
// by as much; where every rank has as much of it as a micro-batch takes, m is wrong, too. Any thread.
#pragma once

#include <map>
#include <vector>

#include "import/trace/traced_run.h"

namespace bscope {

class UnnamedShares {
public:
    // Before the clocks are moved. Throws ImportError where a micro-batch seems to have lost its names.
    UnnamedShares(const TracedRun& run, const std::vector<int>& iterations);

    // Notes it, where it may change the bubble of total by a percentage point or more. (iterations,) lengths.
    void note(std::vector<Sentence>& notes, const std::map<int, std::int64_t>& lengths_ns) const;

private:
    struct OfRank {
        int rank = 0;                            // as the files number it
        std::map<int, std::int64_t> unnamed_ns;  // by iteration, between its first and its last operation
        std::int64_t named_ns = 0, all_ns = 0;   // of all iterations
    };
    std::vector<OfRank> ranks_;
};

}  // namespace bscope
