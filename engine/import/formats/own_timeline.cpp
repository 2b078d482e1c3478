// A timeline of this program as a traced run: nothing is unknown, on one clock.
#include "import/formats/own_chains.h"
#include "import/readers.h"

namespace bscope {
TracedRun tracedRun(const Timeline& timeline, const Schedule& schedule, const std::string& file,
                    std::optional<int> replica) {
    if (schedule.weights != WeightRule::Flush) refuseAsynchronous(file);
    if (schedule.params.segments > 1) refuseSegments(file);
    TracedRun run;
    run.clocks = Clocks::Shared;
    run.messages_recorded = true;
    run.provenance = timeline.provenance();
    // Of the shards of a stage, which share each operation, the first one.
    const RankLayout layout = schedule.params.layout();
    Chains chains;
    for (std::size_t chain = 0; chain < schedule.chains.size(); ++chain)
        if (schedule.shardOf(static_cast<int>(chain)) == 0) chains.push_back(schedule.chains[chain]);
    takeFirstShards(run, layout.t);
    std::vector<TracedRank> ranks;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        if (layout.shardOf(rank) != 0) continue;
        TracedRank& of = ranks.emplace_back();
        of.rank = rank;
        of.file = file;
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op) && event.op != Op::OptimizerStep) continue;
            TracedOp& op = of.ops.emplace_back();
            op.op = event.op;
            if (event.op != Op::OptimizerStep) op.stage = event.stage;
            op.microbatch = event.microbatch;
            op.iteration = event.iteration;
            op.start_ns = event.start_ns;
            op.end_ns = event.end_ns;
        }
        for (const Event& event : timeline.receives(rank))
            of.receives.push_back({event.op, event.stage, event.microbatch, event.iteration, event.start_ns,
                                   event.end_ns, event.transfer_ns});
    }
    takeChain(run, std::move(ranks), chains, schedule.placement, file, replica);
    return run;
}

}  // namespace bscope
