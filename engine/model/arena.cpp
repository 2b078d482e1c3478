// Takes come out of a free list of their exact size, else out of the newest chunk; nothing is ever split or
// merged, since an iteration asks for the same few sizes again and again.
#include "model/arena.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace bscope {

namespace {
constexpr std::size_t kAlignment = 256;  // as fresh memory of a GPU: products choose their kernels by it
// A chunk is as large as all before it together, so that a small model takes little and a large one few
// chunks.
constexpr std::size_t kFirstChunk = std::size_t{1} << 20, kLargestChunk = std::size_t{32} << 20;
}  // namespace

Slot::Slot(Slot&& other) noexcept
    : arena_(std::exchange(other.arena_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Slot& Slot::operator=(Slot&& other) noexcept {
    if (this != &other) {
        reset();
        arena_ = std::exchange(other.arena_, nullptr);
        data_ = std::exchange(other.data_, nullptr);
        bytes_ = std::exchange(other.bytes_, 0);
    }
    return *this;
}

void Slot::reset() noexcept {
    if (arena_) arena_->giveBack(data_, bytes_);
    arena_ = nullptr;
    data_ = nullptr;
    bytes_ = 0;
}

Slot Arena::take(std::size_t floats) {
    if (floats == 0) throw std::invalid_argument("Arena::take: nothing to take");
    const std::size_t bytes = floats * sizeof(float);
    const std::size_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    FreeList& list = free_[bytes];
    float* data = nullptr;
    if (!list.ready.empty()) {
        data = list.ready.back();
        list.ready.pop_back();
    } else {
        if (chunks_.empty() || chunks_.back().bytes() - chunk_used_ < room) {
            const std::size_t usual = std::clamp(reservedBytes(), kFirstChunk, kLargestChunk);
            chunks_.emplace_back(*device_, std::max(room, usual));
            chunk_used_ = 0;
        }
        // Giving back must not allocate: make the list long enough for every slot of this size.
        list.ready.reserve(list.made + 1);
        ++list.made;
        data = reinterpret_cast<float*>(chunks_.back().as<char>() + chunk_used_);
        chunk_used_ += room;
    }
    live_bytes_ += bytes;
    peak_bytes_ = std::max(peak_bytes_, live_bytes_);
    record(static_cast<std::int64_t>(bytes));
    return Slot(this, data, bytes);
}

void Arena::giveBack(float* data, std::size_t bytes) noexcept {
    free_.find(bytes)->second.ready.push_back(data);
    live_bytes_ -= bytes;
    record(-static_cast<std::int64_t>(bytes));
}

void Arena::record(std::int64_t bytes) {
    records_.push_back({now_ns_ ? now_ns_() : 0, bytes, static_cast<std::int64_t>(live_bytes_)});
}

std::size_t Arena::reservedBytes() const {
    return std::accumulate(chunks_.begin(), chunks_.end(), std::size_t{0},
                           [](std::size_t sum, const Buffer& chunk) { return sum + chunk.bytes(); });
}

std::vector<ArenaRecord> Arena::drainRecords() {
    std::vector<ArenaRecord> drained = std::exchange(records_, {});
    records_.reserve(drained.size());
    return drained;
}

void Arena::releaseMemory() {
    if (live_bytes_ > 0)
        throw std::logic_error("Arena::releaseMemory: " + std::to_string(live_bytes_) +
                               " bytes are still in use");
    free_.clear();
    chunks_.clear();
    chunk_used_ = 0;
}

}  // namespace bscope
