#include "rank/worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/model.h"
#include "model/optimizer.h"
#include "plan/message_needs.h"
#include "rank/warm_up.h"

namespace bscope {

namespace {
constexpr std::chrono::milliseconds kLookEvery{20};
}

Worker::Worker(const Plan& plan, int rank, const std::vector<Model*>& models, Clock& clock,
               Communicator& communicator, Recorder& recorder)
    : plan_(plan),
      schedule_(plan.program.schedule),
      rank_(rank),
      clock_(clock),
      communicator_(communicator),
      recorder_(recorder),
      stages_(plan, rank, models),
      messages_(stages_.workplace().device()),
      stolen_time_(clock.timesTheThread() ? StolenTime() : StolenTime([] { return ThreadTimes{}; })),
      exchange_(models.front()->tensorCount() + static_cast<std::size_t>(plan.ranks())) {
    stages_.workplace().arena().setClock([&clock] { return clock.workTime_ns(); });
    clock_.endWaits(rank_, [this] { return mustStop(); });
}

void Worker::warmUp(const BatchView& one_microbatch) {
    const AtWork at_work(clock_, rank_);
    clock_.runUntimed(rank_, [&] {
        bscope::warmUp(plan_, rank_, stages_, one_microbatch);
        stages_.reserve();
        reserve();
    });
}

// A GPU may have to be idle for memory to be taken, and cannot while a receive spins that waits for this
// rank.
void Worker::reserve() {
    constexpr int kSendsAtOnce = 8;
    const MessageNeeds needs = messageNeeds(plan_.executed(), rank_);
    messages_.reserve(needs.held, plan_.messageBytes());
    for (const auto& [peer, count] : needs.receives)
        communicator_.reserve(peer, true, plan_.messageBytes(), count);
    for (const auto& [peer, count] : needs.sends)
        communicator_.reserve(peer, false, plan_.messageBytes(), std::min(count, kSendsAtOnce));
    reserveReductions();
}

void Worker::reserveReductions() {
    const int replicas = schedule_.replicas();
    std::size_t all = 0, slices = 0;
    for (const Action& action : plan_.executed().actions[static_cast<std::size_t>(rank_)]) {
        if (action.op != Op::ReduceGradients) continue;
        const std::size_t floats = stages_.stage(action.stage).gradientFloats();
        const auto bytesOf = [&](int chain) { return gradientSlice(floats, replicas, chain).bytes(); };
        const std::size_t own = bytesOf(schedule_.chainOf(action.stage));
        all = std::max(all, floats * sizeof(float));
        slices = std::max(slices, static_cast<std::size_t>(replicas) * own);
        for (const int copy : schedule_.copiesOf(action.stage)) {
            if (copy == action.stage) continue;
            const std::size_t its = bytesOf(schedule_.chainOf(copy));
            for (const std::size_t bytes : {own, its})
                for (const bool receives : {true, false})
                    if (bytes > 0) communicator_.reserve(rankOf(copy), receives, bytes, 1);
        }
    }
    gradients_ = Buffer(stages_.workplace().device(), all);
    slices_ = Buffer(stages_.workplace().device(), slices);
}

void Worker::run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm) {
    const AtWork at_work(clock_, rank_);
    share_ = {};
    current_ = {};
    broken_off_ = nullptr;
    recorder_.begin(iteration);
    stolen_time_.begin();
    clock_.runUntimed(rank_, [&] { stages_.begin(batch); });

    for (const Action& action : plan_.program.actions[static_cast<std::size_t>(rank_)]) {
        current_ = action;
        throwIfItMust();
        switch (action.op) {
            case Op::RecvForward:
            case Op::RecvBackward:
                postReceive(action);
                break;
            case Op::SendForward:
            case Op::SendBackward:
                send(action);
                break;
            case Op::ReduceGradients:
                reduceGradients(action);
                break;
            case Op::OptimizerStep:
                stepOptimizer(step, clip_norm);
                break;
            default:
                compute(action, clock_.now_ns(rank_));
        }
    }
    stages_.workplace().stream().synchronize();
    step_begun_ = false;
    recorder_.flush(WatermarkBoard::kDone);
    held_ns_ = stolen_time_.take();
    addLosses(0);
}

// Of this iteration; a stream's micro-batches count on.
void Worker::addLosses(int first) {
    share_.losses.resize(schedule_.chains.size());
    for (std::size_t chain = 0; chain < schedule_.chains.size(); ++chain) {
        const int last = schedule_.chains[chain].back();
        if (rankOf(last) != rank_) continue;
        const int count = plan_.stream ? plan_.stream->microbatches()
                                       : schedule_.microbatchesOfChain(static_cast<int>(chain));
        for (int mb = first; mb < first + count; ++mb)
            share_.losses[chain].push_back(stages_.stage(last).loss(mb));
    }
}

