// Buffer: device memory with an owner.
#include "kernels/device.h"

#include <utility>

namespace bscope {

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
