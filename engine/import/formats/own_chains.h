// Chains of stages in runs of this program: each replica of the pipeline is one, and stages count through all
// of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/ranks_of_run.h"
#include "import/trace/traced_run.h"

namespace bscope {

// A run of this program that is not compared with others. Both throw ImportError.
[[noreturn]] void refuseAsynchronous(const std::string& file);
[[noreturn]] void refuseSegments(const std::string& file);

using Chains = std::vector<std::vector<int>>;  // stages of each, in order

// The chains that the operations and messages of all ranks show; `placement` becomes the rank of each stage.
// A chain ends where the next stage is on another rank and receives nothing, or is on the same rank and runs
// a micro-batch before this one has.
Chains chainsOf(const std::vector<TracedRank>& ranks, std::vector<int>& placement);

// That the ranks are the first of each group of so many, which compute a stage together.
void takeFirstShards(TracedRun& run, int shards);

// Sets run.ranks and run.replicas as takeReplica() does, stages counted from the first one of their chain.
// Throws ImportError: two chains over the same ranks, or as takeReplica().
void takeChain(TracedRun& run, std::vector<TracedRank> ranks, const Chains& chains,
               const std::vector<int>& placement, const std::string& file, std::optional<int> replica);

}  // namespace bscope
