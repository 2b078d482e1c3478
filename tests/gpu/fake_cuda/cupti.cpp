// CUPTI of the fake: one subscriber, one shared list of records or one a thread, external ids of the calling
// thread. A buffer is handed over by a thread of CUPTI's own, and only when nothing it may still get a record
// for is under way.
#include <cupti.h>

#include <cstring>
#include <string>
#include <thread>

#include "fake.h"

using namespace fake;

namespace {

struct Buffer {
    std::uint8_t* memory = nullptr;
    std::size_t bytes = 0, used = 0;
};

struct Cupti {
    bool subscribed = false;
    bool registered = false, per_thread = true;
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    CUpti_TimestampCallbackFunc now = nullptr;
    std::set<CUpti_ActivityKind> kinds;
    std::map<CUpti_CallbackId, bool> runtime, driver;  // those that differ from their kind
    std::map<std::uint64_t, Buffer> current;           // by thread; one at 0 when shared
    std::vector<Buffer> full;
    std::uint32_t calls = 0;
    std::uint64_t under_way = 0;
    std::map<std::uint64_t, std::vector<std::uint64_t>> pushed;  // by thread
    std::size_t dropped = 0;
};

Cupti& cupti() {
    static Cupti* const only = new Cupti;
    return *only;
}

bool isTraced(CUpti_ActivityKind kind) {
    return cupti().kinds.contains(kind);
}

bool isCallTraced(CUpti_ActivityKind kind, const std::map<CUpti_CallbackId, bool>& single,
                  CUpti_CallbackId call) {
    const auto found = single.find(call);
    return found != single.end() ? found->second : isTraced(kind);
}

// The record's room in the thread's buffer; null when there is none.
template <class Record>
Record* make(CUpti_ActivityKind kind) {
    Cupti& self = cupti();
    const std::uint64_t owner = self.per_thread ? World::only().thread().number : 0;
    Buffer& buffer = self.current[owner];
    if (buffer.memory && buffer.used + sizeof(Record) > buffer.bytes)
        self.full.push_back(std::exchange(buffer, {}));
    if (!buffer.memory) {
        std::size_t most = 0;
        std::thread([&] { self.request(&buffer.memory, &buffer.bytes, &most); }).join();
        if (!buffer.memory) {
            ++self.dropped;
            return nullptr;
        }
        buffer.used = 0;
    }
    auto* const record = reinterpret_cast<Record*>(buffer.memory + buffer.used);
    std::memset(record, 0, sizeof(Record));
    record->kind = kind;
    buffer.used += sizeof(Record);
    return record;
}

struct Names {
    CUpti_CallbackId runtime, driver;
};
Names callsOf(Kind kind, const std::string& what) {
    if (what == "cudaGraphLaunch")
        return {CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch};
    // Libraries call the driver: cuBLASLt and NCCL have no runtime calls of their own here.
    if (what == "a product" || what == "a transfer") return {0, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx};
    switch (kind) {
        case Kind::Kernel:
            return {CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel};
        case Kind::Copy:
            return {CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync};
        case Kind::Fill:
            return {CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async};
        default:
            return {CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, CUPTI_DRIVER_TRACE_CBID_cuEventRecord};
    }
}

std::uint32_t called(Kind kind, const char* what) {
    Cupti& self = cupti();
    const std::uint32_t number = ++self.calls;
    if (self.kinds.empty()) return number;
    const Names names = callsOf(kind, what);
    const bool by_runtime =
        names.runtime != 0 && isCallTraced(CUPTI_ACTIVITY_KIND_RUNTIME, self.runtime, names.runtime);
    const bool by_driver = isCallTraced(CUPTI_ACTIVITY_KIND_DRIVER, self.driver, names.driver);
    if (by_runtime)
        if (auto* const record = make<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME))
            record->correlationId = number;
    if (by_driver)
        if (auto* const record = make<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_DRIVER))
            record->correlationId = number;
    const auto& ids = self.pushed[World::only().thread().number];
    if (!ids.empty() && (by_runtime || by_driver) && isTraced(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
        if (auto* const record =
                make<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION)) {
            record->externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
            record->externalId = ids.back();
            record->correlationId = number;
        }
    return number;
}

void ran(const Operation& operation, const Stream& stream, std::int64_t) {
    const auto fill = [&](auto* record) {
        if (!record) return;
        record->start = static_cast<std::uint64_t>(operation.start_ns);
        record->end = cupti().now ? cupti().now() : static_cast<std::uint64_t>(monotonic_ns());
        record->correlationId = operation.correlation;
        record->deviceId = static_cast<std::uint32_t>(stream.device->index);
        record->streamId = static_cast<std::uint32_t>(stream.number);
    };
    switch (operation.traced.kind) {
        case Kind::Kernel:
            if (!isTraced(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) return;
            if (auto* const record = make<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
                fill(record);
                record->name = operation.traced.name;
            }
            return;
        case Kind::Copy:
            if (!isTraced(CUPTI_ACTIVITY_KIND_MEMCPY)) return;
            if (auto* const record = make<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY)) {
                fill(record);
                record->bytes = operation.traced.bytes;
            }
            return;
        case Kind::Fill:
            if (!isTraced(CUPTI_ACTIVITY_KIND_MEMSET)) return;
            if (auto* const record = make<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET)) {
                fill(record);
                record->bytes = operation.traced.bytes;
            }
            return;
        default:
            return;
    }
}

