// What a configuration decides of sizes: the model's shape, each stage's layers, the bytes of a stage's
// activations. The engine and the window count with these. Pure functions.
#pragma once

#include <vector>

#include "config/run_config.h"
#include "schedule/activation_ledger.h"
#include "schedule/program.h"
#include "shape/activation_bytes.h"

namespace bscope {

ModelShape modelShape(const ModelConfig& model);
// The same as params.t shards have it.
ModelShape shardShape(const RunConfig& config);
// Of an activation or its gradient between two stages: B * T * C in fp32, of a segment's and a shard's rows.
double messageBytes(const RunConfig& config);
Precision precisionOf(Dtype dtype);
Checkpointing checkpointingOf(const RunConfig& config);
// Of the device that computes; a device that is not known yet (auto) counts as the CPU.
DeviceMemory deviceMemory(const RunConfig& config);

// (stages,) Transformer blocks of every stage of every chain; their layers; activations of one micro-batch.
// The config must have no problems.
std::vector<int> blocksOfStages(const RunConfig& config, const Schedule& schedule);
std::vector<StageRange> rangesOfStages(const RunConfig& config, const Schedule& schedule);
// (ranks,) bytes of one version of the weights on each rank; gradients have as many.
std::vector<std::int64_t> weightsOfRanks(const RunConfig& config, const Schedule& schedule);
// (ranks,) bytes of AdamW's moments: twice as many as of weights, under ZeRO of the rank's slice of each
// stage.
std::vector<std::int64_t> optimizerOfRanks(const RunConfig& config, const Schedule& schedule);
// Multiplications for one token.
std::vector<double> workOfStages(const RunConfig& config, const Schedule& schedule);
std::vector<ActivationBytes> activationsOfStages(const RunConfig& config, const Schedule& schedule);

ChunkBytes chunkBytes(const ActivationBytes& bytes);

}  // namespace bscope
