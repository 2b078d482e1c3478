// GPUs, memory, streams and events of the C interface.
#include <string>

#include "kernels/cuda/handles.h"
#include "kernels/cuda/plugin_parts.h"

struct BscopeEvent {
    BscopeDevice* device;
    cudaEvent_t event;
};

namespace bscope::cuda {

namespace {

BscopeError driverVersion(int32_t* version) {
    return guarded([&] { BSCOPE_CUDA_CHECK(cudaDriverGetVersion(version)); });
}

BscopeError deviceCount(int32_t* count) {
    return guarded([&] {
        const cudaError_t status = cudaGetDeviceCount(count);
        if (status == cudaErrorNoDevice) {
            static_cast<void>(cudaGetLastError());
            *count = 0;
            return;
        }
        BSCOPE_CUDA_CHECK(status);
    });
}

BscopeError describe(int32_t device, BscopeGpu* gpu) {
    return guarded([&] {
        cudaDeviceProp properties{};
        BSCOPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
        *gpu = {};
        std::string(properties.name).copy(gpu->name, sizeof(gpu->name) - 1);
        BSCOPE_CUDA_CHECK(cudaDeviceGetPCIBusId(gpu->bus_id, sizeof(gpu->bus_id), device));
        gpu->compute_major = properties.major;
        gpu->compute_minor = properties.minor;
        gpu->processors = properties.multiProcessorCount;
        gpu->total_bytes = properties.totalGlobalMem;
    });
}

BscopeError peer(int32_t from, int32_t to, BscopePeer* found) {
    return guarded([&] {
        int can_access = 0, rank = -1, atomics = 0;
        BSCOPE_CUDA_CHECK(cudaDeviceCanAccessPeer(&can_access, from, to));
        if (can_access != 0) {
            BSCOPE_CUDA_CHECK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, from, to));
            BSCOPE_CUDA_CHECK(
                cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
        }
        *found = {can_access, rank, atomics};
    });
}

BscopeError deviceOpen(int32_t device, BscopeDevice** opened) {
    return guarded([&] {
        BSCOPE_CUDA_CHECK(cudaSetDevice(device));
        cudaStream_t copies = nullptr;
        BSCOPE_CUDA_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
        *opened = new BscopeDevice{device, copies};
    });
}

void deviceClose(BscopeDevice* device) {
    cudaSetDevice(device->index);
    cudaStreamDestroy(device->copies);
    delete device;
}

BscopeError prepareThread(BscopeDevice* device) {
    return guarded([&] { device->enter(); });
}

BscopeError allocate(BscopeDevice* device, uint64_t bytes, void** memory, int32_t* out_of_memory) {
    return guarded([&] {
        *memory = nullptr;
        *out_of_memory = 0;
        if (bytes == 0) return;
        device->enter();
        const cudaError_t status = cudaMalloc(memory, bytes);
        *out_of_memory = status == cudaErrorMemoryAllocation ? 1 : 0;
        if (*out_of_memory != 0) cudaGetLastError();  // it is reported here; a later launch must not find it
        BSCOPE_CUDA_CHECK(status);
    });
}

void release(BscopeDevice* device, void* memory) {
    cudaSetDevice(device->index);
    cudaFree(memory);
}

BscopeError memoryUsed(BscopeDevice* device, uint64_t* bytes) {
    return guarded([&] {
        device->enter();
        std::size_t free_bytes = 0, total_bytes = 0;
        BSCOPE_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
        *bytes = total_bytes - free_bytes;
    });
}

BscopeError copy(BscopeDevice* device, void* to, const void* from, uint64_t bytes) {
    return guarded([&] {
        device->enter();
        BSCOPE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, device->copies));
        BSCOPE_CUDA_CHECK(cudaStreamSynchronize(device->copies));
    });
}

BscopeError fillZero(BscopeDevice* device, void* memory, uint64_t bytes) {
    return guarded([&] {
        device->enter();
        BSCOPE_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, device->copies));
        BSCOPE_CUDA_CHECK(cudaStreamSynchronize(device->copies));
    });
}

BscopeError streamOpen(BscopeDevice* device, int32_t urgent, BscopeStream** opened) {
    return guarded([&] {
        device->enter();
        int least = 0, greatest = 0;
        BSCOPE_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cudaStream_t stream = nullptr;
        BSCOPE_CUDA_CHECK(
            cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent != 0 ? greatest : least));
        *opened = new BscopeStream{device, stream};
    });
}

void streamClose(BscopeStream* stream) {
    cudaSetDevice(stream->device->index);
    cudaStreamDestroy(stream->stream);
    delete stream;
}

