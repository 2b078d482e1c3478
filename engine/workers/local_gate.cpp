#include "workers/local_gate.h"

#include <algorithm>
#include <utility>

#include "kernels/communicator.h"

namespace bscope {

LocalGate::LocalGate(int microbatches, int ranks, Samples samples)
    : microbatches_(microbatches),
      samples_(std::move(samples)),
      delivered_(static_cast<std::size_t>(ranks)) {}

void LocalGate::admit(const Admission& admission) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (admission_.last) return;
    admission_ = {std::max(admission_.limit, admission.limit), admission.last};
    changed_.notify_all();
}

Admission LocalGate::admission() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return admission_;
}

void LocalGate::stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
}

std::vector<RankIteration> LocalGate::await() {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto complete = [this] {
        return std::none_of(delivered_.begin(), delivered_.end(),
                            [](const std::deque<RankIteration>& shares) { return shares.empty(); });
    };
    changed_.wait(lock, [&] { return stopped_ || complete(); });
    std::vector<RankIteration> shares;
    if (stopped_) return shares;
    for (std::deque<RankIteration>& of_rank : delivered_) {
        shares.push_back(std::move(of_rank.front()));
        of_rank.pop_front();
    }
    ++awaited_;
    return shares;
}

bool LocalGate::has(int microbatch) {
    return microbatch < admission().limit;
}

bool LocalGate::waitFor(int microbatch) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || admission_.knows(microbatch); });
    if (stopped_) throw CommunicationAborted(sentence("the stream was stopped"));
    return microbatch < admission_.limit;
}

void LocalGate::deliver(int rank, RankIteration share) {
    const std::lock_guard<std::mutex> lock(mutex_);
    delivered_[static_cast<std::size_t>(rank)].push_back(std::move(share));
    changed_.notify_all();
}

}  // namespace bscope
