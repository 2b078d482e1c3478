#include "gpu/gpu_links.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "plan/message_tags.h"
#include "words/number_text.h"

namespace bscope {

namespace {

using SteadyClock = std::chrono::steady_clock;

// All living peers come, if late; who is gone or has failed is noticed by the watch.
constexpr auto kMeeting = std::chrono::seconds(60);
constexpr auto kHandingOver = std::chrono::seconds(8);
constexpr auto kPollEvery = std::chrono::microseconds(50);
constexpr auto kLookEvery = std::chrono::milliseconds(1);

}  // namespace

namespace {

Sentence linkName(int peer) {
    return peer < 0 ? sentence("the communicator of all GPUs") : sentence("the link with rank {0}", peer);
}

}  // namespace

LinkFailure::LinkFailure(int its_rank, int its_peer, const Sentence& cause, double seconds, bool is_lost)
    : DeviceError(sentence("{0}: {1}; waited {2} s", linkName(its_peer), cause, fixedText(seconds, 1)),
                  is_lost),
      FailureDetail{FailureKind::LinkBroken, its_peer, {}},
      rank(its_rank) {}

GpuLinkEnd::GpuLinkEnd(const BscopePlugin& api, Device& device, bool receives)
    : api_(api),
      device_(device),
      receives_(receives),
      stream_(makeMessageStream(device)),
      traced_{cudaDeviceOf(device), cudaStreamOf(*stream_)},
      hello_(device, sizeof(float)),
      mark_(api, traced_.device) {}

GpuLinkEnd::~GpuLinkEnd() = default;

void GpuLinkEnd::begin(void* data, std::size_t bytes) const {
    link_.exchange({receives_ ? 0 : 1, receives_ ? 1 : 0, data, bytes});
}

void GpuLinkEnd::sendHello() {
    begin(hello_.as<void>(), hello_.bytes());
}

void GpuLinkEnd::mark() {
    mark_.record(traced_.stream);
}

void GpuLinkEnd::reserve(std::size_t bytes, int count) {
    bytes_ += bytes * static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i)
        spare_.push_back(
            {Buffer(device_, bytes), GpuEvent(api_, traced_.device), GpuEvent(api_, traced_.device)});
}

std::optional<GpuLinkEnd::StagedPlace> GpuLinkEnd::take(std::size_t bytes) {
    const auto fits = [bytes](const Staged& each) { return each.memory.bytes() == bytes; };
    if (std::none_of(spare_.begin(), spare_.end(), fits))
        throw std::logic_error("a message of " + std::to_string(bytes) +
                               " bytes, for which its link has no memory");
    const auto found = std::find_if(spare_.begin(), spare_.end(), [&](const Staged& each) {
        return fits(each) && (receives_ || each.free.done());
    });
    if (found == spare_.end()) return std::nullopt;
    taken_.splice(taken_.end(), spare_, found);
    return found;
}

GpuLinks::GpuLinks(const BscopePlugin& api, const Plan& plan)
    : api_(api), rounds_(linkRounds(talkingPairs(plan.program.schedule))) {}

void GpuLinks::open(GpuWorld& world, const std::function<Device&(int)>& deviceOf, Watch watch) {
    watch_ = std::move(watch);
    std::vector<Wait> all_here;
    for (const int rank : world.ranks())
        all_here.push_back({rank, -1, [&world, rank] { return world.isReady(rank); }});
    try {
        await(all_here, kMeeting);
        for (const auto& round : rounds_) makeRound(round, world, deviceOf);
    } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex_);
        abortAll();
        ends_.clear();
        throw;
    }
}

