// Schedule: what every rank computes, in order, and where each stage lives. Immutable data, no communication
// (lower() in program.h adds it), no time (timeline/predict.h adds it). Replicas of the weights, be they the
// two directions of a schedule or data-parallel ones (data_parallel.h), are chains of their own, and so are
// the tensor-parallel shards of each (tensor_parallel.h).
#pragma once

#include <string>
#include <vector>

#include "schedule/action.h"
#include "schedule/rank_layout.h"
#include "schedule/serving.h"

namespace bscope {

// Which weights a forward and its backward use (SCHEDULES: PipeDream SOSP'19; 2BW arXiv:2006.09503).
enum class WeightRule : std::uint8_t {
    Flush,         // one version, all micro-batches of an iteration finish before the optimizer step
    Stashed,       // PipeDream: a version for each micro-batch in flight, a step after every backward
    DoubleBuffer,  // PipeDream-2BW: two versions, delay of exactly one
};

// Limits of what a person may ask for; they keep every size and event field well inside its type.
inline constexpr int kMaxRanks = 1024;  // p * d * t
inline constexpr int kMaxChunks = 128;
inline constexpr int kMaxMicrobatches = 65536;
inline constexpr long kMaxCells = 4'000'000;  // p * v * m * d * t * segments

// The parameters of a generator. m counts micro-batches per optimizer step over all chains of one
// data-parallel replica. Generators leave d and t alone, makeSchedule() sees to them.
struct ScheduleParams {
    int p = 4;           // pipeline ranks of one replica
    int v = 1;           // virtual stages (model chunks) per rank
    int m = 8;           // micro-batches
    int group_size = 0;  // interleaved only: microbatch_group_size_per_vp_stage, 0 = default
    // PipeDream only: a micro-batch meets on every stage the version the first one had for it.
    bool vertical_sync = false;
    int d = 1;  // data-parallel replicas of the whole pipeline; p and m are those of one of them
    int t = 1;  // tensor-parallel shards of every stage, a rank each
    // ZeRO stage (arXiv:1910.02054): with 1 each of the d copies of a stage has the optimizer's state of a
    // d-th of it, steps that alone, and gathers the rest. 0: each has and steps all.
    int zero = 0;
    int segments = 1;  // q: that every sequence is cut into (Seq1F1B, arXiv:2406.03488)
    bool operator==(const ScheduleParams&) const = default;

    // The following ask for legal values.
    RankLayout layout() const { return {p, d, t}; }
    int microbatches() const { return m * d; }  // per optimizer step
    long cells() const { return static_cast<long>(p) * v * m * d * t * segments; }
    int stagesOfReplica() const { return p * v; }
    // Of one replica of one shard.
    ScheduleParams ofOnePipeline() const {
        ScheduleParams one = *this;
        one.takeWorldOf({});
        return one;
    }
    // The replicas and shards of another pipeline.
    void takeWorldOf(const ScheduleParams& other) {
        d = other.d;
        t = other.t;
        zero = other.zero;
    }
    // Whether an action names a segment exactly where there are some, and one that there is.
    bool hasSegment(const Action& action) const {
        return segments == 1 ? action.segment() < 0 : action.segment() >= 0 && action.segment() < segments;
    }
    // What is done to segment j, of 0..segments-1, of a micro-batch; to all of it where there is one.
    Action piece(int stage, Op op, int microbatch, int j) const {
        return {stage, op, microbatch, false, segments == 1 ? -1 : j};
    }
    // Its place among the pieces of all micro-batches, (m, segments).
    int pieceOf(const Action& action) const {
        return action.microbatch * segments + std::max(action.segment(), 0);
    }
};

// "p=4 m=8 v=1", and " d=2 ZeRO-1 t=2 SP q=4" of it where it is not 1 or off.
std::string sizesText(const ScheduleParams& params, bool sequence_parallel = false);

// What each size may be by itself.
struct SizeRange {
    const char* name;  // as Problem::field has it
    int ScheduleParams::*size;
    int least, greatest;
};
inline constexpr SizeRange kSizeRanges[] = {
    {"p", &ScheduleParams::p, 1, kMaxRanks},
    {"v", &ScheduleParams::v, 1, kMaxChunks},
    {"m", &ScheduleParams::m, 1, kMaxMicrobatches},
    {"d", &ScheduleParams::d, 1, kMaxRanks},
    {"t", &ScheduleParams::t, 1, kMaxRanks},
    {"zero", &ScheduleParams::zero, 0, 1},
    {"segments", &ScheduleParams::segments, 1, kMaxSegments},
    {"group_size", &ScheduleParams::group_size, 0, kMaxMicrobatches},
};

struct Schedule {
    std::string name;  // catalog name, "1f1b"
    ScheduleParams params;
    std::vector<int> placement;  // (stages,) rank of each stage
    // (replicas t, ...) stages in forward order, numbered consecutively; the shards of a replica side by side
    std::vector<std::vector<int>> chains;
    std::vector<std::vector<Action>> orders;  // (ranks, ...) compute actions in execution order
    WeightRule weights = WeightRule::Flush;
    std::vector<int> chain_microbatches;  // (chains,) empty = as many in every chain
    int step_every = 0;  // micro-batches of a rank between its optimizer steps; 0 = one step at the end
    // Serving, where a micro-batch is a step: F of the first stage needs the tokens that the last one made of
    // an earlier step. Empty where no micro-batch needs another one.
    StepLinks links;

    int stageCount() const { return static_cast<int>(placement.size()); }
    int replicas() const { return static_cast<int>(chains.size()) / params.t; }
    int replicaOf(int chain) const { return chain / params.t; }
    int shardOf(int chain) const { return chain % params.t; }
    // Micro-batches of the fullest chain.
    int microbatchesPerChain() const;
    int microbatchesOfChain(int chain) const;
    int piecesPerChain() const { return microbatchesPerChain() * params.segments; }
    bool has(Op op) const;          // anywhere
    bool isForwardOnly() const;     // no backward anywhere
    bool hasSplitBackward() const;  // any I or W
    // The stage before / after this one in its chain, -1 at the ends.
    int previousStage(int stage) const;
    int nextStage(int stage) const;
    // What F waits for from another stage, and what waits for its output: the F of the stage before or after,
    // of the same micro-batch, or across the ends of a chain of the step before or after; its stage is -1
    // where there is none.
    Action forwardBefore(const Action& forward) const;
    Action forwardAfter(const Action& forward) const;
    int chainOf(int stage) const;
    // (replicas,) the stages with the same weights as this one in every replica, its own included.
    std::vector<int> copiesOf(int stage) const;
    // (t,) the stages that compute the same layers together, its own included, in the order of the shards.
    std::vector<int> shardsOf(int stage) const;
    // Micro-batch i of a chain is micro-batch firstMicrobatch(chain) + i of the iteration.
    int firstMicrobatch(int chain) const;
};

// rank(s) = s mod p
std::vector<int> loopPlacement(int p, int v);
// rank(s) = x for even passes, p-1-x for odd ones, x = s mod p; v = 2 is the V
std::vector<int> zigzagPlacement(int p, int v);

}  // namespace bscope
