// GpuTracer: what a rank's actions took on its GPU, drained after each iteration. CUPTI when it can be had,
// which gives every kernel; else CUDA events around each action, which give its length only, and the reason
// is told. begin and end in the rank's thread; drain by one thread, when no action is under way.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/plugin/plugin.h"
#include "trace/kernel_join.h"

namespace bscope {

class GpuTracer {
public:
    virtual ~GpuTracer() = default;
    virtual void begin(const TracedAction& traced) = 0;
    virtual void end() = 0;
    // Complete actions since the last call, by start.
    virtual std::vector<ActionSpan> drain() = 0;
    // Records that the driver had no room for, ever: a measurement with any is incomplete.
    virtual std::uint64_t dropped() const = 0;
    // "" with CUPTI; else why times come from events.
    virtual const std::string& fallbackReason() const = 0;
};

// CUPTI if it starts, else events on `stream`; api and stream must outlive the tracer. Throws DeviceError
// when neither works.
std::unique_ptr<GpuTracer> makeGpuTracer(const BscopePlugin& api, BscopeStream* stream);

}  // namespace bscope
