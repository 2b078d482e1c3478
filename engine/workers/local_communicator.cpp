#include "workers/local_communicator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/message_tags.h"
#include "plan/rank_failure.h"
#include "words/number_text.h"

namespace bscope {

namespace {

double secondsSince(std::chrono::steady_clock::time_point moment) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count();
}

}  // namespace

// One rank's end of the hub.
class LocalCommunicator final : public Communicator {
public:
    LocalCommunicator(LocalHub& hub, int rank) : hub_(&hub), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(hub_->ranks_.size()); }

    void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                  std::int64_t sent_ns) override {
        hub_->send(peer, tag, data, bytes, sent_ns);
    }

    void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) override {
        LocalHub::Lock lock(hub_->mutex_);
        LocalHub::Delivery& delivery = hub_->state(rank_).mailbox[tag];
        if (delivery.posted) throw std::logic_error("receive " + messageText(tag) + " is posted twice");
        if (delivery.bytes != 0 && delivery.bytes != bytes)
            throw std::logic_error("message " + messageText(tag) + " has another size than its receive");
        delivery.posted = true;
        delivery.peer = peer;
        delivery.into = into;
        delivery.bytes = bytes;
    }

    bool arrived(const MessageTag& tag) override {
        const LocalHub::Lock lock(hub_->mutex_);
        const auto& mailbox = hub_->state(rank_).mailbox;
        const auto found = mailbox.find(tag);
        return found != mailbox.end() && found->second.sent;
    }

    std::int64_t wait(const MessageTag& tag) override {
        LocalHub::Lock lock(hub_->mutex_);
        auto& mailbox = hub_->state(rank_).mailbox;
        const auto found = mailbox.find(tag);
        if (found == mailbox.end() || !found->second.posted)
            throw std::logic_error("receive " + messageText(tag) + " is waited for but was never posted");
        LocalHub::Delivery& delivery = found->second;
        hub_->waitUntil(lock, rank_, tag, delivery.peer, [&] { return delivery.sent; });
        LocalHub::Delivery done = std::move(delivery);
        mailbox.erase(found);
        if (done.data.bytes() > 0) {
            lock.unlock();
            hub_->copy_(done.into, done.data.as<void>(), done.bytes);
            lock.lock();
            hub_->spare_.push_back(std::move(done.data));
        }
        return done.sent_ns;
    }

    void allReduceSum(std::span<double> values) override {
        LocalHub::Lock lock(hub_->mutex_);
        LocalHub& hub = *hub_;
        hub.throwIfAborted(rank_);
        hub.sum_.resize(values.size(), 0.0);
        std::transform(values.begin(), values.end(), hub.sum_.begin(), hub.sum_.begin(), std::plus<>());
        const std::uint64_t mine = hub.reductions_;
        if (++hub.arrived_ == size()) {
            hub.total_ = std::exchange(hub.sum_, {});
            hub.arrived_ = 0;
            ++hub.reductions_;
            for (auto& other : hub.ranks_)
                if (hub.mustBeWoken(*other)) other->woken.notify_one();
        }
        hub.waitUntil(lock, rank_, std::nullopt, -1, [&] { return hub.reductions_ != mine; });
        std::copy(hub.total_.begin(), hub.total_.end(), values.begin());
    }

    void look() override {
        const LocalHub::Lock lock(hub_->mutex_);
        hub_->throwIfAborted(rank_);
    }
    void complete(bool completes) override {
        const LocalHub::Lock lock(hub_->mutex_);
        hub_->state(rank_).completes = completes;
    }
    void abort(const Sentence& reason) override { hub_->abort(reason); }

private:
    LocalHub* hub_;
    int rank_;
};

LocalHub::LocalHub(Device& device, int ranks, std::chrono::milliseconds patience, Copy copy)
    : device_(&device), patience_(patience), copy_(std::move(copy)) {
    if (!copy_)
        copy_ = [&device](void* to, const void* from, std::size_t bytes) { device.copy(to, from, bytes); };
    for (int rank = 0; rank < ranks; ++rank) ranks_.push_back(std::make_unique<RankState>());
}

std::unique_ptr<Communicator> LocalHub::communicator(int rank) {
    return std::make_unique<LocalCommunicator>(*this, rank);
}

void LocalHub::enter(int rank) {
    const Lock lock(mutex_);
    state(rank).activity = Activity::Computing;
}

void LocalHub::leave(int rank) {
    const Lock lock(mutex_);
    state(rank).activity = Activity::Away;
}

