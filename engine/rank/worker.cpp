#include "rank/worker.h"

#include <algorithm>
#include <utility>

#include "model/model.h"
#include "model/optimizer.h"
#include "rank/warm_up.h"

namespace bscope {

Worker::Worker(const Plan& plan, int rank, const std::vector<Model*>& models, Clock& clock,
               Communicator& communicator, Recorder& recorder)
    : plan_(plan),
      schedule_(plan.program.schedule),
      rank_(rank),
      clock_(clock),
      stages_(plan, rank, models),
      executor_(plan, rank, stages_.workplace(), clock, communicator, recorder),
      gradient_sum_(executor_, stages_.workplace()),
      shards_(plan, executor_, stages_.workplace()),
      exchange_(models.size() * models.front()->tensorCount() + static_cast<std::size_t>(plan.ranks())) {
    if (plan.shape.t > 1) stages_.workplace().setShards(&shards_);
}

void Worker::warmUp(const BatchView& one_microbatch) {
    const AtWork at_work(clock_, rank_);
    executor_.runUntimed([&] {
        bscope::warmUp(plan_, rank_, stages_, one_microbatch);
        stages_.reserve();
        executor_.reserve();
        reserveSums();
    });
}

void Worker::reserveSums() {
    for (const Action& action : plan_.executed().actions[static_cast<std::size_t>(rank_)]) {
        if (action.op != Op::ReduceGradients) continue;
        const std::size_t floats = stages_.stage(action.stage).gradientFloats();
        if (summands_.bytes() < floats * sizeof(float))
            summands_ = Buffer(stages_.workplace().device(), floats * sizeof(float));
        gradient_sum_.reserve(copiesOf(action.stage), floats);
    }
    if (plan_.shape.t == 1) return;
    for (int stage = 0; stage < plan_.stages(); ++stage)
        if (executor_.rankOf(stage) == rank_) shards_.reserve(stage, stages_.sharedFloats(stage));
}

bool Worker::run(const std::vector<Action>& actions, Flow& flow) {
    for (const Action& action : actions) {
        executor_.begin(action);
        const std::int64_t free_ns = executor_.now_ns();
        const Flow::Entry entry = flow.enter(action);
        if (entry == Flow::Entry::Over) return false;
        if (entry == Flow::Entry::Out) continue;
        if (isReceive(action.op))
            flow.postReceive(action);
        else if (isSend(action.op))
            executor_.send(action);
        else if (action.op == Op::ReduceGradients)
            reduceGradients(action);
        else if (action.op == Op::GatherWeights)
            gatherWeights(action);
        else if (action.op == Op::OptimizerStep)
            flow.step(action);
        else
            executor_.compute(action, free_ns, flow.prepare(action),
                              [&](float* input, float* output) { stages_.execute(action, input, output); });
    }
    return true;
}

// Of this iteration; a stream's micro-batches count on.
void Worker::addOutcome(int first) {
    if (plan_.serving) {
        for (const auto& stage : stages_.serving())
            if (stage && !stage->answers().empty()) share_.answers = stage->answers();
        return;
    }
    share_.losses.resize(schedule_.chains.size());
    for (std::size_t chain = 0; chain < schedule_.chains.size(); ++chain) {
        const int last = schedule_.chains[chain].back();
        // Every shard has the same loss.
        if (executor_.rankOf(last) != rank_ || schedule_.shardOf(static_cast<int>(chain)) != 0) continue;
        const int count = plan_.stream ? plan_.stream->microbatches()
                                       : schedule_.microbatchesOfChain(static_cast<int>(chain));
        for (int mb = first; mb < first + count; ++mb)
            share_.losses[chain].push_back(stages_.stage(last).loss(mb));
    }
}

SumGroup Worker::copiesOf(int stage) const {
    return {.stages = schedule_.copiesOf(stage),
            .own = schedule_.replicaOf(schedule_.chainOf(stage)),
            .hops = schedule_.replicas() - 1};
}

// The gradient of the mean over all micro-batches: every replica has divided by the number of all. Under ZeRO
// a copy keeps the sum of its slice alone.
void Worker::reduceGradients(const Action& action) {
    Stage& stage = stages_.stage(action.stage);
    const SumGroup group = copiesOf(action.stage);
    const std::span all(summands_.as<float>(), stage.gradientFloats());
    executor_.holdBack(executor_.now_ns());
    const OpTime copying =
        executor_.run({action, WorkPart::Gather}, [&] { stage.copyGradients(all.data()); });
    const OrderedSum::Round scattered = gradient_sum_.scatter(group, all, copying.end_ns);
    std::size_t received = scattered.received_bytes;
    const OpTime adding = executor_.run({action, WorkPart::Fold}, [&] { gradient_sum_.add(group, all); });
    if (!plan_.isZero()) received += gradient_sum_.gather(group, all, adding.end_ns).received_bytes;
    OpTime taking = executor_.run(
        action, [&] { stage.replaceGradients(all.data(), plan_.isZero() ? stage.slice() : stage.whole()); });
    taking.duration_ns += adding.duration_ns;
    recordOfCopies(action, copying, scattered.ready_ns, taking, received);
}

// What the copies of the stage have stepped; its own slice stays as it is.
void Worker::gatherWeights(const Action& action) {
    Stage& stage = stages_.stage(action.stage);
    SumGroup group = copiesOf(action.stage);
    group.sums = MessageKind::Weights;
    const std::span all(summands_.as<float>(), stage.gradientFloats());
    executor_.holdBack(executor_.now_ns());
    const OpTime copying =
        executor_.run({action, WorkPart::Gather}, [&] { stage.copyWeights(all.data(), stage.slice()); });
    const OrderedSum::Round gathered = gradient_sum_.gather(group, all, copying.end_ns);
    const OpTime taking = executor_.run(action, [&] { stage.replaceWeights(all.data()); });
    recordOfCopies(action, copying, gathered.ready_ns, taking, gathered.received_bytes);
}

// From when the last copy began to copy, which was ready at ready_ns, to the end.
void Worker::recordOfCopies(const Action& action, const OpTime& copying, std::int64_t ready_ns, OpTime last,
                            std::size_t received_bytes) {
    last.start_ns = std::max(copying.start_ns, ready_ns - (copying.end_ns - copying.start_ns));
    last.duration_ns += copying.duration_ns;
    executor_.record(action, last, {.received_bytes = static_cast<std::int64_t>(received_bytes)});
    executor_.holdBack(Executor::kNothing);
    executor_.flushIfDue(last.end_ns);
}

// With sequence parallelism a shard has the gradients of LayerNorms of its rows alone: added up once a step,
// as Megatron-LM does (finalize_model_grads).
void Worker::addUpSummands() {
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        if (executor_.rankOf(stage) != rank_) continue;
        Stage& own = stages_.stage(stage);
        if (own.summandFloats() == 0) continue;
        const std::span values(stages_.workplace().workspace(), own.summandFloats());
        own.copySummands(values.data());
        shards_.addUpOf(stage, values);
        own.takeSums(values.data());
    }
}

RankIteration Worker::takeShare() {
    executor_.moveTo(share_);
    share_.held_ns = held_ns_;
    share_.buffer_bytes = static_cast<std::int64_t>(bufferBytes());
    share_.reserved_bytes = static_cast<std::int64_t>(stages_.workplace().arena().reservedBytes());
    share_.weight_bytes = static_cast<std::int64_t>(stages_.weightBytes());
    share_.optimizer_bytes = static_cast<std::int64_t>(stages_.optimizerBytes());
    return std::exchange(share_, {});
}

std::size_t Worker::bufferBytes() const {
    return stages_.bufferBytes() + executor_.bufferBytes() + gradient_sum_.bufferBytes() + summands_.bytes() +
           shards_.bufferBytes();
}

}  // namespace bscope
