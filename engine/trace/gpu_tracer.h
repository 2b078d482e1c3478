// GpuTracer: what actions took on their GPUs. CUPTI when it can be had, which gives every kernel; else CUDA
// events around each action, which give its start and its length only, and the reason is given. begin and end
// from any thread, in pairs, one pair at a time on a stream; take by one thread. CUPTI keeps its records back
// while anything runs on the GPU: take then, and every action, when all is idle; or take what has come so
// far. Events can be read while others are under way.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/plugin/plugin.h"
#include "trace/kernel_join.h"
#include "words/sentence.h"

namespace bscope {

// A stream and the GPU it belongs to.
struct TracedStream {
    BscopeDevice* device = nullptr;
    BscopeStream* stream = nullptr;
};

class GpuTracer {
public:
    virtual ~GpuTracer() = default;
    // Before the first begin() on a stream. Any thread.
    virtual void expect(const TracedStream& stream) = 0;
    virtual void begin(const TracedWork& traced, const TracedStream& on) = 0;
    virtual void end(const TracedStream& on) = 0;
    // Those actions, which have ended or are about to, by start, unless they were taken before; times on
    // CLOCK_MONOTONIC.
    virtual std::vector<WorkSpan> take(const WorkFilter& wanted) = 0;
    // All of them.
    std::vector<WorkSpan> drain() { return take(anyWork); }
    // CUPTI, while things run: kernels that it has handed over since the last time. Others: none.
    virtual std::vector<WorkSpan> takeSoFar() { return {}; }
    // Between iterations: traces nothing until it is resumed.
    virtual void pause() = 0;
    virtual void resume() = 0;
    // Records that the driver had no room for, ever: a measurement with any is incomplete.
    virtual std::uint64_t dropped() const = 0;
    // Empty with CUPTI; else why times come from events.
    virtual const Sentence& fallbackReason() const = 0;
};

// Keeps CUPTI at work from one tracer to the next, where it can be had: until 13.1 Update 1 it loses the
// kernels of CUDA graphs when it was stopped and is started again.
class TracingSession {
public:
    explicit TracingSession(const BscopePlugin& api);  // which must outlive it
    TracingSession(const TracingSession&) = delete;
    TracingSession& operator=(const TracingSession&) = delete;
    ~TracingSession();

private:
    const BscopePlugin& api_;
    bool started_;
};

// CUPTI if it starts, else events; the api and every stream used must outlive the tracer. Throws DeviceError
// when neither works.
std::unique_ptr<GpuTracer> makeGpuTracer(const BscopePlugin& api);
// Events in any case: for work that a library may launch from a thread of its own, where CUPTI's ids do not
// reach.
std::unique_ptr<GpuTracer> makeEventTracer(const BscopePlugin& api, Sentence reason);

}  // namespace bscope
