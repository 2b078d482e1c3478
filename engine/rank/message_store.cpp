#include "rank/message_store.h"

#include <utility>

namespace bscope {

void MessageStore::reserve(int messages) {
    std::vector<Buffer> all;
    for (int i = 0; i < messages; ++i) all.push_back(takeBuffer());
    for (Buffer& buffer : all) spare_.push_back(std::move(buffer));
}

Buffer MessageStore::takeBuffer() {
    if (spare_.empty()) {
        ++buffers_;
        Buffer buffer(*device_, message_bytes_);
        device_->fillZero(buffer.as<void>(), message_bytes_);
        return buffer;
    }
    Buffer buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
}

void MessageStore::drop(const MessageTag& tag) {
    auto served = messages_.extract(tag);
    if (!served.empty()) spare_.push_back(std::move(served.mapped().data));
}

}  // namespace bscope
