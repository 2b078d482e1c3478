// Messages: which tensors travel between stages, and where one rank keeps those that wait for their consumer.
// A tag names the consumer, so the same tag stands for a tensor at its producer and at its consumer.
// MessageStore: one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "kernels/communicator.h"
#include "kernels/device.h"
#include "schedule/schedule.h"

namespace bscope {

// What a compute action reads: the activation of the previous stage (F), the gradient of the next (B, I, and
// R: its place in time is that of the backward it belongs to). nullopt at the ends of the chain and for W.
std::optional<MessageTag> inputOf(const Schedule& schedule, const Action& action);
// What F, B or I hands on, or what a SEND carries; nullopt when nobody needs it.
std::optional<MessageTag> outputOf(const Schedule& schedule, const Action& action);

// The copies of a stage in d replicas add their gradients in two rounds: each copy adds up a slice of all of
// them in the order of the replicas, and hands the sum to the others. So a rank holds no more than two copies
// of its gradients at any d.
struct GradientSlice {
    std::size_t begin = 0,
                end = 0;  // floats of all gradients of the stage; whole cache lines but for the last
    std::size_t floats() const { return end - begin; }
    std::size_t bytes() const { return floats() * sizeof(float); }
};
// What the copy in `chain` adds up; empty where there are fewer cache lines than replicas.
GradientSlice gradientSlice(std::size_t floats, int replicas, int chain);

// Messages of a reduction are of no micro-batch: -1 - chain of the sender for gradients, -1 - d - chain for
// sums.
MessageTag gradientsTo(const Schedule& schedule, int copy, int from);
MessageTag sumsTo(const Schedule& schedule, int copy, int from);
// The parts of a reduction (actionPart): copying all gradients together is 0, message `tag` having come is
// -tag.microbatch, adding up the slice is this.
inline int foldPart(int replicas) {
    return 2 * replicas + 1;
}

// The stage that a message comes from.
int senderStage(const Schedule& schedule, const MessageTag& tag);

// A message as the action of its receiver, and of its sender.
Action receivedAs(const MessageTag& tag);
Action sentAs(const Schedule& schedule, const MessageTag& tag);

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
    Buffer takeBuffer();  // contents undefined; memory touched, so that nobody pays for it while being timed
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
