// CUPTI behind the C interface. CUPTI requests and completes buffers on threads of its own; the
// callbacks only move a buffer in or out of a list. Records are read in drain(), on the caller's thread, and
// no call of CUPTI is made while the list is locked. CUPTI gives its callbacks no context and allows one
// subscriber, hence one tracer a process. It stays subscribed: a clock that is registered again spoils the
// times of records that come soon after.
#include <cupti.h>
#include <time.h>

#include <mutex>
#include <utility>
#include <vector>

#include "kernels/cuda/check.h"
#include "kernels/cuda/library.h"
#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{512} << 10;
constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMSET,
                                         CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};

// An external id is recorded for calls that are traced, and these are the calls that put work on the GPU: of
// this plugin, and of libraries, which call the driver. The kinds RUNTIME and DRIVER would record every call,
// also those that are made over and over while a thread waits.
constexpr CUpti_CallbackId kRuntimeCalls[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,  CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020,  CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000};
constexpr CUpti_CallbackId kDriverCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync,   CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch};

struct Cupti {
    Library library{"libcupti.so.13",
                    "tracing needs {0}, which cannot be loaded; it comes with the CUDA toolkit (cuda-cupti)"};
    decltype(cuptiGetVersion)* version;
    decltype(cuptiSubscribe)* subscribe;
    decltype(cuptiUnsubscribe)* unsubscribe;
    decltype(cuptiActivitySetAttribute)* setAttribute;
    decltype(cuptiActivityRegisterTimestampCallback)* registerTimestamps;
    decltype(cuptiActivityRegisterCallbacks)* registerCallbacks;
    decltype(cuptiActivityEnable)* enable;
    decltype(cuptiActivityEnableRuntimeApi)* enableRuntime;
    decltype(cuptiActivityEnableDriverApi)* enableDriver;
    decltype(cuptiActivityDisable)* disable;
    decltype(cuptiActivityFlushAll)* flushAll;
    decltype(cuptiActivityGetNextRecord)* nextRecord;
    decltype(cuptiActivityGetNumDroppedRecords)* droppedRecords;
    decltype(cuptiActivityPushExternalCorrelationId)* push;
    decltype(cuptiActivityPopExternalCorrelationId)* pop;
    decltype(cuptiGetResultString)* resultString;

    Cupti() {
        library.find(version, "cuptiGetVersion");
        library.find(subscribe, "cuptiSubscribe");
        library.find(unsubscribe, "cuptiUnsubscribe");
        library.find(setAttribute, "cuptiActivitySetAttribute");
        library.find(registerTimestamps, "cuptiActivityRegisterTimestampCallback");
        library.find(registerCallbacks, "cuptiActivityRegisterCallbacks");
        library.find(enable, "cuptiActivityEnable");
        library.find(enableRuntime, "cuptiActivityEnableRuntimeApi");
        library.find(enableDriver, "cuptiActivityEnableDriverApi");
        library.find(disable, "cuptiActivityDisable");
        library.find(flushAll, "cuptiActivityFlushAll");
        library.find(nextRecord, "cuptiActivityGetNextRecord");
        library.find(droppedRecords, "cuptiActivityGetNumDroppedRecords");
        library.find(push, "cuptiActivityPushExternalCorrelationId");
        library.find(pop, "cuptiActivityPopExternalCorrelationId");
        library.find(resultString, "cuptiGetResultString");
    }

    void check(CUptiResult result, const char* what) const {
        if (result == CUPTI_SUCCESS) return;
        if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
            throw Refusal(
                "another profiler (Nsight, cuda-gdb) uses CUPTI; times come from CUDA events until it ends");
        if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
            throw Refusal(
                "this user may not trace GPUs; an administrator can set the driver option "
                "NVreg_RestrictProfilingToAdminUsers=0");
        const char* cause = "unknown";
        resultString(result, &cause);
        throw std::runtime_error(std::string("CUPTI: ") + cause + " (" + what + ")");
    }
};

struct TraceBuffer {
    std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(kBufferBytes / sizeof(std::uint64_t));
    std::size_t valid_bytes = 0;
    std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(memory.data()); }
};