// Every rank goes on when its own link of the round has carried a message, so that it makes one at a time.
void GpuLinks::makeRound(const std::vector<RankPair>& round, GpuWorld& world,
                         const std::function<Device&(int)>& deviceOf) {
    std::vector<Wait> split, made, connected;
    std::vector<GpuLinkEnd*> ends;
    for (const int rank : world.ranks()) {
        split.push_back({rank, -1, [&world, rank] { return world.isReady(rank); }});
        const auto mine = std::find_if(round.begin(), round.end(), [rank](const RankPair& pair) {
            return pair.first == rank || pair.second == rank;
        });
        if (mine == round.end()) {
            world.sitOut(rank);
            continue;
        }
        const bool receives = mine->second == rank;
        const int peer = receives ? mine->first : mine->second;
        auto owned = std::make_unique<GpuLinkEnd>(api_, deviceOf(rank), receives);
        GpuLinkEnd* const end = ends.emplace_back(owned.get());
        end->use(world.split(rank, static_cast<int>(mine - round.begin()), receives ? 1 : 0,
                             end->stream().stream));
        split.back().peer = peer;
        made.push_back({rank, peer, [end] { return end->isReady(); }});
        connected.push_back({rank, peer, [end] { return end->isReady() && end->markIsReached(); }});
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_[{*mine, receives}] = std::move(owned);
    }
    await(split, kMeeting);
    await(made, kMeeting);
    for (GpuLinkEnd* const end : ends) end->sendHello();
    await(made, kMeeting);
    for (GpuLinkEnd* const end : ends) end->mark();
    await(connected, kMeeting);
}

std::vector<TracedStream> GpuLinks::streams() const {
    std::vector<TracedStream> streams;
    for (const auto& [of, end] : ends_) streams.push_back(end->stream());
    return streams;
}

// All are polled again and again: each may need polls of the others.
void GpuLinks::await(const std::vector<Wait>& waits, SteadyClock::duration patience) const {
    const auto since = SteadyClock::now();
    const auto waited_s = [since] {
        return std::chrono::duration<double>(SteadyClock::now() - since).count();
    };
    auto next_look = since;
    for (;;) {
        const Wait* late = nullptr;
        for (const Wait& wait : waits) try {
                if (!wait.done()) late = &wait;
            } catch (const DeviceError& error) {
                throwIfAborted();
                if (watch_) watch_();
                throw LinkFailure(wait.rank, wait.peer, sentenceOf(error), waited_s(), error.gpu_is_lost);
            }
        if (late == nullptr) return;
        if (const auto now = SteadyClock::now(); now >= next_look) {
            throwIfAborted();
            if (watch_) watch_();
            next_look = now + kLookEvery;
        }
        if (SteadyClock::now() - since > patience)
            throw LinkFailure(late->rank, late->peer, sentence("it does not come up"), waited_s());
        if (SteadyClock::now() - since < kPollEvery)
            std::this_thread::yield();  // a message is handed over in less than a sleep
        else
            std::this_thread::sleep_for(kPollEvery);
    }
}

void GpuLinks::exchange(int rank, int peer, GpuLinkEnd& end, void* data, std::size_t bytes) {
    try {
        end.begin(data, bytes);
    } catch (const DeviceError&) {
        throwIfAborted();  // then another rank's failure is the cause
        throw;
    }
    await({{rank, peer, [&end] { return end.isReady(); }}}, kHandingOver);
}

void GpuLinks::settle() {
    std::vector<Wait> waits;
    for (const auto& [of, owned] : ends_) {
        GpuLinkEnd* const end = owned.get();
        end->mark();
        const auto [here, peer] = of.second ? RankPair(of.first.second, of.first.first) : of.first;
        waits.push_back({here, peer, [end] { return end->isReady() && end->markIsReached(); }});
    }
    await(waits, kHandingOver);
}

void GpuLinks::abort(const Sentence& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (aborted_) return;
    aborted_ = reason;
    abortAll();
}

void GpuLinks::abortAll() const noexcept {
    std::vector<BscopeLink*> links;
    for (const auto& [pair, end] : ends_) links.push_back(end->link());
    api_.link_abort(links.data(), links.size());
}

