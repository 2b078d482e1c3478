#include "rank/message_store.h"

#include <utility>

namespace bscope {

void MessageStore::reserve(int messages, std::size_t bytes) {
    std::vector<Buffer> all;
    for (int i = 0; i < messages; ++i) all.push_back(takeBuffer(bytes));
    for (Buffer& buffer : all) spare_[bytes].push_back(std::move(buffer));
}

Buffer MessageStore::takeBuffer(std::size_t bytes) {
    std::vector<Buffer>& spare = spare_[bytes];
    if (spare.empty()) {
        reserved_bytes_ += bytes;
        Buffer buffer(*device_, bytes);
        device_->fillZero(buffer.as<void>(), bytes);
        return buffer;
    }
    Buffer buffer = std::move(spare.back());
    spare.pop_back();
    return buffer;
}

void MessageStore::drop(const MessageTag& tag) {
    auto served = messages_.extract(tag);
    if (served.empty()) return;
    Buffer& buffer = served.mapped().data;
    std::vector<Buffer>& spare = spare_[buffer.bytes()];
    spare.push_back(std::move(buffer));
}

}  // namespace bscope
