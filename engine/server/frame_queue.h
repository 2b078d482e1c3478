// FrameQueue: what waits for one viewer or for the disk. Bounded: above the limit events, memory points and
// watermarks are left out and counted, kernels already above half of it; everything else is always taken. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "server/out_frame.h"

namespace bscope {

class FrameQueue {
public:
    explicit FrameQueue(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

    void push(OutFrame frame) {
        const std::size_t limit_bytes = frame.kernels > 0 ? limit_bytes_ / 2 : limit_bytes_;
        if (frame.droppable() && bytes_ + frame.bytes->size() > limit_bytes) {
            dropped_events_ += frame.events;
            dropped_kernels_ += frame.kernels;
            return;
        }
        bytes_ += frame.bytes->size();
        frames_.push_back(std::move(frame));
    }
    std::optional<OutFrame> pop() {
        if (frames_.empty()) return std::nullopt;
        OutFrame frame = std::move(frames_.front());
        frames_.pop_front();
        bytes_ -= frame.bytes->size();
        return frame;
    }
    bool empty() const { return frames_.empty(); }
    std::size_t bytes() const { return bytes_; }
    std::uint64_t droppedEvents() const { return dropped_events_; }
    std::uint64_t droppedKernels() const { return dropped_kernels_; }

private:
    std::size_t limit_bytes_;
    std::size_t bytes_ = 0;
    std::uint64_t dropped_events_ = 0, dropped_kernels_ = 0;
    std::deque<OutFrame> frames_;
};

}  // namespace bscope
