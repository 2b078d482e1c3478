#include "run/worker.h"

#include <algorithm>
#include <cmath>

#include "model/model.h"
#include "model/optimizer.h"
#include "run/warm_up.h"

namespace bscope {

Worker::Worker(const Plan& plan, int rank, Model& model, Clock& clock, Communicator& communicator,
               Recorder& recorder)
    : plan_(plan),
      schedule_(plan.program.schedule),
      rank_(rank),
      clock_(clock),
      communicator_(communicator),
      recorder_(recorder),
      stages_(plan, rank, model),
      messages_(model.device(), plan.messageBytes()),
      exchange_(model.tensorCount() + static_cast<std::size_t>(plan.ranks())) {
    stages_.workplace().arena().setClock([&clock] { return clock.workTime_ns(); });
}

void Worker::warmUp(const BatchView& one_microbatch) {
    clock_.runUntimed(rank_, [&] { bscope::warmUp(plan_, rank_, stages_, one_microbatch); });
}

void Worker::run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm) {
    samples_.clear();
    wall_ns_ = cpu_ns_ = 0;
    recorder_.begin(iteration);
    clock_.runUntimed(rank_, [&] { stages_.begin(batch, schedule_.microbatchesPerChain()); });

    for (const Action& action : plan_.program.actions[static_cast<std::size_t>(rank_)]) {
        current_ = action;
        switch (action.op) {
            case Op::RecvForward:
            case Op::RecvBackward:
                postReceive(action);
                break;
            case Op::SendForward:
            case Op::SendBackward:
                send(action);
                break;
            case Op::OptimizerStep:
                stepOptimizer(step, clip_norm);
                break;
            default:
                compute(action);
        }
    }
    recorder_.flush(WatermarkBoard::kDone);
}

void Worker::postReceive(const Action& action) {
    const bool forward = action.op == Op::RecvForward;
    const MessageTag tag{action.stage, action.microbatch, forward ? Direction::Forward : Direction::Backward};
    const int from = forward ? schedule_.previousStage(action.stage) : schedule_.nextStage(action.stage);
    void* const into = messages_.put(tag, {messages_.takeBuffer(), 0, true}).data.as<void>();
    communicator_.postReceive(rankOf(from), tag, into, messages_.messageBytes());
}

void Worker::compute(const Action& action) {
    const auto input = inputOf(schedule_, action), output = outputOf(schedule_, action);
    float* const consumed = input ? await(*input) : nullptr;
    Buffer produced = output ? messages_.takeBuffer() : Buffer();
    const OpTime time = clock_.run(rank_, action.stage, action.op,
                                   [&] { stages_.execute(action, consumed, produced.as<float>()); });
    if (output) messages_.put(*output, {std::move(produced), time.end_ns, false});
    if (input && action.op != Op::Recompute) messages_.drop(*input);
    record(action, time);
}

void Worker::send(const Action& action) {
    const MessageTag tag = outputOf(schedule_, action).value();
    const MessageStore::Message& message = messages_.at(tag);
    communicator_.postSend(rankOf(tag.stage), tag, message.data.as<void>(), messages_.messageBytes(),
                           message.done_ns);
    messages_.drop(tag);
}

// The input, once it is here; a message of another rank is waited for.
float* Worker::await(const MessageTag& tag) {
    MessageStore::Message& message = messages_.at(tag);
    if (message.expected) {
        if (!communicator_.arrived(tag)) recorder_.flush(clock_.now_ns(rank_));
        const std::int64_t free_ns = clock_.now_ns(rank_);
        const std::int64_t sent_ns = communicator_.wait(tag);
        const double bytes = static_cast<double>(messages_.messageBytes());
        const std::int64_t arrival_ns = sent_ns + std::llround(plan_.config.link.transferNs(bytes));
        clock_.waitUntil(rank_, arrival_ns);
        const bool hidden = arrival_ns <= free_ns;
        recorder_.receive(tag, messages_.messageBytes(), free_ns, sent_ns,
                          hidden ? arrival_ns : clock_.now_ns(rank_));
        message.expected = false;
    }
    return message.data.as<float>();
}

// The norm needs every rank's gradients: all meet here, and nothing waits from here on, so that an iteration
// that is broken off has either stepped everywhere or nowhere.
void Worker::stepOptimizer(AdamWStep step, double clip_norm) {
    const std::size_t tensors = exchange_.size() - static_cast<std::size_t>(plan_.ranks());
    std::fill(exchange_.begin(), exchange_.end(), 0.0);
    const std::span<double> squares = std::span(exchange_).first(tensors);
    const std::span<double> clocks = std::span(exchange_).subspan(tensors);
    clock_.run(rank_, -1, Op::OptimizerStep, [&] { stages_.gradientSquares(squares); });
    clocks[static_cast<std::size_t>(rank_)] = static_cast<double>(clock_.now_ns(rank_));
    recorder_.flush(WatermarkBoard::kDone);
    communicator_.allReduceSum(exchange_);
    clock_.waitUntil(rank_, static_cast<std::int64_t>(*std::max_element(clocks.begin(), clocks.end())));

    gradient_norm_ = bscope::gradientNorm(squares);
    step.gradient_scale = clipFactor(gradient_norm_, clip_norm);
    step_begun_ = true;
    const OpTime time = clock_.run(rank_, -1, Op::OptimizerStep, [&] { stages_.step(step); });
    step_begun_ = false;
    record(current_, time);
}

void Worker::record(const Action& action, const OpTime& time) {
    samples_.push_back({action.stage, action.op, time.duration_ns});
    wall_ns_ += time.wall_ns;
    cpu_ns_ += time.cpu_ns;
    recorder_.operation(action, time, stages_.workplace().arena().drainRecords());
    if (action.op != Op::OptimizerStep) recorder_.flushIfDue(time.end_ns);
}

double Worker::wallOverCpu() const {
    return cpu_ns_ > 0 ? static_cast<double>(wall_ns_) / static_cast<double>(cpu_ns_) : 1.0;
}

}  // namespace bscope