void Worker::postReceive(const Action& action) {
    const MessageTag tag = messageOf(action);
    const std::size_t bytes = plan_.messageBytes(tag);
    void* const into = messages_.put(tag, {messages_.takeBuffer(bytes), 0, true}).data.as<void>();
    communicator_.postReceive(senderOf(tag), tag, into, bytes);
}

int Worker::senderOf(const MessageTag& tag) const {
    return rankOf(senderStage(schedule_, tag));
}

void Worker::compute(const Action& action, std::int64_t free_ns, const UsedWeights& used) {
    const auto input = inputOf(schedule_, action), output = outputOf(schedule_, action);
    float* const consumed = input ? await(*input, free_ns) : nullptr;
    // In the store from the beginning: a failure must not free memory before the other ranks are stopped.
    float* const produced =
        output ? messages_.put(*output, {messages_.takeBuffer(plan_.messageBytes(*output))}).data.as<float>()
               : nullptr;
    const OpTime time = clock_.run(rank_, action, [&] { stages_.execute(action, consumed, produced); });
    if (output) messages_.at(*output).done_ns = time.end_ns;
    if (input && action.op != Op::Recompute) messages_.drop(*input);
    record(action, time, used);
    // What was recorded is handed over when no rank waits for the output any more.
    const bool is_sent = output && rankOf(output->stage) != rank_;
    if (!is_sent) recorder_.flushIfDue(time.end_ns);
}

void Worker::send(const Action& action) {
    const MessageTag tag = outputOf(schedule_, action).value();
    const MessageStore::Message& message = messages_.at(tag);
    communicator_.postSend(rankOf(tag.stage), tag, message.data.as<void>(), message.data.bytes(),
                           message.done_ns);
    const std::int64_t done_ns = message.done_ns;
    recorder_.sent(tag, done_ns);
    messages_.drop(tag);
    recorder_.flushIfDue(done_ns);
}

// The input, once it is here; a message of another rank is waited for.
float* Worker::await(const MessageTag& tag, std::int64_t free_ns) {
    MessageStore::Message& message = messages_.at(tag);
    if (message.expected) {
        const bool is_here = communicator_.arrived(tag);
        if (!is_here) {
            recorder_.flush(clock_.now_ns(rank_));
            recorder_.wait(senderOf(tag), tag, [&] { return communicator_.arrived(tag); });
        }
        const auto receive = [&] {
            if (!is_here) clock_.lookBeforeSleep([&] { return communicator_.arrived(tag); });
            return communicator_.wait(tag);
        };
        const std::int64_t sent_ns = is_here ? receive() : waitForOthers(receive);
        const double bytes = static_cast<double>(message.data.bytes());
        const std::int64_t arrival_ns = sent_ns + std::llround(plan_.config.link.transferNs(bytes));
        if (arrival_ns > clock_.now_ns(rank_))
            stolen_time_.waiting([&] { clock_.waitUntil(rank_, arrival_ns); });
        throwIfItMust();
        const bool hidden = arrival_ns <= free_ns;
        recorder_.receive(tag, message.data.bytes(), free_ns, sent_ns,
                          hidden ? arrival_ns : clock_.now_ns(rank_));
        recorder_.flushIfDue(clock_.now_ns(rank_));  // after a long wait: others are shown up to here
        message.expected = false;
    }
    return message.data.as<float>();
}

// Each copy of a stage adds up its slice, from zero in the order of the replicas, and gives the sum to the
// others, so that all get the same bits. The gradient of the mean over all micro-batches: every replica has
// divided by the number of all.
void Worker::reduceGradients(const Action& action) {
    Stage& stage = stages_.stage(action.stage);
    Ops& ops = stages_.workplace().ops();
    const int replicas = schedule_.replicas(), own = schedule_.chainOf(action.stage);
    const std::size_t floats = stage.gradientFloats();
    const auto slice = [&](int chain) { return gradientSlice(floats, replicas, chain); };
    float* const all = gradients_.as<float>();
    const GradientSlice mine = slice(own);
    const auto inAll = [&](int chain) { return Piece{all + slice(chain).begin, slice(chain).floats()}; };
    const auto ofCopy = [&](int chain) {
        return Piece{slices_.as<float>() + static_cast<std::size_t>(chain) * mine.floats(), mine.floats()};
    };

    const OpTime gathering = clock_.run(rank_, {action, WorkPart::Gather}, [&] { stage.copyGradients(all); });
    std::size_t received = exchange(action, {MessageKind::Slice, inAll, ofCopy, gathering.end_ns});
    const OpTime folding = clock_.run(rank_, {action, WorkPart::Fold}, [&] {
        if (mine.floats() == 0) return;
        float* const sum = inAll(own).data;
        ops.run(CopyFloats{.to = ofCopy(own).data, .from = sum, .count = mine.floats()});
        ops.run(FillZero{.x = sum, .count = mine.floats()});
        for (int chain = 0; chain < replicas; ++chain)
            ops.run(Add{.y = sum, .x = ofCopy(chain).data, .count = mine.floats()});
    });
    received += exchange(action, {MessageKind::Sum, [&](int) { return inAll(own); }, inAll, folding.end_ns});
    OpTime time = clock_.run(rank_, action, [&] {
        stage.zeroGradients();
        stage.addGradients(all);
    });
    time.duration_ns += gathering.duration_ns + folding.duration_ns;
    record(action, time, {.gradient_bytes = static_cast<std::int64_t>(received)});
    recorder_.flushIfDue(time.end_ns);
}