// The buffers that CUPTI does not hold: free ones, and complete ones that wait to be read.
class Buffers {
public:
    TraceBuffer* take() {
        {
            const std::lock_guard lock(mutex_);
            if (!free_.empty()) return pop(free_);
        }
        return new TraceBuffer;
    }
    void complete(TraceBuffer* buffer) {
        const std::lock_guard lock(mutex_);
        complete_.push_back(buffer);
    }
    std::vector<TraceBuffer*> takeComplete() {
        const std::lock_guard lock(mutex_);
        return std::exchange(complete_, {});
    }
    void giveBack(TraceBuffer* buffer) {
        const std::lock_guard lock(mutex_);
        free_.push_back(buffer);
    }

private:
    static TraceBuffer* pop(std::vector<TraceBuffer*>& list) {
        TraceBuffer* const last = list.back();
        list.pop_back();
        return last;
    }
    std::mutex mutex_;
    std::vector<TraceBuffer*> free_, complete_;
};

// CUPTI may call until the process ends, so the buffers are never destroyed.
Buffers& buffers() {
    static Buffers* const only = new Buffers;
    return *only;
}

// CUPTI identifies a buffer by its memory; the buffer's own address stands in the word before it.
constexpr std::size_t kHeaderBytes = sizeof(TraceBuffer*);

std::uint64_t CUPTIAPI monotonicNow() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000U + static_cast<std::uint64_t>(now.tv_nsec);
}

void CUPTIAPI bufferRequested(std::uint8_t** memory, std::size_t* bytes, std::size_t* greatest_records) {
    TraceBuffer* const buffer = buffers().take();
    *reinterpret_cast<TraceBuffer**>(buffer->data()) = buffer;
    *memory = buffer->data() + kHeaderBytes;
    *bytes = kBufferBytes - kHeaderBytes;
    *greatest_records = 0;
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* memory, std::size_t,
                              std::size_t valid_bytes) {
    TraceBuffer* const buffer = *reinterpret_cast<TraceBuffer**>(memory - kHeaderBytes);
    buffer->valid_bytes = valid_bytes;
    buffers().complete(buffer);
}

// CUPTI requires a callback of its subscriber; none is enabled.
void CUPTIAPI nothing(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

BscopeTraceRecord span(int kind, std::uint32_t correlation, std::uint64_t start, std::uint64_t end,
                       std::uint64_t bytes, std::uint32_t device, std::uint32_t stream, const char* name) {
    return {.kind = kind,
            .correlation = correlation,
            .external = 0,
            .start_ns = static_cast<std::int64_t>(start),
            .end_ns = static_cast<std::int64_t>(end),
            .bytes = bytes,
            .device = device,
            .stream = stream,
            .name = name};
}

// False for a span of which CUPTI could not take the times.
bool handOver(const CUpti_Activity& any, BscopeTraceHandler handler, void* context) {
    BscopeTraceRecord record{};
    switch (any.kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(any);
            record = span(BSCOPE_KERNEL, kernel.correlationId, kernel.start, kernel.end, 0, kernel.deviceId,
                          kernel.streamId, kernel.name);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(any);
            record = span(BSCOPE_COPY, copy.correlationId, copy.start, copy.end, copy.bytes, copy.deviceId,
                          copy.streamId, nullptr);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(any);
            record = span(BSCOPE_FILL, fill.correlationId, fill.start, fill.end, fill.bytes, fill.deviceId,
                          fill.streamId, nullptr);
            break;
        }
        case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
            const auto& pair = reinterpret_cast<const CUpti_ActivityExternalCorrelation&>(any);
            record.kind = BSCOPE_CORRELATION;
            record.correlation = pair.correlationId;
            record.external = pair.externalId;
            break;
        }
        default:  // calls: enabled because the correlation needs them, of libraries the driver's too
            return true;
    }
    if (record.kind != BSCOPE_CORRELATION && (record.start_ns == 0 || record.end_ns < record.start_ns))
        return false;
    handler(context, &record);
    return true;
}

class Tracer {
public:
    std::uint32_t version() const {
        std::uint32_t version = 0;
        cupti_.check(cupti_.version(&version), "version");
        return version;
    }

