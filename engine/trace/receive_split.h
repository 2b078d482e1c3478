// A receive on a GPU is a kernel that spins until its peer sends: its span is waiting and transfer in one.
// Bytes flow from the moment at which both sides run; before that it waits. Both spans on one clock. Pure
// function.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bscope {

struct ReceiveSplit {
    std::int64_t wait_ns = 0, transfer_ns = 0;
};

inline ReceiveSplit splitReceive(std::int64_t receive_start_ns, std::int64_t receive_end_ns,
                                 std::int64_t send_start_ns) {
    const std::int64_t begin =
        std::clamp(send_start_ns, receive_start_ns, std::max(receive_start_ns, receive_end_ns));
    return {begin - receive_start_ns, std::max(receive_start_ns, receive_end_ns) - begin};
}

}  // namespace bscope
