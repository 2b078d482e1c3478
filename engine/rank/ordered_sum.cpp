#include "rank/ordered_sum.h"

#include <algorithm>

#include "plan/message_tags.h"

namespace bscope {

std::vector<int> OrderedSum::othersOf(int stage) const {
    std::vector<int> others = schedule_.copiesOf(stage);
    std::erase(others, stage);
    return others;
}

void OrderedSum::reserve(int stage, std::size_t floats) {
    const int replicas = schedule_.replicas();
    const auto bytesOf = [&](int replica) { return gradientSlice(floats, replicas, replica).bytes(); };
    const std::size_t own = bytesOf(schedule_.chainOf(stage));
    const auto atLeast = [this](Buffer& buffer, std::size_t bytes) {
        if (buffer.bytes() < bytes) buffer = Buffer(workplace_.device(), bytes);
    };
    atLeast(summands_, floats * sizeof(float));
    atLeast(slices_, static_cast<std::size_t>(replicas) * own);
    for (const int copy : othersOf(stage))
        for (const std::size_t bytes : {own, bytesOf(schedule_.chainOf(copy))})
            for (const bool receives : {true, false})
                if (bytes > 0) executor_.communicator().reserve(executor_.rankOf(copy), receives, bytes, 1);
}

OrderedSum::Outcome OrderedSum::run(const Action& action, std::size_t floats, std::int64_t ready_ns) {
    const int replicas = schedule_.replicas(), own = schedule_.chainOf(action.stage);
    const auto inAll = [&](int replica) {
        const GradientSlice slice = gradientSlice(floats, replicas, replica);
        return std::span(summands() + slice.begin, slice.floats());
    };
    const std::span<float> sum = inAll(own);
    const auto ofCopy = [&](int replica) {
        return std::span(slices_.as<float>() + static_cast<std::size_t>(replica) * sum.size(), sum.size());
    };
    Outcome outcome;
    outcome.received_bytes = exchange(action, {MessageKind::Slice, inAll, ofCopy, ready_ns});
    const OpTime adding = executor_.run({action, WorkPart::Fold}, [&] {
        if (sum.empty()) return;
        Ops& ops = workplace_.ops();
        ops.run(CopyFloats{.to = ofCopy(own).data(), .from = sum.data(), .count = sum.size()});
        ops.run(FillZero{.x = sum.data(), .count = sum.size()});
        for (int replica = 0; replica < replicas; ++replica)
            ops.run(Add{.y = sum.data(), .x = ofCopy(replica).data(), .count = sum.size()});
    });
    outcome.adding_ns = adding.duration_ns;
    outcome.received_bytes +=
        exchange(action, {MessageKind::Sum, [&](int) { return sum; }, inAll, adding.end_ns});
    return outcome;
}

std::size_t OrderedSum::exchange(const Action& action, const Round& round) {
    Communicator& communicator = executor_.communicator();
    const std::vector<int> others = othersOf(action.stage);
    std::size_t received = 0, largest = 0;
    std::vector<MessageTag> expected;
    // What is sent first needs no kernel behind a receive that spins already.
    for (const int copy : others) {
        const std::span<float> piece = round.sends(schedule_.chainOf(copy));
        if (!piece.empty())
            communicator.postSend(executor_.rankOf(copy),
                                  reductionTag(schedule_, round.kind, copy, action.stage), piece.data(),
                                  piece.size_bytes(), round.ready_ns);
    }
    for (const int copy : others) {
        const std::span<float> piece = round.receives(schedule_.chainOf(copy));
        if (piece.empty()) continue;
        expected.push_back(reductionTag(schedule_, round.kind, action.stage, copy));
        communicator.postReceive(executor_.rankOf(copy), expected.back(), piece.data(), piece.size_bytes());
        received += piece.size_bytes();
        largest = std::max(largest, piece.size_bytes());
    }
    executor_.flush(executor_.now_ns());
    std::int64_t sent_ns = round.ready_ns;
    for (const MessageTag& tag : expected)
        sent_ns = std::max(sent_ns, executor_.waitForOthers([&] { return communicator.wait(tag); }));
    executor_.waitUntil(sent_ns + executor_.transfer_ns(largest));
    executor_.throwIfItMust();
    return received;
}

}  // namespace bscope