void handOver(const Buffer& buffer) {
    std::thread([&] { cupti().complete(nullptr, 0, buffer.memory, buffer.bytes, buffer.used); }).join();
}

std::size_t sizeOf(const CUpti_Activity& record) {
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            return sizeof(CUpti_ActivityKernel10);
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            return sizeof(CUpti_ActivityMemcpy6);
        case CUPTI_ACTIVITY_KIND_MEMSET:
            return sizeof(CUpti_ActivityMemset4);
        case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
            return sizeof(CUpti_ActivityExternalCorrelation);
        default:
            return sizeof(CUpti_ActivityAPI);
    }
}

bool isMissing(World& world, const char* call) {
    if (cupti().subscribed) return false;
    world.broken(std::string(call) + " before cuptiSubscribe");
    return true;
}

}  // namespace

extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t* version) {
    *version = static_cast<std::uint32_t>(setting("BSCOPE_FAKE_CUPTI", CUPTI_API_VERSION));
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
    *text = "an error (fake)";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* made, CUpti_CallbackFunc callback, void*) {
    FAKE_ENTER;
    if (!callback) return CUPTI_ERROR_INVALID_PARAMETER;
    if (cupti().subscribed || setting("BSCOPE_FAKE_NO_CUPTI", 0) != 0)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    cupti().subscribed = true;
    world.called = &called;
    world.ran = &ran;
    *made = reinterpret_cast<CUpti_SubscriberHandle>(&cupti());
    return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
    FAKE_ENTER;
    isMissing(world, __func__);
    cupti().subscribed = false;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, std::size_t* bytes, void* value) {
    FAKE_ENTER;
    if (attribute != CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER) return CUPTI_SUCCESS;
    if (cupti().registered || !cupti().kinds.empty())
        world.broken(
            "cuptiActivitySetAttribute: buffers per thread, after buffers were registered or a kind enabled");
    if (*bytes != sizeof(std::uint8_t)) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    cupti().per_thread = *static_cast<std::uint8_t*>(value) != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc now) {
    FAKE_ENTER;
    if (!cupti().kinds.empty())
        world.broken("cuptiActivityRegisterTimestampCallback after a kind was enabled");
    cupti().now = now;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
    FAKE_ENTER;
    if (!request || !complete) return CUPTI_ERROR_INVALID_PARAMETER;
    if (cupti().per_thread)
        world.broken("CUPTI keeps a buffer for every thread, and NCCL begins a thread an exchange");
    cupti().request = request;
    cupti().complete = complete;
    cupti().registered = true;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
    FAKE_ENTER;
    if (!cupti().registered) world.broken("cuptiActivityEnable before buffers are registered");
    if (kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER)
        world.broken("cuptiActivityEnable: a record for every call of CUDA, of which few are asked for");
    if (kind == CUPTI_ACTIVITY_KIND_RUNTIME) cupti().runtime.clear();  // overrides single calls (header)
    if (kind == CUPTI_ACTIVITY_KIND_DRIVER) cupti().driver.clear();
    cupti().kinds.insert(kind);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
    FAKE_ENTER;
    if (cupti().kinds.erase(kind) == 0) world.broken("cuptiActivityDisable of a kind that is not enabled");
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId call, std::uint8_t enable) {
    FAKE_ENTER;
    if (!cupti().registered) world.broken("cuptiActivityEnableRuntimeApi before buffers are registered");
    cupti().runtime[call] = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnableDriverApi(CUpti_CallbackId call, std::uint8_t enable) {
    FAKE_ENTER;
    if (!cupti().registered) world.broken("cuptiActivityEnableDriverApi before buffers are registered");
    cupti().driver[call] = enable != 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t flag) {
    FAKE_ENTER;
    Cupti& self = cupti();
    if (isMissing(world, __func__)) return CUPTI_ERROR_NOT_INITIALIZED;
    for (const Buffer& buffer : std::exchange(self.full, {})) handOver(buffer);
    bool idle = true;
    for (const auto& device : world.devices)
        for (const Stream* stream : device->streams) idle = idle && stream->queue.empty();
    if (!idle && (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) == 0) return CUPTI_SUCCESS;
    for (auto& [owner, buffer] : self.current)
        if (buffer.memory) handOver(std::exchange(buffer, {}));
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record) {
    auto* const next = *record ? reinterpret_cast<std::uint8_t*>(*record) + sizeOf(**record) : buffer;
    if (next >= buffer + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(next);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
    FAKE_ENTER;
    *dropped = std::exchange(cupti().dropped, 0);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t id) {
    FAKE_ENTER;
    cupti().pushed[world.thread().number].push_back(id);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t* last) {
    FAKE_ENTER;
    auto& ids = cupti().pushed[world.thread().number];
    if (ids.empty()) {
        world.broken("cuptiActivityPopExternalCorrelationId: nothing was pushed by this thread");
        return CUPTI_ERROR_QUEUE_EMPTY;
    }
    *last = ids.back();
    ids.pop_back();
    return CUPTI_SUCCESS;
}

}  // extern "C"
