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

    explicit MessageStore(Device& device) : device_(&device) {}

    // So many of that size at one time, of no more.
    void reserve(int messages, std::size_t bytes);
    // Contents undefined; memory touched, so that no timed operation pays for it.
    Buffer takeBuffer(std::size_t bytes);
    Message& put(const MessageTag& tag, Message message) { return messages_[tag] = std::move(message); }
    // Throws std::out_of_range when it is not here.
    Message& at(const MessageTag& tag) { return messages_.at(tag); }
    // The message has served: its memory is used again, by one of its size.
    void drop(const MessageTag& tag);

    std::size_t reservedBytes() const { return reserved_bytes_; }

private:
    Device* device_;
    std::size_t reserved_bytes_ = 0;  // ever
    std::map<MessageTag, Message> messages_;
    std::map<std::size_t, std::vector<Buffer>> spare_;  // by bytes
};

}  // namespace bscope
