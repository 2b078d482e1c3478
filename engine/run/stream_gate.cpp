#include "run/stream_gate.h"

#include <algorithm>
#include <utility>

#include "kernels/communicator.h"

namespace bscope {

void StreamGate::admit(int limit) {
    const std::lock_guard<std::mutex> lock(mutex_);
    limit_ = std::max(limit_, limit);
    changed_.notify_all();
}

void StreamGate::end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

int StreamGate::admitted() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return limit_;
}

bool StreamGate::hasEnded() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ended_;
}

void StreamGate::stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

std::vector<Share> StreamGate::await() {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto complete = [this] {
        return std::none_of(delivered_.begin(), delivered_.end(),
                            [](const std::deque<Share>& shares) { return shares.empty(); });
    };
    changed_.wait(lock, [&] { return stopped_ || complete(); });
    std::vector<Share> shares;
    if (stopped_) return shares;
    for (std::deque<Share>& of_rank : delivered_) {
        shares.push_back(std::move(of_rank.front()));
        of_rank.pop_front();
    }
    return shares;
}

bool StreamGate::has(int microbatch) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return microbatch < limit_;
}

bool StreamGate::waitFor(int microbatch) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || ended_ || microbatch < limit_; });
    if (stopped_) throw CommunicationAborted("the stream was stopped");
    return microbatch < limit_;
}

void StreamGate::deliver(int rank, Share share) {
    const std::lock_guard<std::mutex> lock(mutex_);
    delivered_[static_cast<std::size_t>(rank)].push_back(std::move(share));
    changed_.notify_all();
}

}  // namespace bscope
