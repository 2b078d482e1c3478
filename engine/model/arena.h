// Arena: the pool a rank's activations live in, and the measured memory curve: every take and return is
// recorded with its time and the bytes then live. Memory grows in chunks and is reused by exact size,
// so an iteration after the first allocates nothing. One thread at a time. Slots must not outlive their
// arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "kernels/device.h"

namespace bscope {

class Arena;

// floats out of an arena, given back when it goes out of scope; or a view of memory that belongs to someone
// else. Move-only.
class Slot {
public:
    Slot() = default;
    static Slot view(float* data) { return Slot(nullptr, data, 0); }
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&& other) noexcept;
    ~Slot() { reset(); }

    float* data() const { return data_; }
    explicit operator bool() const { return data_ != nullptr; }
    void reset() noexcept;

private:
    friend class Arena;
    Slot(Arena* arena, float* data, std::size_t bytes) : arena_(arena), data_(data), bytes_(bytes) {}

    Arena* arena_ = nullptr;
    float* data_ = nullptr;
    std::size_t bytes_ = 0;
};

struct ArenaRecord {
    std::int64_t time_ns = 0;
    std::int64_t bytes = 0;       // > 0 taken, < 0 given back
    std::int64_t live_bytes = 0;  // after it
};

class Arena {
public:
    explicit Arena(Device& device) : device_(&device) {}
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // Where record times come from; without a clock they are 0.
    void setClock(std::function<std::int64_t()> now_ns) { now_ns_ = std::move(now_ns); }

    Slot take(std::size_t floats);  // contents undefined; floats > 0

    std::size_t liveBytes() const { return live_bytes_; }
    std::size_t peakBytes() const { return peak_bytes_; }  // since the last resetPeak()
    void resetPeak() { peak_bytes_ = live_bytes_; }
    std::size_t reservedBytes() const;  // what the device has given, at least liveBytes()

    // Everything recorded since the last call, in order; records are kept until they are taken.
    std::vector<ArenaRecord> drainRecords();
    // Gives all memory back to the device. Throws std::logic_error while anything is live.
    void releaseMemory();

private:
    friend class Slot;
    struct FreeList {
        std::vector<float*> ready;
        std::size_t made = 0;  // slots of this size, free or not
    };

    void giveBack(float* data, std::size_t bytes) noexcept;
    void record(std::int64_t bytes);

    Device* device_;
    std::function<std::int64_t()> now_ns_;
    std::vector<Buffer> chunks_;
    std::size_t chunk_used_ = 0;            // bytes used of the last chunk
    std::map<std::size_t, FreeList> free_;  // by bytes
    std::vector<ArenaRecord> records_;
    std::size_t live_bytes_ = 0;
    std::size_t peak_bytes_ = 0;
};

}  // namespace bscope
