#include "rank/recorder.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "clock/thread_time.h"
#include "plan/message_tags.h"
#include "schedule/activation_ledger.h"

namespace bscope {

namespace {

// Adds the thread's CPU time of its lifetime to a total: what others do on this core is not recording.
class Stopwatch {
public:
    explicit Stopwatch(std::int64_t& total_ns) : total_ns_(total_ns), start_ns_(threadCpu_ns()) {}
    ~Stopwatch() { total_ns_ += threadCpu_ns() - start_ns_; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    std::int64_t& total_ns_;
    std::int64_t start_ns_;
};

}  // namespace

void Recorder::begin(int iteration) {
    iteration_ = iteration;
    events_.clear();
    memory_.clear();
    samples_.clear();
    collectives_.clear();
    wall_ns_ = cpu_ns_ = 0;
    notes_.clear();
    sent_events_ = sent_memory_ = 0;
    recording_ns_ = 0;
    last_flush_ns_ = monotonic_ns();
}

void Recorder::operation(const Action& action, const OpTime& time, const std::vector<ArenaRecord>& memory,
                         const UsedWeights& used) {
    const Stopwatch watch(recording_ns_);
    if (keeps_notes_) {
        notes_.push_back({action, time, memory, used});
        return;
    }
    samples_.push_back({action.stage, action.op, time.duration_ns});
    wall_ns_ += time.wall_ns;
    cpu_ns_ += time.cpu_ns;
    const std::int64_t live_before = live_bytes_;
    const ActivationStep step = activationStep(action.op, {}, forward_only_);
    if (step.chunks_at_start != 0) {
        in_flight_ = static_cast<std::int16_t>(in_flight_ + step.chunks_at_start);
        point(time.start_ns);
    }
    for (const ArenaRecord& record : memory) {
        live_bytes_ = record.live_bytes;
        point(time.place_ns(record.time_ns));
    }
    if (step.chunks_at_end != 0) {
        in_flight_ = static_cast<std::int16_t>(in_flight_ + step.chunks_at_end);
        point(time.end_ns);
    }
    Event event;
    event.start_ns = time.start_ns;
    event.end_ns = time.end_ns;
    event.bytes = used.received_bytes + std::abs(live_bytes_ - live_before);
    event.iteration = iteration_;
    event.setAction(action);
    event.rank = static_cast<std::int16_t>(rank_);
    event.weight_version = used.version;
    event.staleness = static_cast<std::int16_t>(used.staleness);
    event.disturbed = time.disturbed();
    events_.push_back(event);
}

void Recorder::receive(const MessageTag& tag, std::size_t bytes, std::int64_t free_ns, std::int64_t sent_ns,
                       std::int64_t end_ns) {
    if (keeps_notes_) return;
    const Stopwatch watch(recording_ns_);
    Event event;
    event.start_ns = std::min(free_ns, sent_ns);
    event.end_ns = end_ns;
    event.transfer_ns = sent_ns;
    event.bytes = static_cast<std::int64_t>(bytes);
    event.iteration = iteration_;
    event.setAction(receivedAs(tag));
    event.rank = static_cast<std::int16_t>(rank_);
    events_.push_back(event);
}

void Recorder::collective(const Action& action, KernelEvent::Kind kind, std::size_t sent_bytes,
                          std::int64_t start_ns, std::int64_t ready_ns, std::int64_t end_ns) {
    const Stopwatch watch(recording_ns_);
    collectives_.push_back({.start_ns = start_ns,
                            .end_ns = end_ns,
                            .bytes = static_cast<std::int64_t>(sent_bytes),
                            .iteration = iteration_,
                            .stage = action.stage,
                            .microbatch = action.microbatch,
                            .rank = static_cast<std::int16_t>(rank_),
                            .op = action.op,
                            .kind = kind,
                            .name = {},
                            .wait_ns = ready_ns - start_ns,
                            .segment = static_cast<std::int8_t>(action.segment())});
}

void Recorder::moveTo(RankIteration& share) {
    share.samples = std::exchange(samples_, {});
    share.kernels = std::exchange(collectives_, {});
    share.wall_ns = std::exchange(wall_ns_, 0);
    share.cpu_ns = std::exchange(cpu_ns_, 0);
    share.events = std::exchange(events_, {});
    share.memory = std::exchange(memory_, {});
    share.reported_events = std::exchange(sent_events_, 0);
    share.reported_memory = std::exchange(sent_memory_, 0);
    share.recording_ns += std::exchange(recording_ns_, 0);
    share.notes = std::exchange(notes_, {});
}

void Recorder::point(std::int64_t time_ns) {
    memory_.push_back({time_ns, live_bytes_, iteration_, static_cast<std::int16_t>(rank_), in_flight_});
}

void Recorder::flushIfDue(std::int64_t now_ns) {
    if (live_ == nullptr) return;
    const bool full = std::max(events_.size() - sent_events_, memory_.size() - sent_memory_) >= kBatch;
    if (full || monotonic_ns() - last_flush_ns_ >= kMaxAge_ns) flush(now_ns);
}

void Recorder::flush(std::int64_t now_ns) {
    if (live_ == nullptr) return;
    const Stopwatch watch(recording_ns_);
    while (sent_events_ < events_.size()) {
        const std::size_t count = std::min(kBatch, events_.size() - sent_events_);
        live_->events(rank_, std::span(events_).subspan(sent_events_, count));
        sent_events_ += count;
    }
    while (sent_memory_ < memory_.size()) {
        const std::size_t count = std::min(kBatch, memory_.size() - sent_memory_);
        live_->memory(rank_, std::span(memory_).subspan(sent_memory_, count));
        sent_memory_ += count;
    }
    board_->settle(rank_, now_ns);
    last_flush_ns_ = monotonic_ns();
}

}  // namespace bscope