struct Moment {
    Moment() { BSCOPE_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
    Moment(const Moment&) = delete;
    Moment& operator=(const Moment&) = delete;
    ~Moment() { cudaEventDestroy(event); }
    cudaEvent_t event = nullptr;
};

// A stream that another thread captures into a graph must not be queried; an event may.
BscopeError streamSynchronize(BscopeStream* stream) {
    return guarded([&] {
        stream->device->enter();
        const Moment now;
        {
            const std::lock_guard lock(stream->capturing);
            BSCOPE_CUDA_CHECK(cudaEventRecord(now.event, stream->stream));
        }
        BSCOPE_CUDA_CHECK(cudaEventSynchronize(now.event));
    });
}

BscopeError streamWait(BscopeStream* stream, BscopeEvent* event) {
    return guarded([&] {
        stream->device->enter();
        BSCOPE_CUDA_CHECK(cudaStreamWaitEvent(stream->stream, event->event));
    });
}

// Of this thread only: others may allocate meanwhile.
BscopeError graphBegin(BscopeStream* stream) {
    return guarded([&] {
        stream->device->enter();
        std::unique_lock lock(stream->capturing);
        BSCOPE_CUDA_CHECK(cudaStreamBeginCapture(stream->stream, cudaStreamCaptureModeThreadLocal));
        stream->captured = true;
        lock.release();  // to graphEnd
    });
}

BscopeError graphEnd(BscopeStream* stream, BscopeGraph** made) {
    return guarded([&] {
        std::unique_lock lock(stream->capturing, std::adopt_lock);
        stream->captured = false;
        stream->device->enter();
        cudaGraph_t graph = nullptr;
        BSCOPE_CUDA_CHECK(cudaStreamEndCapture(stream->stream, &graph));
        lock.unlock();
        cudaGraphExec_t executable = nullptr;
        const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
        cudaGraphDestroy(graph);
        BSCOPE_CUDA_CHECK(status);
        *made = new BscopeGraph{stream->device, executable};
    });
}

BscopeError graphLaunch(BscopeGraph* graph, BscopeStream* stream) {
    return guarded([&] {
        stream->device->enter();
        BSCOPE_CUDA_CHECK(cudaGraphLaunch(graph->graph, stream->stream));
        stream->waitIfAsked();
    });
}

// One that runs is freed when it has run (driver manual, cuGraphExecDestroy).
void graphClose(BscopeGraph* graph) {
    cudaSetDevice(graph->device->index);
    cudaGraphExecDestroy(graph->graph);
    delete graph;
}

BscopeError eventOpen(BscopeDevice* device, BscopeEvent** opened) {
    return guarded([&] {
        device->enter();
        cudaEvent_t event = nullptr;
        BSCOPE_CUDA_CHECK(cudaEventCreate(&event));
        *opened = new BscopeEvent{device, event};
    });
}

void eventClose(BscopeEvent* event) {
    cudaSetDevice(event->device->index);
    cudaEventDestroy(event->event);
    delete event;
}

BscopeError eventRecord(BscopeEvent* event, BscopeStream* stream) {
    return guarded([&] {
        stream->device->enter();
        BSCOPE_CUDA_CHECK(cudaEventRecord(event->event, stream->stream));
    });
}

BscopeError eventDone(BscopeEvent* event, int32_t* done) {
    return guarded([&] {
        const cudaError_t status = cudaEventQuery(event->event);
        *done = status == cudaErrorNotReady ? 0 : 1;
        if (*done == 0)
            cudaGetLastError();  // no error; a later launch must not find it
        else
            BSCOPE_CUDA_CHECK(status);
    });
}

BscopeError eventElapsed(BscopeEvent* from, BscopeEvent* to, int64_t* elapsed_ns) {
    return guarded([&] {
        float milliseconds = 0;
        BSCOPE_CUDA_CHECK(cudaEventSynchronize(from->event));
        BSCOPE_CUDA_CHECK(cudaEventSynchronize(to->event));
        BSCOPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from->event, to->event));
        *elapsed_ns = static_cast<int64_t>(double{milliseconds} * 1e6);
    });
}

}  // namespace

void addMachine(BscopePlugin& plugin) {
    plugin.driver_version = &driverVersion;
    plugin.device_count = &deviceCount;
    plugin.describe = &describe;
    plugin.peer = &peer;
    plugin.device_open = &deviceOpen;
    plugin.device_close = &deviceClose;
    plugin.prepare_thread = &prepareThread;
    plugin.allocate = &allocate;
    plugin.release = &release;
    plugin.memory_used = &memoryUsed;
    plugin.copy = &copy;
    plugin.fill_zero = &fillZero;
    plugin.stream_open = &streamOpen;
    plugin.stream_close = &streamClose;
    plugin.stream_synchronize = &streamSynchronize;
    plugin.stream_wait = &streamWait;
    plugin.graph_begin = &graphBegin;
    plugin.graph_end = &graphEnd;
    plugin.graph_launch = &graphLaunch;
    plugin.graph_close = &graphClose;
    plugin.event_open = &eventOpen;
    plugin.event_close = &eventClose;
    plugin.event_record = &eventRecord;
    plugin.event_done = &eventDone;
    plugin.event_elapsed = &eventElapsed;
}

}  // namespace bscope::cuda
