#include "rank/ordered_sum.h"

#include <algorithm>

namespace bscope {

namespace {

std::span<float> sliceOf(const SumGroup& group, int member, std::span<float> values) {
    const FloatSlice slice = bscope::sliceOf(values.size(), group.size(), member, group.grain);
    return values.subspan(slice.begin, slice.floats());
}

}  // namespace

void OrderedSum::reserve(const SumGroup& group, std::size_t floats) {
    const auto bytesOf = [&](int member) {
        return sliceOf(floats, group.size(), member, group.grain).bytes();
    };
    // The first slice is the longest at any size; a later one may be longer of fewer floats.
    const std::size_t own = bytesOf(group.own), all = static_cast<std::size_t>(group.size()) * bytesOf(0);
    if (slices_.bytes() < all) {
        slices_ = Buffer(workplace_.device(), all);
        workplace_.device().fillZero(slices_.as<void>(), all);
    }
    for (int member = 0; member < group.size(); ++member) {
        if (member == group.own) continue;
        for (const std::size_t bytes : {own, bytesOf(member)})
            for (const bool receives : {true, false})
                if (bytes > 0)
                    executor_.communicator().reserve(executor_.rankOf(group.stageOf(member)), receives, bytes,
                                                     1);
    }
}

// Where the others' slices of floats that are added up here lie.
std::span<float> OrderedSum::received(int member, std::size_t floats) const {
    return {slices_.as<float>() + static_cast<std::size_t>(member) * floats, floats};
}

OrderedSum::Round OrderedSum::scatter(const SumGroup& group, std::span<float> values, std::int64_t ready_ns) {
    const std::size_t own = sliceOf(group, group.own, values).size();
    return exchange(
        group, group.slices, [&](int member) { return sliceOf(group, member, values); },
        [&](int member) { return received(member, own); }, ready_ns);
}

void OrderedSum::add(const SumGroup& group, std::span<float> values) {
    const std::span<float> sum = sliceOf(group, group.own, values);
    if (sum.empty()) return;
    Ops& ops = workplace_.ops();
    const auto at = [&](int member) { return received(member, sum.size()).data(); };
    ops.run(CopyFloats{.to = at(group.own), .from = sum.data(), .count = sum.size()});
    ops.run(FillZero{.x = sum.data(), .count = sum.size()});
    for (int member = 0; member < group.size(); ++member)
        ops.run(Add{.y = sum.data(), .x = at(member), .count = sum.size()});
}

OrderedSum::Round OrderedSum::gather(const SumGroup& group, std::span<float> values, std::int64_t ready_ns) {
    return exchange(
        group, group.sums, [&](int) { return sliceOf(group, group.own, values); },
        [&](int member) { return sliceOf(group, member, values); }, ready_ns);
}

OrderedSum::Round OrderedSum::exchange(const SumGroup& group, MessageKind kind, const Piece& sends,
                                       const Piece& receives, std::int64_t ready_ns) {
    Communicator& communicator = executor_.communicator();
    const auto rankOf = [&](int member) { return executor_.rankOf(group.stageOf(member)); };
    Round round{.ready_ns = ready_ns};
    std::size_t largest = 0;
    std::vector<MessageTag> expected;
    // What is sent first needs no kernel behind a receive that spins already.
    for (int member = 0; member < group.size(); ++member) {
        if (member == group.own) continue;
        const std::span<float> piece = sends(member);
        if (piece.empty()) continue;
        communicator.postSend(rankOf(member), group.tag(kind, member, group.own), piece.data(),
                              piece.size_bytes(), ready_ns);
        round.sent_bytes += piece.size_bytes();
    }
    for (int member = 0; member < group.size(); ++member) {
        if (member == group.own) continue;
        const std::span<float> piece = receives(member);
        if (piece.empty()) continue;
        expected.push_back(group.tag(kind, group.own, member));
        communicator.postReceive(rankOf(member), expected.back(), piece.data(), piece.size_bytes());
        round.received_bytes += piece.size_bytes();
        largest = std::max(largest, piece.size_bytes());
    }
    executor_.flush(executor_.now_ns());
    for (const MessageTag& tag : expected)
        round.ready_ns =
            std::max(round.ready_ns, executor_.waitForOthers([&] { return communicator.wait(tag); }));
    executor_.waitUntil(round.ready_ns + group.hops * executor_.transfer_ns(largest));
    executor_.throwIfItMust();
    return round;
}

}  // namespace bscope
