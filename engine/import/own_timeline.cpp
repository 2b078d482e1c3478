// A timeline of this program as a traced run: nothing is unknown, on one clock.
#include <algorithm>
#include <set>

#include "import/import_error.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"

namespace bscope {
namespace {

// (chains, ...) ranks of each chain, ascending.
Replicas ranksOfChains(const Schedule& schedule) {
    Replicas all;
    for (const auto& chain : schedule.chains) {
        std::set<int> ranks;
        for (const int stage : chain) ranks.insert(schedule.placement[static_cast<std::size_t>(stage)]);
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

// From the chain's first stage on, so that each replica counts its own.
int stageInChain(const Schedule& schedule, int stage) {
    for (const auto& chain : schedule.chains)
        if (const auto at = std::ranges::find(chain, stage); at != chain.end())
            return static_cast<int>(at - chain.begin());
    return stage;
}

}  // namespace

TracedRun tracedRun(const Timeline& timeline, const Schedule& schedule, const std::string& file,
                    std::optional<int> replica) {
    if (schedule.weights != WeightRule::Flush)
        throw ImportError(
            sentence("{0} is of an asynchronous schedule, which has no iterations to compare: look at its "
                     "recording instead",
                     file));
    const Replicas chains = ranksOfChains(schedule);
    if (shareRanks(chains))
        throw ImportError(
            sentence("{0} is of a schedule with two chains of stages over the same ranks, which "
                     "has no order of one pipeline to compare: look at its recording instead",
                     file));
    TracedRun run;
    run.clocks = Clocks::Shared;
    run.messages_told = true;
    run.provenance = timeline.provenance();
    std::vector<TracedRank> ranks;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        TracedRank& of = ranks.emplace_back();
        of.rank = rank;
        of.file = file;
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op) && event.op != Op::OptimizerStep) continue;
            TracedOp& op = of.ops.emplace_back();
            op.op = event.op;
            if (event.op != Op::OptimizerStep) op.stage = stageInChain(schedule, event.stage);
            op.microbatch = event.microbatch;
            op.iteration = event.iteration;
            op.start_ns = event.start_ns;
            op.end_ns = event.end_ns;
        }
        for (const Event& event : timeline.receives(rank))
            of.receives.push_back({event.op, stageInChain(schedule, event.stage), event.microbatch,
                                   event.iteration, event.start_ns, event.end_ns, event.transfer_ns});
    }
    takeReplica(run, std::move(ranks), chains, replica);
    return run;
}

}  // namespace bscope
