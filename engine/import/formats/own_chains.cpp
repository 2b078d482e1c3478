#include "import/formats/own_chains.h"

#include <algorithm>
#include <map>
#include <set>

#include "import/trace/import_error.h"

namespace bscope {
namespace {

// (chains, ...) ranks of each chain, ascending.
Replicas ranksOfChains(const Chains& chains, const std::vector<int>& placement) {
    Replicas all;
    for (const auto& chain : chains) {
        std::set<int> ranks;
        for (const int stage : chain) ranks.insert(placement[static_cast<std::size_t>(stage)]);
        all.emplace_back(ranks.begin(), ranks.end());
    }
    return all;
}

bool shareRanks(const Replicas& replicas) {
    std::set<int> seen;
    for (const auto& ranks : replicas)
        for (const int rank : ranks)
            if (!seen.insert(rank).second) return true;
    return false;
}

// What the forwards of a stage tell.
struct StageFacts {
    int rank = -1;
    bool receives = false;
    std::map<std::pair<int, int>, TracedOp> forwards;  // by iteration and micro-batch
};

std::map<int, StageFacts> factsOfStages(const std::vector<TracedRank>& ranks) {
    std::map<int, StageFacts> stages;
    for (const TracedRank& rank : ranks) {
        for (const TracedOp& op : rank.ops) {
            if (op.op != Op::Forward) continue;
            StageFacts& stage = stages[op.stage];
            stage.rank = rank.rank;
            stage.forwards[{op.iteration, op.microbatch}] = op;
        }
        for (const TracedReceive& receive : rank.receives)
            if (receive.op == Op::RecvForward) stages[receive.stage].receives = true;
    }
    return stages;
}

// On one rank: every forward of `to` could have taken what `from` made of its micro-batch.
bool follows(const StageFacts& from, const StageFacts& to) {
    return std::ranges::all_of(to.forwards, [&from](const auto& forward) {
        const auto made = from.forwards.find(forward.first);
        return made != from.forwards.end() && made->second.end_ns <= forward.second.start_ns;
    });
}

}  // namespace

void refuseAsynchronous(const std::string& file) {
    throw ImportError(
        sentence("{0} is of an asynchronous schedule, which has no iterations to compare: look at its "
                 "recording instead",
                 file));
}

void refuseSegments(const std::string& file) {
    throw ImportError(
        sentence("{0} is of sequences that are cut into segments, which are not compared: look at "
                 "its recording instead",
                 file));
}

Chains chainsOf(const std::vector<TracedRank>& ranks, std::vector<int>& placement) {
    const std::map<int, StageFacts> stages = factsOfStages(ranks);
    placement.clear();
    Chains chains;
    for (const auto& [stage, facts] : stages) {
        // Numbers that leave one out are refused where operations are numbered.
        if (stage != static_cast<int>(placement.size()) || facts.rank < 0) return {};
        const StageFacts* before = stage > 0 ? &stages.at(stage - 1) : nullptr;
        const bool same_rank = before != nullptr && before->rank == facts.rank;
        if (before == nullptr || !(same_rank ? follows(*before, facts) : facts.receives))
            chains.emplace_back();
        chains.back().push_back(stage);
        placement.push_back(facts.rank);
    }
    return chains;
}

void takeFirstShards(TracedRun& run, int shards) {
    run.shards = shards;
    if (shards > 1)
        run.notes.push_back(
            sentence("of {0} tensor-parallel ranks of a stage, which share each operation, "
                     "the times of the first one are shown",
                     shards));
}

void takeChain(TracedRun& run, std::vector<TracedRank> ranks, const Chains& chains,
               const std::vector<int>& placement, const std::string& file, std::optional<int> replica) {
    Replicas replicas = ranksOfChains(chains, placement);
    if (shareRanks(replicas))
        throw ImportError(
            sentence("{0} is of a schedule with two chains of stages over the same ranks, which has no order "
                     "of one pipeline to compare: look at its recording instead",
                     file));
    std::map<int, int> place;  // of a stage in its chain
    for (const auto& chain : chains)
        for (const int stage : chain) place[stage] = stage - chain.front();
    const auto counted = [&place](int& stage) {
        if (const auto at = place.find(stage); at != place.end()) stage = at->second;
    };
    for (TracedRank& rank : ranks) {
        for (TracedOp& op : rank.ops) counted(op.stage);
        for (TracedReceive& receive : rank.receives) counted(receive.stage);
    }
    takeReplica(run, std::move(ranks), std::move(replicas), replica);
}

}  // namespace bscope