    void start() {
        const std::lock_guard lock(mutex_);
        if (users_ > 0) {
            ++users_;
            return;
        }
        if (subscriber_ == nullptr) subscribe();
        try {
            for (const CUpti_ActivityKind kind : kKinds) cupti_.check(cupti_.enable(kind), "enable");
            for (const CUpti_CallbackId call : kRuntimeCalls)
                cupti_.check(cupti_.enableRuntime(call, 1), "calls");
            for (const CUpti_CallbackId call : kDriverCalls)
                cupti_.check(cupti_.enableDriver(call, 1), "calls");
        } catch (...) {
            disable();
            throw;
        }
        users_ = 1;
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        if (users_ > 0 && --users_ == 0) disable();
    }

    void push(std::uint64_t external) {
        cupti_.check(cupti_.push(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, external), "push");
    }
    void pop() {
        std::uint64_t last = 0;
        cupti_.check(cupti_.pop(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last), "pop");
    }

    std::uint64_t drain(BscopeTraceHandler handler, void* context) {
        cupti_.check(cupti_.flushAll(0), "flush");
        std::uint64_t untimed = 0;
        for (TraceBuffer* const buffer : buffers().takeComplete()) {
            CUpti_Activity* record = nullptr;
            while (cupti_.nextRecord(buffer->data() + kHeaderBytes, buffer->valid_bytes, &record) ==
                   CUPTI_SUCCESS)
                untimed += handOver(*record, handler, context) ? 0 : 1;
            buffers().giveBack(buffer);
        }
        std::size_t dropped = 0;
        cupti_.check(cupti_.droppedRecords(nullptr, 0, &dropped), "dropped records");
        return dropped + untimed;
    }

private:
    // Device times are converted to this clock, which has to be registered before any kind is enabled.
    void subscribe() {
        CUpti_SubscriberHandle made = nullptr;
        cupti_.check(cupti_.subscribe(&made, &nothing, nullptr), "subscribe");
        try {
            // Not a buffer for every thread, of which NCCL begins one for each exchange (cupti_activity.h:
            // before buffers are registered).
            std::uint8_t per_thread = 0;
            std::size_t bytes = sizeof(per_thread);
            cupti_.check(
                cupti_.setAttribute(CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, &bytes, &per_thread),
                "one buffer for all threads");
            cupti_.check(cupti_.registerTimestamps(&monotonicNow), "clock");
            cupti_.check(cupti_.registerCallbacks(&bufferRequested, &bufferCompleted), "buffers");
        } catch (...) {
            cupti_.unsubscribe(made);
            throw;
        }
        subscriber_ = made;
    }

    void disable() {
        for (const CUpti_CallbackId call : kRuntimeCalls) cupti_.enableRuntime(call, 0);
        for (const CUpti_CallbackId call : kDriverCalls) cupti_.enableDriver(call, 0);
        for (const CUpti_ActivityKind kind : kKinds) cupti_.disable(kind);
    }

    Cupti cupti_;
    std::mutex mutex_;  // of start and stop only
    CUpti_SubscriberHandle subscriber_ = nullptr;
    int users_ = 0;  // calls of start without their stop
};

Tracer& tracer() {
    static Tracer* const only = new Tracer;
    return *only;
}

BscopeError traceVersion(uint32_t* version) {
    return guarded([&] { *version = tracer().version(); });
}
BscopeError traceStart() {
    return guarded([] { tracer().start(); });
}
BscopeError traceStop() {
    return guarded([] { tracer().stop(); });
}
BscopeError tracePush(uint64_t external) {
    return guarded([&] { tracer().push(external); });
}
BscopeError tracePop() {
    return guarded([] { tracer().pop(); });
}
BscopeError traceDrain(BscopeTraceHandler handler, void* context, uint64_t* dropped) {
    return guarded([&] { *dropped = tracer().drain(handler, context); });
}

}  // namespace

void addTracer(BscopePlugin& plugin) {
    plugin.trace_version = &traceVersion;
    plugin.trace_start = &traceStart;
    plugin.trace_stop = &traceStop;
    plugin.trace_push = &tracePush;
    plugin.trace_pop = &tracePop;
    plugin.trace_drain = &traceDrain;
}

}  // namespace bscope::cuda