std::size_t Worker::exchange(const Action& action, const Round& round) {
    std::vector<int> others;
    for (const int copy : schedule_.copiesOf(action.stage))
        if (copy != action.stage) others.push_back(copy);
    std::size_t received = 0, largest = 0;
    std::vector<MessageTag> expected;
    // What is sent first needs no kernel behind a receive that spins already.
    for (const int copy : others) {
        const Piece piece = round.sends(schedule_.chainOf(copy));
        if (piece.floats > 0)
            communicator_.postSend(rankOf(copy), reductionTag(schedule_, round.kind, copy, action.stage),
                                   piece.data, piece.floats * sizeof(float), round.ready_ns);
    }
    for (const int copy : others) {
        const Piece piece = round.receives(schedule_.chainOf(copy));
        const std::size_t bytes = piece.floats * sizeof(float);
        if (bytes == 0) continue;
        expected.push_back(reductionTag(schedule_, round.kind, action.stage, copy));
        communicator_.postReceive(rankOf(copy), expected.back(), piece.data, bytes);
        received += bytes;
        largest = std::max(largest, bytes);
    }
    recorder_.flush(clock_.now_ns(rank_));
    std::int64_t sent_ns = round.ready_ns;
    for (const MessageTag& tag : expected)
        sent_ns = std::max(sent_ns, waitForOthers([&] { return communicator_.wait(tag); }));
    const std::int64_t there_ns =
        sent_ns + std::llround(plan_.config.link.transferNs(static_cast<double>(largest)));
    stolen_time_.waiting([&] { clock_.waitUntil(rank_, there_ns); });
    throwIfItMust();
    return received;
}

// The norm needs every rank's gradients: all meet here, and nothing waits from here on, so that an iteration
// that is broken off has either stepped everywhere or nowhere.
void Worker::stepOptimizer(AdamWStep step, double clip_norm) {
    const std::size_t tensors = exchange_.size() - static_cast<std::size_t>(plan_.ranks());
    std::fill(exchange_.begin(), exchange_.end(), 0.0);
    const std::span<double> squares = std::span(exchange_).first(tensors);
    const std::span<double> clocks = std::span(exchange_).subspan(tensors);
    clock_.run(rank_, {current_, WorkPart::Norm}, [&] { stages_.sumSquares(); });
    stages_.gradientSquares(squares);
    clocks[static_cast<std::size_t>(rank_)] = static_cast<double>(clock_.now_ns(rank_));
    recorder_.flush(WatermarkBoard::kDone);
    waitForOthers([&] { communicator_.allReduceSum(exchange_); });
    stolen_time_.waiting([&] {
        clock_.waitUntil(rank_, static_cast<std::int64_t>(*std::max_element(clocks.begin(), clocks.end())));
    });

    share_.gradient_norm = bscope::gradientNorm(squares);
    step.gradient_scale = clipFactor(share_.gradient_norm, clip_norm);
    step_begun_ = true;
    const OpTime time = clock_.run(rank_, current_, [&] { stages_.step(step); });
    record(current_, time);
}

bool Worker::isDueToLook() {
    const auto now = std::chrono::steady_clock::now();
    const bool is_due = !broken_off_ && now - looked_ >= kLookEvery;
    if (is_due) looked_ = now;
    return is_due;
}

bool Worker::mustStop() {
    try {
        if (isDueToLook()) communicator_.look();
    } catch (const std::exception&) {
        broken_off_ = std::current_exception();
    }
    return broken_off_ != nullptr;
}

// Not once the weights are being stepped: then the iteration is completed.
void Worker::throwIfItMust() {
    if (step_begun_) return;
    if (broken_off_) std::rethrow_exception(broken_off_);
    if (isDueToLook()) communicator_.checkForStop();
}

void Worker::record(const Action& action, const OpTime& time, const UsedWeights& used) {
    recorder_.operation(action, time, stages_.workplace().arena().drainRecords(), used);
}

Share Worker::takeShare() {
    recorder_.moveTo(share_);
    share_.held_ns = held_ns_;
    share_.end_ns = clock_.now_ns(rank_);
    share_.buffer_bytes = static_cast<std::int64_t>(bufferBytes());
    share_.reserved_bytes = static_cast<std::int64_t>(stages_.workplace().arena().reservedBytes());
    share_.weight_bytes = static_cast<std::int64_t>(stages_.weightBytes());
    return std::exchange(share_, {});
}

std::size_t Worker::bufferBytes() const {
    return stages_.bufferBytes() + messages_.reservedBytes() + gradients_.bytes() + slices_.bytes();
}

}  // namespace bscope
