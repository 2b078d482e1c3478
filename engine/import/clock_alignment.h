// alignClocks: one clock for all ranks. No operation starts before what it waits for has ended, so every
// message bounds how far two ranks' clocks may lie apart: with shifts o, start(receiver) + o(receiver) >=
// end(sender) + o(sender). The bounds are difference constraints; the solution is a shortest path
// (Bellman-Ford; Cormen et al., Introduction to Algorithms, 24.4). Pure arithmetic over plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/trace/traced_run.h"

namespace bscope {

struct AlignedClocks {
    bool aligned = true;  // no operation starts before what it waits for has ended
    // The greatest difference between the shifts of two ranks, over all iterations.
    std::int64_t max_shift_ns = 0;
    // How far the clocks of two neighbours could still be moved against each other at most, where messages go
    // both ways: what a time on one may be off by against the other. -1: messages go one way only.
    std::int64_t slack_ns = -1;
    std::int64_t base_ns =
        0;  // of the files' clock, where the times now begin; Clocks::PerIteration has none
    // What no shift that is possible puts right, one sentence each; times then stay as they are.
    std::vector<Sentence> contradictions;
};

// Throws ImportError where a time is further away than kFarthest_ns, or what a rank did on one clock lasted
// more than a year: after that, differences of a rank's times, and their sums, stay in their type.
void requireTimes(const TracedRun& run);

// Shifts all times of the run. Clocks::PerRank has one shift a rank, Clocks::PerIteration one a rank and
// iteration; iterations of the latter are laid one after the other. Where no one shift puts clocks of several
// hosts in order, but what such clocks run apart by explains it, they become the latter, with a note. One
// host's clock is shifted by no more than what its times are precise to; more is a contradiction. The run is
// numbered (numbering.h). Throws ImportError where the run would last more than a year.
AlignedClocks alignClocks(TracedRun& run, const std::vector<int>& placement,
                          const std::vector<int>& iterations);

}  // namespace bscope
