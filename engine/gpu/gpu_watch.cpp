#include "gpu/gpu_watch.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "clock/thread_time.h"
#include "plan/message_tags.h"

namespace bscope {

namespace {

constexpr std::size_t kFarAhead = 4;  // actions: a GPU has enough to do with fewer
constexpr auto kAskEvery = std::chrono::microseconds(20);

}  // namespace

GpuWatch::GpuWatch(const BscopePlugin& api, const Plan& plan, std::chrono::milliseconds patience)
    : api_(api), plan_(plan), patience_(patience), ranks_(static_cast<std::size_t>(plan.ranks())) {}

void GpuWatch::beginIteration() {
    for (Rank& rank : ranks_)
        for (; !rank.open.empty(); rank.open.pop_front())
            rank.spare.push_back(std::move(rank.open.front().event));
    produced_.clear();
    news_.clear();
    has_news_ = false;
    got_on_ns_ = monotonic_ns();
}

void GpuWatch::note(int rank, const WorkId& id, const TracedStream& stream) {
    note(rank, id, inputOf(plan_.program.schedule, id.action), stream);
}

void GpuWatch::noteTaking(int rank, const MessageTag& tag, const TracedStream& stream) {
    note(rank, receivedAs(tag), tag, stream);
}

void GpuWatch::note(int rank, const WorkId& id, const std::optional<MessageTag>& input,
                    const TracedStream& stream) {
    Rank& self = ranks_[static_cast<std::size_t>(rank)];
    if (self.spare.empty()) self.spare.emplace_back(api_, stream.device);
    self.open.push_back({id, input, std::move(self.spare.back()), monotonic_ns()});
    self.spare.pop_back();
    self.last = id.action;
    self.open.back().event.record(stream.stream);
}

void GpuWatch::waitWhileFarAhead(int rank) {
    const Rank& self = ranks_[static_cast<std::size_t>(rank)];
    waitUntil(rank, [&self] { return self.open.size() <= kFarAhead; });
}

void GpuWatch::waitUntil(int rank, const std::function<bool()>& condition) {
    const Rank& self = ranks_[static_cast<std::size_t>(rank)];
    while (!condition()) {
        self.look();
        std::this_thread::sleep_for(kAskEvery);
    }
}

double GpuWatch::secondsSince(int rank) const {
    const auto& open = ranks_[static_cast<std::size_t>(rank)].open;
    const std::int64_t busy_ns = open.empty() ? 0 : open.front().handed_over_ns;
    return static_cast<double>(monotonic_ns() - std::max(got_on_ns_.load(), busy_ns)) / 1e9;
}

std::optional<Action> GpuWatch::current(int rank) const {
    const auto& open = ranks_[static_cast<std::size_t>(rank)].open;
    return open.empty() ? std::nullopt : std::optional(open.front().id.action);
}

int GpuWatch::peerOf(int rank) const {
    const auto& open = ranks_[static_cast<std::size_t>(rank)].open;
    if (open.empty() || !open.front().input) return -1;
    const Schedule& schedule = plan_.program.schedule;
    const int peer = schedule.placement[static_cast<std::size_t>(senderStage(schedule, *open.front().input))];
    return peer == rank ? -1 : peer;
}

bool GpuWatch::wasSent(int rank) {
    if (peerOf(rank) < 0) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    return produced_.contains(*ranks_[static_cast<std::size_t>(rank)].open.front().input);
}

// Gradients are there for every copy when they are copied together, sums when they are added up.
void GpuWatch::produce(const WorkId& id) {
    const Schedule& schedule = plan_.program.schedule;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto insert = [this](const MessageTag& tag) {
        produced_.insert(tag);
        if (keeps_news_) news_.push_back(tag);
    };
    if (const auto output = outputOf(schedule, id.action)) insert(*output);
    if (id.part != WorkPart::Gather && id.part != WorkPart::Fold) return;
    const MessageKind kind = id.part == WorkPart::Gather ? MessageKind::Slice : MessageKind::Sum;
    for (const int copy : schedule.copiesOf(id.action.stage))
        insert(reductionTag(schedule, kind, copy, id.action.stage));
}

std::optional<std::vector<MessageTag>> GpuWatch::takeNews() {
    if (!has_news_.exchange(false)) return std::nullopt;
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(news_, {});
}

void GpuWatch::addNews(std::span<const MessageTag> sent) {
    got_on_ns_ = monotonic_ns();
    const std::lock_guard<std::mutex> lock(mutex_);
    produced_.insert(sent.begin(), sent.end());
}

void GpuWatch::forget(int microbatches) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(produced_, [&](const MessageTag& tag) { return tag.microbatch < microbatches; });
}

// Half as long again, and a rank whose cause is unknown is reported all the same.
void GpuWatch::look(int rank) {
    Rank& self = ranks_[static_cast<std::size_t>(rank)];
    for (; !self.open.empty() && self.open.front().event.done(); self.open.pop_front()) {
        produce(self.open.front().id);
        self.spare.push_back(std::move(self.open.front().event));
        got_on_ns_ = monotonic_ns();
        has_news_ = true;
    }
    if (self.open.empty()) return;
    const double patience_s = std::chrono::duration<double>(patience_).count(), waited_s = secondsSince(rank);
    if (waited_s < patience_s || (waited_s < 1.5 * patience_s && !wasSent(rank))) return;
    const int peer = peerOf(rank);
    throw StuckAction(
        self.open.front().id.action,
        peer < 0 ? sentence("its GPU makes no progress") : sentence("what rank {0} sent has not come", peer),
        waited_s);
}

}  // namespace bscope
