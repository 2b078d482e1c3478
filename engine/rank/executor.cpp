#include "rank/executor.h"

#include <algorithm>

#include "plan/message_needs.h"
#include "plan/message_tags.h"

namespace bscope {

namespace {
constexpr std::chrono::milliseconds kLookEvery{20};
}

Executor::Executor(const Plan& plan, int rank, Workplace& workplace, Clock& clock, Communicator& communicator,
                   Recorder& recorder)
    : plan_(plan),
      rank_(rank),
      workplace_(workplace),
      clock_(clock),
      communicator_(communicator),
      recorder_(recorder),
      messages_(workplace.device()),
      stolen_time_(clock.timesTheThread() ? StolenTime() : StolenTime([] { return ThreadTimes{}; })) {
    workplace.arena().setClock([&clock] { return clock.workTime_ns(); });
    clock_.endWaits(rank_, [this] { return mustStop(); });
}

void Executor::reserve() {
    constexpr int kSendsAtOnce = 8;
    const MessageNeeds needs = messageNeeds(plan_.executed(), rank_);
    messages_.reserve(needs.held, plan_.messageBytes());
    for (const auto& [peer, count] : needs.receives)
        communicator_.reserve(peer, true, plan_.messageBytes(), count);
    for (const auto& [peer, count] : needs.sends)
        communicator_.reserve(peer, false, plan_.messageBytes(), std::min(count, kSendsAtOnce));
}

void Executor::beginWork() {
    current_ = {};
    is_within_ = false;
    held_back_from_ns_ = kNothing;
    broken_off_ = nullptr;
    stolen_time_.begin();
}

void Executor::beginIteration(int iteration) {
    recorder_.begin(iteration);
}

void Executor::begin(const Action& action) {
    current_ = action;
    throwIfItMust();
}

void Executor::postReceive(const Action& action) {
    const MessageTag tag = messageOf(action);
    const std::size_t bytes = plan_.messageBytes(tag);
    void* const into = messages_.put(tag, {messages_.takeBuffer(bytes), 0, true}).data.as<void>();
    communicator_.postReceive(senderOf(tag), tag, into, bytes);
}

int Executor::senderOf(const MessageTag& tag) const {
    return rankOf(senderStage(plan_.program.schedule, tag));
}

void Executor::compute(const Action& action, std::int64_t free_ns, const UsedWeights& used,
                       const Compute& work) {
    const Schedule& schedule = plan_.program.schedule;
    const auto input = inputOf(schedule, action), output = outputOf(schedule, action);
    float* const consumed = input ? await(*input, free_ns) : nullptr;
    // In the store from the beginning: a failure must not free memory before the other ranks are stopped.
    float* const produced =
        output ? messages_.put(*output, {messages_.takeBuffer(plan_.messageBytes(*output))}).data.as<float>()
               : nullptr;
    is_within_ = true;
    const OpTime time = run(action, [&] { work(consumed, produced); });
    is_within_ = false;
    if (output) messages_.at(*output).done_ns = time.end_ns;
    if (input && action.op != Op::Recompute) messages_.drop(*input);
    record(action, time, used);
    // What was recorded is handed over when no rank waits for the output any more.
    const bool is_sent = output && rankOf(output->stage) != rank_;
    if (!is_sent) flushIfDue(time.end_ns);
}

void Executor::send(const Action& action) {
    const MessageTag tag = outputOf(plan_.program.schedule, action).value();
    const MessageStore::Message& message = messages_.at(tag);
    communicator_.postSend(rankOf(tag.stage), tag, message.data.as<void>(), message.data.bytes(),
                           message.done_ns);
    const std::int64_t done_ns = message.done_ns;
    recorder_.sent(tag, done_ns);
    messages_.drop(tag);
    flushIfDue(done_ns);
}

// The input, once it is here; a message of another rank is waited for.
float* Executor::await(const MessageTag& tag, std::int64_t free_ns) {
    MessageStore::Message& message = messages_.at(tag);
    if (message.expected) {
        const bool is_here = communicator_.arrived(tag);
        if (!is_here) {
            flush(now_ns());
            recorder_.wait(senderOf(tag), tag, [&] { return communicator_.arrived(tag); });
        }
        const auto receive = [&] {
            if (!is_here) clock_.lookBeforeSleep([&] { return communicator_.arrived(tag); });
            return communicator_.wait(tag);
        };
        const std::int64_t sent_ns = is_here ? receive() : waitForOthers(receive);
        const std::size_t bytes = message.data.bytes();
        const std::int64_t arrival_ns = sent_ns + transfer_ns(bytes);
        if (arrival_ns > now_ns()) waitUntil(arrival_ns);
        throwIfItMust();
        const bool hidden = arrival_ns <= free_ns;
        recorder_.receive(tag, bytes, free_ns, sent_ns, hidden ? arrival_ns : now_ns());
        flushIfDue(now_ns());  // after a long wait: others are shown up to here
        message.expected = false;
    }
    return message.data.as<float>();
}

void Executor::record(const Action& action, const OpTime& time, const UsedWeights& used) {
    recorder_.operation(action, time, workplace_.arena().drainRecords(), used);
}

void Executor::moveTo(RankIteration& share) {
    recorder_.moveTo(share);
    share.end_ns = now_ns();
}

bool Executor::isDueToLook() {
    const auto now = std::chrono::steady_clock::now();
    const bool is_due = !broken_off_ && now - looked_ >= kLookEvery;
    if (is_due) looked_ = now;
    return is_due;
}

// Asked in a wait for a clock; after it, and between two actions, throwIfItMust() throws why.
bool Executor::mustStop() {
    if (is_committed_) return false;
    try {
        if (isDueToLook()) communicator_.look();
    } catch (const std::exception&) {
        broken_off_ = std::current_exception();
    }
    return broken_off_ != nullptr;
}

void Executor::throwIfItMust() {
    if (is_committed_) return;
    if (broken_off_) std::rethrow_exception(broken_off_);
    if (isDueToLook()) communicator_.checkForStop();
}

}  // namespace bscope
