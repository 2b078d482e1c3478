// Recorder: what one rank did in an iteration, collected for its share. Where times are known later (GPUs), a
// recorder keeps notes of the operations, and a second one makes events of them once their times are known. A
// recorder that reports live hands events and memory points over in batches of bounded size, when one is
// full, when it is older than kMaxAge_ns or when the rank is idle; then the rank's watermark moves. Knows how
// much time recording took. In its rank's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/communicator.h"
#include "plan/live_events.h"
#include "rank/launched_operation.h"
#include "rank/rank_iteration.h"
#include "rank/watermark_board.h"

namespace bscope {

class Recorder {
public:
    static constexpr std::size_t kBatch = 256;
    static constexpr std::int64_t kMaxAge_ns = 20'000'000;

    Recorder(int rank, bool forward_only) : forward_only_(forward_only), rank_(rank) {}
    // From now on; both must outlive this.
    void reportTo(LiveEvents& live, WatermarkBoard& board) {
        live_ = &live;
        board_ = &board;
    }
    // From now on operations are noted, and become no events.
    void keepNotes() { keeps_notes_ = true; }

    void begin(int iteration);
    // memory: what the rank's arena recorded within the operation.
    void operation(const Action& action, const OpTime& time, const std::vector<ArenaRecord>& memory,
                   const UsedWeights& used = {});
    // free_ns: since when the rank had nothing else to do; sent_ns: when the sender was done; end_ns: when
    // the data was there, before free_ns when no rank had to wait for it.
    void receive(const MessageTag& tag, std::size_t bytes, std::int64_t free_ns, std::int64_t sent_ns,
                 std::int64_t end_ns);
    // Of the operation at hand: a collective over the shards of its stage, as KernelEvent has it, from
    // start_ns on, when all shards were ready, and until when.
    void collective(const Action& action, KernelEvent::Kind kind, std::size_t sent_bytes,
                    std::int64_t start_ns, std::int64_t ready_ns, std::int64_t end_ns);
    // now_ns: the rank's device clock, at least the end of everything recorded.
    void flushIfDue(std::int64_t now_ns);
    void flush(std::int64_t now_ns);
    // As the board's, for this rank.
    void wait(int peer, const MessageTag& tag, const std::function<bool()>& arrived) {
        if (board_ != nullptr) board_->wait(rank_, peer, tag, arrived);
    }
    void sent(const MessageTag& tag, std::int64_t done_ns) {
        if (board_ != nullptr) board_->sent(tag, done_ns);
    }

    // Adds events, memory, collectives over shards, durations, notes and recording time of this iteration to
    // the share; after flush().
    void moveTo(RankIteration& share);

private:
    void point(std::int64_t time_ns);

    LiveEvents* live_ = nullptr;
    WatermarkBoard* board_ = nullptr;  // as live_
    bool forward_only_;
    int rank_;
    int iteration_ = 0;
    std::int64_t live_bytes_ = 0;
    std::int16_t in_flight_ = 0;
    std::vector<Event> events_;  // of the iteration; from sent_events_ on not handed over
    std::vector<MemoryPoint> memory_;
    std::vector<DurationSample> samples_;
    std::vector<KernelEvent> collectives_;
    std::int64_t wall_ns_ = 0, cpu_ns_ = 0;
    bool keeps_notes_ = false;
    std::vector<LaunchedOperation> notes_;
    std::size_t sent_events_ = 0, sent_memory_ = 0;
    std::int64_t last_flush_ns_ = 0;  // monotonic
    std::int64_t recording_ns_ = 0;
};

}  // namespace bscope
