#include "run/gpu/gpu_links.h"

#include <algorithm>
#include <stdexcept>

#include "run/messages.h"

namespace bscope {

// Neighbours in a chain: activations one way, gradients the other.
std::set<RankPair> talkingPairs(const Schedule& schedule) {
    std::set<RankPair> pairs;
    for (const std::vector<int>& chain : schedule.chains)
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const int before = schedule.placement[static_cast<std::size_t>(chain[i - 1])];
            const int after = schedule.placement[static_cast<std::size_t>(chain[i])];
            if (before != after) pairs.insert({{before, after}, {after, before}});
        }
    if (schedule.isForwardOnly()) return pairs;
    for (int stage = 0; stage < schedule.stageCount(); ++stage)
        for (const int copy : schedule.copiesOf(stage)) {
            const int from = schedule.placement[static_cast<std::size_t>(stage)];
            const int to = schedule.placement[static_cast<std::size_t>(copy)];
            if (from != to) pairs.insert({from, to});
        }
    return pairs;
}

GpuLinkEnd::GpuLinkEnd(const BscopePlugin& api, Device& device, const BscopeUniqueId& id, bool receives)
    : api_(api), device_(device), receives_(receives), stream_(device.makeStream()) {
    traced_ = {cudaDeviceOf(device), cudaStreamOf(*stream_)};
    check(api.link_open(traced_.stream, &id, receives ? 1 : 0, 2, &link_));
}

void GpuLinkEnd::connect(std::function<void()> watch) {
    const Buffer nothing(device_, sizeof(float));
    watchWhileWaiting(*stream_, std::move(watch));
    exchange(nothing.as<void>(), nothing.bytes());
    try {
        stream_->synchronize();
    } catch (...) {
        abort();  // freeing memory waits for the stream
        throw;
    }
}

GpuLinkEnd::~GpuLinkEnd() {
    api_.link_close(link_);
}

GpuLinkEnd::Staged GpuLinkEnd::take(std::size_t bytes) {
    const auto found = std::find_if(spare_.begin(), spare_.end(), [&](const Staged& each) {
        return each.memory.bytes() == bytes && (receives_ || each.free.done());
    });
    if (found == spare_.end()) {
        bytes_ += bytes;
        return {Buffer(device_, bytes), GpuEvent(api_, traced_.device), GpuEvent(api_, traced_.device)};
    }
    Staged taken = std::move(*found);
    spare_.erase(found);
    return taken;
}

void GpuLinkEnd::exchange(void* data, std::size_t bytes) {
    const BscopeTransfer transfer{receives_ ? 0 : 1, receives_ ? 1 : 0, data, bytes};
    check(api_.link_exchange(link_, &transfer, 1));
}

GpuLinks::GpuLinks(const BscopePlugin& api, const Plan& plan) : api_(api) {
    for (const RankPair& pair : talkingPairs(plan.program.schedule)) check(api.link_unique_id(&ids_[pair]));
}

// All ranks in the order of the pairs, so that none waits for one that waits for it.
void GpuLinks::open(int rank, Device& device, GpuTrace& trace) {
    for (const auto& [pair, id] : ids_) {
        const bool receives = pair.second == rank;
        if (pair.first != rank && !receives) continue;
        std::unique_ptr<GpuLinkEnd> end;
        try {
            end = std::make_unique<GpuLinkEnd>(api_, device, id, receives);
        } catch (const DeviceError&) {
            throwIfAborted();  // the other end did not come because its rank has stopped
            throw;
        }
        trace.linksOn(end->stream());
        GpuLinkEnd& opened = *end;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ends_[{pair, receives}] = std::move(end);
            if (aborted_) throw CommunicationAborted(*aborted_);
        }
        opened.connect([this, rank] { throwIfBroken(rank); });
    }
}

void GpuLinks::abort(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (aborted_) return;
    aborted_ = reason;
    for (const auto& [pair, end] : ends_) end->abort();
}

void GpuLinks::throwIfAborted() {
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
            end->throwIfBroken();
        } catch (const DeviceError& error) {
            throw DeviceError("the link with rank " + std::to_string(peer) + ": " + error.what());
        }
    }
}

std::size_t GpuLinks::bytes(int rank) const {
    std::size_t bytes = 0;
    for (const auto& [of, end] : ends_)
        if ((of.second ? of.first.second : of.first.first) == rank) bytes += end->bytes();
    return bytes;
}

void GpuCommunicator::postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                               std::int64_t /*sent_ns*/) {
    GpuLinkEnd& link = links_.out(rank(), peer);
    GpuLinkEnd::Staged staged = link.take(bytes);
    ops_->copy(staged.memory.as<float>(), static_cast<const float*>(data), bytes / sizeof(float));
    staged.ready.record(computeStream());
    staged.ready.holdBack(link.stream().stream);
    const Op op = tag.direction == Direction::Forward ? Op::SendForward : Op::SendBackward;
    exchange(link, {senderStage(schedule_, tag), op, tag.microbatch}, staged);
    staged.free.record(link.stream().stream);
    link.giveBack(std::move(staged));
}

void GpuCommunicator::postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) {
    if (expected_.contains(tag)) throw std::logic_error("a receive is posted twice");
    GpuLinkEnd& link = links_.in(rank(), peer);
    GpuLinkEnd::Staged staged = link.take(bytes);
    staged.free.holdBack(link.stream().stream);
    const Op op = tag.direction == Direction::Forward ? Op::RecvForward : Op::RecvBackward;
    exchange(link, {tag.stage, op, tag.microbatch}, staged);
    staged.ready.record(link.stream().stream);
    expected_.emplace(tag, Expected{peer, into, bytes, std::move(staged)});
}

// Gradients of a copy are part of a reduction, of which the adding up is shown: their times are not asked
// for.
void GpuCommunicator::exchange(GpuLinkEnd& link, const Action& message, const GpuLinkEnd::Staged& staged) {
    const auto hand_over = [&] { link.exchange(staged.memory.as<void>(), staged.memory.bytes()); };
    message.microbatch < 0 ? hand_over() : trace_.traceMessage(rank(), message, link.stream(), hand_over);
}

std::int64_t GpuCommunicator::wait(const MessageTag& tag) {
    auto found = expected_.extract(tag);
    if (found.empty()) throw std::logic_error("a receive is waited for but was never posted");
    Expected& expected = found.mapped();
    expected.staged.ready.holdBack(computeStream());
    ops_->copy(static_cast<float*>(expected.into), expected.staged.memory.as<float>(),
               expected.bytes / sizeof(float));
    expected.staged.free.record(computeStream());
    links_.in(rank(), expected.peer).giveBack(std::move(expected.staged));
    if (tag.microbatch < 0)
        watch_.note(rank(), {tag.stage, Op::ReduceGradients, -tag.microbatch}, trace_.computeStream(rank()));
    return 0;
}

}  // namespace bscope
