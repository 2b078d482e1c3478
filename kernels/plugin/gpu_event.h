// GpuEvent: a moment in a stream of a GPU, recorded again and again. Owns its handle; move-only.
#pragma once

#include <utility>

#include "kernels/plugin/plugin.h"

namespace bscope {

class GpuEvent {
public:
    // The api must outlive the event. Throws DeviceError, as everything here.
    GpuEvent(const BscopePlugin& api, BscopeDevice* device) : api_(&api) {
        check(api.event_open(device, &handle_));
    }
    GpuEvent(GpuEvent&& other) noexcept : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
    GpuEvent& operator=(GpuEvent&& other) noexcept {
        std::swap(api_, other.api_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~GpuEvent() {
        if (handle_) api_->event_close(handle_);
    }

    // Comes when everything handed to the stream so far is done.
    void record(BscopeStream* stream) { check(api_->event_record(handle_, stream)); }
    bool done() const {
        std::int32_t done = 0;
        check(api_->event_done(handle_, &done));
        return done != 0;
    }
    // What is handed to the stream from now on runs after the event.
    void holdBack(BscopeStream* stream) const { check(api_->stream_wait(stream, handle_)); }
    // Waits for both.
    std::int64_t elapsedSince_ns(const GpuEvent& from) const {
        std::int64_t elapsed_ns = 0;
        check(api_->event_elapsed(from.handle_, handle_, &elapsed_ns));
        return elapsed_ns;
    }

private:
    const BscopePlugin* api_;
    BscopeEvent* handle_ = nullptr;
};

}  // namespace bscope
