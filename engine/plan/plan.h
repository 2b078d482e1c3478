// Plan: what follows from a RunConfig before anything runs: the program, which layers every stage has, and
// how many bytes its activations take. Values and pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/endless_stream.h"
#include "config/run_config.h"
#include "kernels/communicator.h"
#include "kernels/products.h"
#include "model/serving_stage.h"
#include "model/stage.h"
#include "schedule/program.h"
#include "shape/config_shape.h"

namespace bscope {

struct Plan {
    RunConfig config;
    Program program;
    std::optional<EndlessStream> stream;  // asynchronous schedules; the program is then only what is drawn
    ModelShape shape;
    std::vector<int> layers_per_stage;           // (stages,)
    std::vector<StageRange> ranges;              // (stages,)
    std::vector<ActivationBytes> activations;    // (stages,) of one micro-batch, or one segment
    bool forward_only = false;                   // the program has no backward: found once, asked for often
    std::shared_ptr<const ServingWork> serving;  // whose steps are the micro-batches; null in training

    int ranks() const { return config.params.layout().world(); }
    int replicas() const { return program.schedule.replicas(); }
    int stages() const { return program.schedule.stageCount(); }
    // Of an activation or its gradient: B * T * C * 4, of a segment a q-th of that, with sequence parallelism
    // a t-th.
    std::size_t messageBytes() const;
    std::size_t messageBytes(const MessageTag& tag) const;
    // The program whose memory and times are those of the run.
    const Program& executed() const { return stream ? stream->piece() : program; }
    int optimizerSteps() const { return forward_only ? 0 : stream ? stream->steps() : 1; }  // an iteration
    StageOptions stageOptions(int stage) const;
    // Of a stage's numbers side by side, what it adds up of the gradients of all its copies.
    FloatSlice sliceOfStage(int stage) const;
    bool isZero() const { return program.schedule.params.zero > 0; }
    Products products() const;  // as config.matrix_library names them
};

// The config must have no problems(), and its device must be known: auto counts as the CPU.
Plan makePlan(const RunConfig& config);
// The same with a schedule of one's own; config.params must be the schedule's.
Plan makePlan(const RunConfig& config, const Schedule& schedule);
// Serving: the steps of all requests, in their order on every stage. The config must have no problems() once
// m is 1, and the requests no servingProblems(); its m becomes the number of steps, its schedule forward
// only.
Plan makeServingPlan(RunConfig config, const Serving& serving);

// What a round of a stage's REDUCE_GRAD or GATHER_WEIGHTS takes on the modelled link. ns.
double roundTransfer_ns(const Plan& plan, int stage);

}  // namespace bscope
