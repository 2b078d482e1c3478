// Which rank comes before and after which, as far as the messages of the files prove it.
#pragma once

#include <vector>

#include "import/trace/import_error.h"
#include "import/trace/raw_trace.h"
#include "import/trace/traced_run.h"

namespace bscope {

// Sets rank.before and rank.after from the messages around its first forward and its first backward, where
// ranges are named but no stage is (ScheduleGPipe). To be called before namedOperations().
void findNeighboursOfPlain(const RawTrace& trace, TracedRank& rank);

// The pipelines that the groups of the files make of these ranks, where their messages fit only one size of
// groups: in each group one rank has none before it and one none after it. Empty: no group fits.
Replicas pipelinesOfGroups(const std::vector<TracedRank>& ranks, const Replicas& groups);

// The same where the files say who sends to whom and that makes several pipelines, each with a file of all its
// ranks. Empty: it does not.
Replicas pipelinesOfPeers(const std::vector<TracedRank>& ranks);

// Numbers of ranks that messages go to or come from and that have no file, ascending.
std::vector<int> peersWithoutFile(const std::vector<TracedRank>& ranks);

// Brings the ranks into the order of their stages where their messages contradict the order of the files and
// leave one other; says so in a note. Renumbers the ranks.
void orderRanks(TracedRun& run);

// The orders of the ranks that are to be tried, the present one first, each as indices into run.ranks.
std::vector<std::vector<std::size_t>> possibleOrders(const TracedRun& run);

// A run with its ranks in that order, renumbered, with the note on it.
TracedRun inOrder(TracedRun run, const std::vector<std::size_t>& order);

// Throws ImportError, which names the ranks, where more than one begins or ends a pipeline.
void requireOnePipeline(const TracedRun& run);

// What the file calls a rank, whatever its place.
inline int numberInJob(const TracedRank& rank) {
    return rank.in_job >= 0 ? rank.in_job : rank.rank;
}

// From 0 in their order; what the file calls them stays known.
void numberByPlace(std::vector<TracedRank>& ranks);

// "0, 2".
std::string numbersText(const std::vector<int>& numbers);

}  // namespace bscope