void LocalHub::abort(const Sentence& reason) {
    const Lock lock(mutex_);
    abortLocked(reason);
}

void LocalHub::abortLocked(const Sentence& reason) {
    if (aborted_) return;
    aborted_ = true;
    reason_ = reason;
    for (auto& rank : ranks_) rank->woken.notify_all();
}

void LocalHub::send(int to, const MessageTag& tag, const void* data, std::size_t bytes,
                    std::int64_t sent_ns) {
    Lock lock(mutex_);
    Delivery& delivery =
        state(to).mailbox[tag];  // stays where it is: only its receiver, after `sent`, erases it
    if (delivery.sent) throw std::logic_error("message " + messageText(tag) + " is sent twice");
    if (delivery.bytes != 0 && delivery.bytes != bytes)
        throw std::logic_error("message " + messageText(tag) + " has another size than its receive");
    if (!delivery.posted) delivery.data = takeBuffer(bytes);
    void* into = delivery.posted ? delivery.into : delivery.data.as<void>();
    delivery.bytes = bytes;
    lock.unlock();
    copy_(into, data, bytes);
    lock.lock();
    delivery.sent_ns = sent_ns;
    delivery.sent = true;
    const bool wakes = mustBeWoken(state(to));
    lock.unlock();  // the receiver needs it when it wakes
    if (wakes) state(to).woken.notify_one();
}

// A rank that is woken counts as computing until it has looked: it may have what it needs.
bool LocalHub::mustBeWoken(RankState& rank) {
    if (rank.activity != Activity::Waiting) return false;
    rank.activity = Activity::Computing;
    return true;
}

Buffer LocalHub::takeBuffer(std::size_t bytes) {
    const auto found = std::ranges::find(spare_.rbegin(), spare_.rend(), bytes, &Buffer::bytes);
    if (found == spare_.rend()) return Buffer(*device_, bytes);
    Buffer buffer = std::move(*found);
    spare_.erase(std::next(found).base());
    return buffer;
}

template <typename Done>
void LocalHub::waitUntil(Lock& lock, int rank, std::optional<MessageTag> what, int peer, Done done) {
    RankState& self = state(rank);
    self.waits_for = what;
    self.peer = peer;
    self.since = std::chrono::steady_clock::now();
    bool hangs = false;
    while (!done() && !hangs && (!aborted_ || self.completes)) {
        self.activity = Activity::Waiting;
        hangs =
            self.woken.wait_for(lock, patience_) == std::cv_status::timeout && !done() && everybodyWaits();
        if (hangs && !aborted_) {
            hung_rank_ = rankAtFault();
            abortLocked(whoWaits());
        }
    }
    self.activity = Activity::Computing;
    if (!done()) throwIfAborted(rank);
}

void LocalHub::throwIfAborted(int rank) const {
    if (!aborted_) return;
    const RankState& self = *ranks_[static_cast<std::size_t>(rank)];
    if (rank == hung_rank_) throw CommunicationHang(reason_, self.peer, secondsSince(self.since));
    throw CommunicationAborted(reason_);
}

bool LocalHub::everybodyWaits() const {
    return std::none_of(ranks_.begin(), ranks_.end(),
                        [](const auto& rank) { return rank->activity == Activity::Computing; });
}

Sentence LocalHub::whoWaits() const {
    std::vector<Sentence> said;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const RankState& each = *ranks_[rank];
        if (each.activity != Activity::Waiting) continue;
        said.push_back(sentence("rank {0} waits for {1} in {2} since {3} s", rank, rankName(each.peer),
                                each.waits_for ? messageText(*each.waits_for) : "OPT",
                                fixedText(secondsSince(each.since), 1)));
    }
    said.push_back(sentence("no rank computes any more"));
    return inARow(said);
}

// The first rank that waits for one that has left, else the first that waits for a message, else the first.
int LocalHub::rankAtFault() const {
    int at_fault = -1, severity = -1;
    for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
        const RankState& candidate = *ranks_[static_cast<std::size_t>(rank)];
        if (candidate.activity != Activity::Waiting) continue;
        const bool peer_left = candidate.peer >= 0 &&
                               ranks_[static_cast<std::size_t>(candidate.peer)]->activity == Activity::Away;
        const int its = peer_left ? 2 : candidate.peer >= 0 ? 1 : 0;
        if (its > severity) {
            severity = its;
            at_fault = rank;
        }
    }
    return at_fault;
}

}  // namespace bscope
