// Device: where numbers live and are computed. The CPU (kernels/cpu) and the CUDA plugin are equals behind
// it. Buffer owns device memory, Stream is an order of work; on the CPU work is done when the call returns.
// A Device may be used from any thread; a Stream and the Ops made for it belong to one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/operand.h"

namespace bscope {

class Ops;

class Stream {
public:
    virtual ~Stream() = default;
    virtual void synchronize() = 0;  // returns when all work handed to this stream is done
};

class Device {
public:
    virtual ~Device() = default;

    virtual std::string name() const = 0;  // "CPU"
    // Its memory is the host's, which every device can copy from and to.
    virtual bool isHost() const { return false; }
    // What this device keeps operands in.
    virtual Precision operandPrecision() const { return Precision::Fp32; }
    virtual std::unique_ptr<Stream> makeStream() = 0;
    // The operations of this device, ordered on `stream`, which must outlive them.
    virtual std::unique_ptr<Ops> makeOps(Stream& stream) = 0;
    // Once in every thread that is going to compute or to talk to this device, before it does.
    virtual void prepareThread() = 0;

    // 64-byte aligned, contents undefined. Throws std::bad_alloc. Bytes may be 0.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory, std::size_t bytes) noexcept = 0;
    // Either side may be host memory or this device's. Returns when the data is there.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void fillZero(void* memory, std::size_t bytes) = 0;
};

// From one device's memory into another's; by way of the host where neither is that. Returns when the data is
// there.
void copyBetween(Device& to_device, void* to, Device& from_device, const void* from, std::size_t bytes);

// Owns device memory; move-only. The device must outlive it.
class Buffer {
public:
    Buffer() = default;
    Buffer(Device& device, std::size_t bytes);  // contents undefined
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    std::size_t bytes() const { return bytes_; }
    template <typename T>
    T* as() const {
        return static_cast<T*>(memory_);
    }

private:
    Device* device_ = nullptr;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace bscope
