// GpuWorld: the communicator over all GPUs of a run, of which the links of every pipeline are split off; so a
// change of the pipeline starts nothing anew. Here are its members of this process: all of them when ranks
// are threads, one when they are processes. Nothing waits. One thread.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/plugin/cuda_device.h"

namespace bscope {

// Owns a link of the plugin. Move-only.
class GpuLink {
public:
    GpuLink() = default;
    GpuLink(const BscopePlugin& api, BscopeLink* handle) : api_(&api), handle_(handle) {}
    GpuLink(GpuLink&& other) noexcept : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
    GpuLink& operator=(GpuLink&& other) noexcept {
        std::swap(api_, other.api_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~GpuLink() {
        if (handle_ != nullptr) api_->link_close(handle_);
    }

    // Throws DeviceError, as exchange().
    bool isReady() const {
        std::int32_t ready = 0;
        check(api_->link_ready(handle_, &ready));
        return ready != 0;
    }
    void exchange(const BscopeTransfer& transfer) const { check(api_->link_exchange(handle_, &transfer, 1)); }
    BscopeLink* get() const { return handle_; }

private:
    const BscopePlugin* api_ = nullptr;
    BscopeLink* handle_ = nullptr;
};

class GpuWorld {
public:
    // A member here: its rank in the world, and where it computes.
    struct Seat {
        int rank;
        Device* device;
    };
    // Begins to open; the devices must outlive the world. Throws DeviceError, as everything here.
    GpuWorld(const BscopePlugin& api, const std::vector<Seat>& seats, int size, const BscopeUniqueId& id);

    // The members here, ascending.
    const std::vector<int>& ranks() const { return ranks_; }
    // Nothing that was begun is under way any more.
    bool isReady(int rank) const { return at(rank).link.isReady(); }
    // One member's part in a split, when all members here are ready: every member of the world makes one.
    // Those of one color get a link of their own, ordered by key. It is not ready before this member is, and
    // must not outlive the world until it has been.
    GpuLink split(int rank, int color, int key, BscopeStream* stream);
    void sitOut(int rank);

private:
    struct Member {
        std::unique_ptr<Stream> stream;
        GpuLink link;
    };
    const Member& at(int rank) const;

    const BscopePlugin& api_;
    std::vector<int> ranks_;
    std::vector<Member> members_;  // as ranks_
};

}  // namespace bscope
