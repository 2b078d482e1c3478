#include "run/gpu/gpu_watch.h"

#include <utility>

#include "run/messages.h"
#include "run/thread_time.h"

namespace bscope {

GpuWatch::GpuWatch(const BscopePlugin& api, const Plan& plan, std::chrono::milliseconds patience)
    : api_(api), plan_(plan), patience_(patience), ranks_(static_cast<std::size_t>(plan.ranks())) {}

void GpuWatch::beginIteration() {
    for (Rank& rank : ranks_)
        for (; !rank.open.empty(); rank.open.pop_front())
            rank.spare.push_back(std::move(rank.open.front().event));
    produced_.clear();
    got_on_ns_ = monotonic_ns();
}

void GpuWatch::note(int rank, const Action& action, const TracedStream& stream) {
    Rank& self = ranks_[static_cast<std::size_t>(rank)];
    if (self.spare.empty()) self.spare.emplace_back(api_, stream.device);
    self.open.push_back({action, std::move(self.spare.back())});
    self.spare.pop_back();
    self.open.back().event.record(stream.stream);
}

double GpuWatch::secondsSince() const {
    return static_cast<double>(monotonic_ns() - got_on_ns_) / 1e9;
}

std::optional<Action> GpuWatch::current(int rank) const {
    const auto& open = ranks_[static_cast<std::size_t>(rank)].open;
    return open.empty() ? std::nullopt : std::optional(open.front().action);
}

int GpuWatch::peerOf(int rank, const Action& action) const {
    const Schedule& schedule = plan_.program.schedule;
    const auto input = inputOf(schedule, action);
    if (!input) return -1;
    const int peer = schedule.placement[static_cast<std::size_t>(senderStage(schedule, *input))];
    return peer == rank ? -1 : peer;
}

bool GpuWatch::wasSent(int rank, const Action& action) {
    if (peerOf(rank, action) < 0) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    return produced_.contains(*inputOf(plan_.program.schedule, action));
}

// Half as long again, and a rank that cannot tell why it stands still says at least that it does.
void GpuWatch::look(int rank) {
    Rank& self = ranks_[static_cast<std::size_t>(rank)];
    for (; !self.open.empty() && self.open.front().event.done(); self.open.pop_front()) {
        if (const auto output = outputOf(plan_.program.schedule, self.open.front().action)) {
            const std::lock_guard<std::mutex> lock(mutex_);
            produced_.insert(*output);
        }
        self.spare.push_back(std::move(self.open.front().event));
        got_on_ns_ = monotonic_ns();
    }
    if (self.open.empty()) return;
    const double patience_s = std::chrono::duration<double>(patience_).count(), waited_s = secondsSince();
    const Action& action = self.open.front().action;
    if (waited_s < patience_s || (waited_s < 1.5 * patience_s && !wasSent(rank, action))) return;
    const int peer = peerOf(rank, action);
    throw StuckAction(
        action,
        peer < 0 ? "its GPU does not get on" : "what rank " + std::to_string(peer) + " sent has not come",
        waited_s);
}

}  // namespace bscope
