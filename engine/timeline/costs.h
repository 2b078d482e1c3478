// Costs: how long each operation of each stage takes; given by hand (units of F = 1) or the medians of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "schedule/activation_ledger.h"

namespace bscope {

// Durations in nanoseconds of one operation of one stage on its rank. A fused B is measured by itself and may
// differ from I + W.
struct StageCosts {
    double forward_ns = 0, backward_ns = 0, input_ns = 0, weight_ns = 0, recompute_ns = 0;
    std::int64_t activation_bytes = 0;       // held from F to the end of the backward, per micro-batch
    std::int64_t kept_for_weight_bytes = 0;  // what still stands between I and W
    std::int64_t recompute_bytes = 0;        // additional bytes alive from R to the end of the backward
    // Most that F, I and B have live above what was live before; less than what stays of F counts as that.
    std::int64_t forward_peak_bytes = 0, input_peak_bytes = 0, backward_peak_bytes = 0;

    double duration_ns(Op op) const;  // 0 for communication and the optimizer
    ChunkBytes chunk(bool recomputes) const;
    void setChunk(const ChunkBytes& chunk);
};

// The durations of a stage, and whose they are.
struct DurationField {
    Op op;
    double StageCosts::*ns;
};
inline constexpr DurationField kDurationFields[] = {{Op::Forward, &StageCosts::forward_ns},
                                                    {Op::Backward, &StageCosts::backward_ns},
                                                    {Op::BackwardInput, &StageCosts::input_ns},
                                                    {Op::BackwardWeight, &StageCosts::weight_ns},
                                                    {Op::Recompute, &StageCosts::recompute_ns}};

// What a stage's activations take, and its name in files.
struct ByteField {
    const char* name;
    std::int64_t StageCosts::*bytes;
};
inline constexpr ByteField kByteFields[] = {{"activation_bytes", &StageCosts::activation_bytes},
                                            {"kept_for_weight_bytes", &StageCosts::kept_for_weight_bytes},
                                            {"recompute_bytes", &StageCosts::recompute_bytes},
                                            {"forward_peak_bytes", &StageCosts::forward_peak_bytes},
                                            {"input_peak_bytes", &StageCosts::input_peak_bytes},
                                            {"backward_peak_bytes", &StageCosts::backward_peak_bytes}};

// Messages from one rank to another that take longer than others.
struct SlowLink {
    int from = -1, to = -1;
    double extra_ns = 0;
};
// A micro-batch whose operations all take that many times as long.
struct LongMicrobatch {
    int index = -1;
    double factor = 1;
};

struct Costs {
    std::vector<StageCosts> stages;  // (stages,)
    double optimizer_ns = 0;         // one rank's optimizer step
    double reduce_ns = 0;            // replicas: one stage's REDUCE_GRAD from when its last copy begins it
    double gather_ns = 0;            // ZeRO: the same of one stage's GATHER_WEIGHTS
    double handover_ns = 0;          // from an operation to the next one of its rank, where nothing keeps it
    LinkModel link;
    double message_bytes = 0;  // activation and gradient message between two stages, B*T*C*4 for fp32
    SlowLink slow_link;            // of one run beside itself: not stored
    LongMicrobatch long_microbatch;  // likewise
    double hopNs() const { return link.transferNs(message_bytes); }  // latency + bytes / bandwidth
};

// The unit costs schedules are compared with: durations of one chunk in units, 1 unit = 1e9 ns; B = i + w.
// link_latency in the same units. activation_bytes = 1 a chunk.
Costs unitCosts(int stages, double f, double i, double w, double link_latency);

}  // namespace bscope
