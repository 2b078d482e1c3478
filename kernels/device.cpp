#include "kernels/device.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bscope {

void copyBetween(Device& to_device, void* to, Device& from_device, const void* from, std::size_t bytes) {
    if (from_device.isHost()) return to_device.copy(to, from, bytes);
    if (to_device.isHost() || &to_device == &from_device) return from_device.copy(to, from, bytes);
    std::vector<std::byte> part(std::min(bytes, std::size_t{64} << 20));
    for (std::size_t at = 0; at < bytes; at += part.size()) {
        const std::size_t length = std::min(part.size(), bytes - at);
        from_device.copy(part.data(), static_cast<const std::byte*>(from) + at, length);
        to_device.copy(static_cast<std::byte*>(to) + at, part.data(), length);
    }
}

Buffer::Buffer(Device& device, std::size_t bytes)
    : device_(&device), memory_(device.allocate(bytes)), bytes_(bytes) {}

Buffer::Buffer(Buffer&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      memory_(std::exchange(other.memory_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

Buffer::~Buffer() {
    if (device_) device_->release(memory_, bytes_);
}

}  // namespace bscope