void GpuLinks::throwIfAborted() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (aborted_) throw CommunicationAborted(*aborted_);
}

void GpuLinks::throwIfBroken(int rank) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (aborted_) throw CommunicationAborted(*aborted_);
    for (const auto& [of, end] : ends_) {
        const auto [here, peer] = of.second ? RankPair(of.first.second, of.first.first) : of.first;
        if (here != rank) continue;
        try {
            static_cast<void>(end->isReady());
        } catch (const DeviceError& error) {
            throw DeviceError(sentence("{0}: {1}", linkName(peer), sentenceOf(error)), error.gpu_is_lost);
        }
    }
}

std::size_t GpuLinks::bytes(int rank) const {
    std::size_t bytes = 0;
    for (const auto& [of, end] : ends_)
        if ((of.second ? of.first.second : of.first.first) == rank) bytes += end->bytes();
    return bytes;
}

void lookAtGpu(GpuWatch& watch, const GpuLinks& links, int rank, bool step_begun) {
    watch.look(rank);
    if (step_begun) return;
    try {
        links.throwIfBroken(rank);
    } catch (const DeviceError& error) {
        throw StuckAction(watch.current(rank).value_or(watch.last(rank)), sentenceOf(error),
                          watch.secondsSince(rank), error.gpu_is_lost);
    }
}

void GpuCommunicator::postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                               std::int64_t /*sent_ns*/) {
    GpuLinkEnd& link = links_.out(rank(), peer);
    std::optional<GpuLinkEnd::StagedPlace> taken;
    watch_.waitUntil(rank(), [&] { return (taken = link.take(bytes)).has_value(); });
    const GpuLinkEnd::StagedPlace staged = *taken;
    ops_->run(CopyFloats{.to = staged->memory.as<float>(),
                         .from = static_cast<const float*>(data),
                         .count = bytes / sizeof(float)});
    staged->ready.record(computeStream());
    staged->ready.holdBack(link.stream().stream);
    exchange(peer, link, sentAs(schedule_, tag), *staged);
    staged->free.record(link.stream().stream);
    link.giveBack(staged);
}

void GpuCommunicator::postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) {
    if (expected_.contains(tag)) throw std::logic_error("a receive is posted twice");
    GpuLinkEnd& link = links_.in(rank(), peer);
    const GpuLinkEnd::StagedPlace staged = link.take(bytes).value();
    staged->free.holdBack(link.stream().stream);
    exchange(peer, link, receivedAs(tag), *staged);
    staged->ready.record(link.stream().stream);
    expected_.emplace(tag, Expected{peer, into, bytes, staged});
}

// Gradients of a copy are part of a reduction, of which the adding up is shown: their times are not asked
// for.
void GpuCommunicator::exchange(int peer, GpuLinkEnd& link, const Action& message,
                               const GpuLinkEnd::Staged& staged) {
    const auto hand_over = [&] {
        links_.exchange(rank(), peer, link, staged.memory.as<void>(), staged.memory.bytes());
    };
    const bool is_timed = isCommunication(message.op) && (times_sends_ || !isSend(message.op));
    is_timed ? trace_.traceMessage(rank(), message, link.stream(), hand_over) : hand_over();
}

std::int64_t GpuCommunicator::wait(const MessageTag& tag) {
    auto found = expected_.extract(tag);
    if (found.empty()) throw std::logic_error("a receive is waited for but was never posted");
    const Expected& expected = found.mapped();
    expected.staged->ready.holdBack(computeStream());
    ops_->run(CopyFloats{.to = static_cast<float*>(expected.into),
                         .from = expected.staged->memory.as<float>(),
                         .count = expected.bytes / sizeof(float)});
    expected.staged->free.record(computeStream());
    links_.in(rank(), expected.peer).giveBack(expected.staged);
    if (isOfReduction(tag.kind)) watch_.noteTaking(rank(), tag, trace_.computeStream(rank()));
    return 0;
}

}  // namespace bscope
