// WatermarkBoard: up to where the timeline is complete, over all ranks. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

#include "kernels/communicator.h"
#include "plan/live_events.h"

namespace bscope {

// Publishes the least time of all ranks: nothing before it changes any more. A rank that waits for another
// goes on no sooner than that one is done, so it holds no other rank's boxes back.
class WatermarkBoard {
public:
    WatermarkBoard(LiveEvents& live, int ranks) : live_(&live), ranks_(static_cast<std::size_t>(ranks)) {}

    void begin(std::int64_t start_ns);
    // Everything of this rank before time_ns has been handed over, and it is at work.
    void settle(int rank, std::int64_t time_ns);
    // It has settled and waits for this message of `peer`, unless arrived() says that it need not. arrived
    // is called under the board's lock.
    void wait(int rank, int peer, const MessageTag& tag, const std::function<bool()>& arrived);
    // By the sender, after the message can arrive and before it goes on: its receiver goes on at done_ns.
    void sent(const MessageTag& tag, std::int64_t done_ns);
    static constexpr std::int64_t kDone = std::numeric_limits<std::int64_t>::max();

private:
    struct Rank {
        std::int64_t settled_ns = 0;
        int waits_for = -1;  // a rank, for the message `tag`
        MessageTag tag;
    };
    std::int64_t bound_ns(const Rank& rank) const;
    void publish();

    LiveEvents* live_;
    std::mutex mutex_;
    std::vector<Rank> ranks_;
    std::int64_t published_ns_ = 0;
};

}  // namespace bscope
