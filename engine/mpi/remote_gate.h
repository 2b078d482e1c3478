// RemoteGate: the gate of an endless stream in a process that does not admit: it has the admissions that
// its commands have brought, and hands on what its rank delivers. One thread.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "mpi/commands.h"
#include "rank/stream_gate.h"

namespace bscope {

class RemoteGate final : public StreamGate {
public:
    // Takes in the commands that have come, those of the stream through execute(), at least once and until it
    // is true. Throws as Channel::receive.
    using Listen = std::function<void(const std::function<bool()>& until)>;
    // tokens: of one micro-batch, B T.
    RemoteGate(std::size_t tokens, Listen listen, std::function<void(RankIteration)> hand_on)
        : tokens_(tokens), listen_(std::move(listen)), hand_on_(std::move(hand_on)) {}

    void execute(const AdmitCommand& command);

    bool has(int microbatch) override;
    bool waitFor(int microbatch) override;
    Batch samples(int microbatch) override;
    void deliver(int /*rank*/, RankIteration share) override { hand_on_(std::move(share)); }

private:
    const std::size_t tokens_;
    const Listen listen_;
    const std::function<void(RankIteration)> hand_on_;
    Admission admission_;
    std::map<int, Batch> samples_;  // by micro-batch, not yet taken
};

}  // namespace bscope
