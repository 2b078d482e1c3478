#include "rank/watermark_board.h"

#include <algorithm>

namespace bscope {

void WatermarkBoard::begin(std::int64_t start_ns) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::fill(ranks_.begin(), ranks_.end(), Rank{start_ns, -1, {}});
    published_ns_ = start_ns;
}

void WatermarkBoard::settle(int rank, std::int64_t time_ns) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ranks_[static_cast<std::size_t>(rank)] = {time_ns, -1, {}};
    publish();
}

void WatermarkBoard::wait(int rank, int peer, const MessageTag& tag, const std::function<bool()>& arrived) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (arrived()) return;
    Rank& self = ranks_[static_cast<std::size_t>(rank)];
    self.waits_for = peer;
    self.tag = tag;
    publish();
}

void WatermarkBoard::sent(const MessageTag& tag, std::int64_t done_ns) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto receiver = std::find_if(ranks_.begin(), ranks_.end(), [&](const Rank& rank) {
        return rank.waits_for >= 0 && rank.tag == tag;
    });
    if (receiver == ranks_.end()) return;
    *receiver = {std::max(receiver->settled_ns, done_ns), -1, {}};
    publish();
}

// A chain of waiting ranks ends at one that computes; in a ring none does.
std::int64_t WatermarkBoard::bound_ns(const Rank& rank) const {
    std::int64_t bound = rank.settled_ns;
    const Rank* at = &rank;
    for (std::size_t steps = 0; at->waits_for >= 0 && steps < ranks_.size(); ++steps) {
        at = &ranks_[static_cast<std::size_t>(at->waits_for)];
        bound = std::max(bound, at->settled_ns);
    }
    return bound;
}

void WatermarkBoard::publish() {
    std::int64_t least = kDone;
    for (const Rank& rank : ranks_) least = std::min(least, bound_ns(rank));
    if (least <= published_ns_ || least == kDone) return;
    published_ns_ = least;
    live_->watermark(least);
}

}  // namespace bscope
