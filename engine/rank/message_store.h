// MessageStore: where one rank keeps the tensors that wait for their consumer. One thread at a time.
#pragma once

#include <map>
#include <vector>

#include "kernels/communicator.h"
#include "kernels/device.h"

namespace bscope {

class MessageStore {
public:
    struct Message {
        Buffer data;
        std::int64_t done_ns = 0;  // device clock of its producer
        bool expected = false;     // a receive is posted and not yet waited for
    };

    // All messages have one size, B * T * C floats.
    MessageStore(Device& device, std::size_t message_bytes)
        : device_(&device), message_bytes_(message_bytes) {}

    void reserve(int messages);  // at one time, of no more
    Buffer takeBuffer();         // contents undefined; memory touched, so that no timed operation pays for it
    Message& put(const MessageTag& tag, Message message) { return messages_[tag] = std::move(message); }
    // Throws std::out_of_range when it is not here.
    Message& at(const MessageTag& tag) { return messages_.at(tag); }
    // The message has served: its memory is used again.
    void drop(const MessageTag& tag);

    std::size_t messageBytes() const { return message_bytes_; }
    std::size_t reservedBytes() const { return buffers_ * message_bytes_; }

private:
    Device* device_;
    std::size_t message_bytes_;
    std::size_t buffers_ = 0;  // ever made
    std::map<MessageTag, Message> messages_;
    std::vector<Buffer> spare_;
};

}  // namespace bscope
