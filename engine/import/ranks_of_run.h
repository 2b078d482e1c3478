// What the readers of a file a rank share: which rank a file is of, that no rank is there twice and none is
// missing, and which of several replicas of the pipeline is taken.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "import/trace/import_error.h"
#include "import/trace/traced_run.h"

namespace bscope {

// "rank3", "rank-3" or "rank_3" in the file's name; -1 where it has none.
int rankInName(const std::filesystem::path& file);

// By rank: TracedRank or RawTrace. Throws ImportError when two files are of the same one.
template <class OfRank>
void sortRanks(std::vector<OfRank>& ranks) {
    std::ranges::stable_sort(ranks, {}, &OfRank::rank);
    const auto twin = std::ranges::adjacent_find(ranks, {}, &OfRank::rank);
    if (twin != ranks.end())
        throw ImportError(sentence("{0} and {1} are both of rank {2}; import the files of one run",
                                   twin->file, std::next(twin)->file, twin->rank));
}

// That these are the ranks 0 to p - 1, in any order. Throws ImportError that lists all that are missing;
// `file` names p.
void requireRanks(const std::vector<int>& ranks, int p, const std::filesystem::path& file);

// Sets run.ranks, run.others and run.replicas: the ranks of the replica that is wanted, in the order of its stages and
// numbered from 0. Where nothing names the replicas, they follow from the stages that the ranks name: as many
// ranks run each of them as there are replicas, and the k-th of them are replica k. Throws ImportError: ranks
// doubled or missing, or no such replica. Throws SeveralReplicas where there are several and none is wanted.
void takeReplica(TracedRun& run, std::vector<TracedRank> ranks, Replicas known, std::optional<int> wanted);

// The note on a file that ends too early.
Sentence cutOffNote(const std::filesystem::path& file);
// The note on one that holds several runs, one after another, of which the last one is taken.
Sentence severalRunsNote(const std::filesystem::path& file, int runs);
// The note on one that holds several traces, whole files one behind the other.
Sentence severalTracesNote(const std::filesystem::path& file, std::size_t traces);

}  // namespace bscope
