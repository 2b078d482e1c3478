// ToldGate: the gate of an endless stream in a process that does not decide: it knows the admissions that its
// orders have told it, and hands on what its rank delivers. One thread.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "mpi/orders.h"
#include "rank/stream_gate.h"

namespace bscope {

class ToldGate final : public StreamGate {
public:
    // Takes in the orders that have come, those of the stream through obey(), at least once and until it is
    // true. Throws as Line::receive.
    using Listen = std::function<void(const std::function<bool()>& until)>;
    // tokens: of one micro-batch, B T.
    ToldGate(std::size_t tokens, Listen listen, std::function<void(Share)> hand_on)
        : tokens_(tokens), listen_(std::move(listen)), hand_on_(std::move(hand_on)) {}

    void obey(const AdmitOrder& order);

    bool has(int microbatch) override;
    bool waitFor(int microbatch) override;
    Batch samples(int microbatch) override;
    void deliver(int /*rank*/, Share share) override { hand_on_(std::move(share)); }

private:
    const std::size_t tokens_;
    const Listen listen_;
    const std::function<void(Share)> hand_on_;
    Admission admission_;
    std::map<int, Batch> samples_;  // by micro-batch, not yet asked for
};

}  // namespace bscope
