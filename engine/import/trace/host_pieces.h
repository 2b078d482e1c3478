// hostPieces: what a rank did as its host saw it, without names: work and messages, in the order of the calls.
#pragma once

#include <cstdint>
#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

// Work or a message, at its place on the host; when it ran on the device, or on the host where there is none.
struct Piece {
    std::int64_t host_ns = 0;
    enum class Kind : std::uint8_t { Forward, Backward, Bookkeeping, Send, Receive } kind = Kind::Forward;
    HostRange ran;
    int computing = 0;
    std::int64_t node = -1;  // HostCall::node
    bool isMessage() const { return kind == Kind::Send || kind == Kind::Receive; }
};

// Without the optimizer's calls, in the order of host_ns.
std::vector<Piece> hostPieces(const RawTrace& trace);

}  // namespace bscope
