// Streams and events of the fake runtime.
#include <algorithm>

#include "fake.h"

using namespace fake;

namespace {

// What a call of a captured stream's own kind may be, is judged by the call; this one is of no use while it
// is captured, in whatever mode (runtime manual, stream capture).
bool refusedByCapture(World& world, Stream& stream, const char* call) {
    if (!stream.captured) return false;
    world.broken(std::string(call) + " of a stream that is being captured");
    stream.capture_broken = true;
    return true;
}

// An event in a graph has no state (runtime manual, cudaEventQuery and others); asking loses the capture.
bool isCaptured(World& world, const Event& event, const char* call) {
    if (!event.captured) return false;
    world.broken(std::string(call) + " of an event that was recorded into a graph");
    for (Stream* const stream : world.capturing)
        if (stream == event.captured) stream->capture_broken = true;
    return true;
}

bool isGone(World& world, const std::set<const void*>& alive, const void* handle, const char* call) {
    if (alive.contains(handle)) return false;
    world.broken(std::string(call) + ": a handle that was destroyed, or never made");
    return true;
}

cudaError_t makeStream(cudaStream_t* made, unsigned flags, int priority, const char* call) {
    FAKE_ENTER;
    Device& on = world.current(call);
    if (on.fault != cudaSuccess) return world.result(on.fault, call);
    if (flags != cudaStreamNonBlocking)
        world.broken(std::string(call) + ": a stream that waits for the default one");
    static int numbers = 0;
    int row = 0;
    if (world.free_rows.empty()) {
        row = static_cast<int>(world.ticks.size());
        world.ticks.push_back(0);
    } else {
        row = world.free_rows.back();
        world.free_rows.pop_back();
    }
    auto* const stream = new Stream{
        .device = &on, .number = ++numbers, .row = row, .priority = priority, .clock = {}, .queue = {}};
    world.streams.insert(stream);
    on.streams.push_back(stream);
    *made = reinterpret_cast<cudaStream_t>(stream);
    return cudaSuccess;
}

cudaError_t makeEvent(cudaEvent_t* made, unsigned flags, const char* call) {
    FAKE_ENTER;
    Device& on = world.current(call);
    if (on.fault != cudaSuccess) return world.result(on.fault, call);
    auto* const event =
        new Event{.device = &on, .timing = (flags & cudaEventDisableTiming) == 0, .last = nullptr};
    world.events.insert(event);
    *made = reinterpret_cast<cudaEvent_t>(event);
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
    return makeStream(made, flags, 0, __func__);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* made, unsigned flags, int priority) {
    return makeStream(made, flags, std::clamp(priority, -5, 0), __func__);
}

// What it still has to do is done (runtime manual); the handle is gone at once.
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    FAKE_ENTER;
    if (isGone(world, world.streams, of(handle), __func__)) return cudaErrorInvalidResourceHandle;
    Stream& stream = *of(handle);
    refusedByCapture(world, stream, __func__);
    while (!stream.queue.empty() && world.advance()) {
    }
    if (!stream.queue.empty() && stream.device->fault == cudaSuccess)
        world.broken("cudaStreamDestroy of a stream in which something still waits");
    std::erase(world.capturing, &stream);
    auto& all = stream.device->streams;
    all.erase(std::find(all.begin(), all.end(), &stream));
    world.streams.erase(&stream);
    world.free_rows.push_back(stream.row);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    FAKE_ENTER;
    if (isGone(world, world.streams, of(handle), __func__)) return cudaErrorInvalidResourceHandle;
    Stream& stream = *of(handle);
    if (refusedByCapture(world, stream, __func__))
        return world.result(cudaErrorStreamCaptureUnsupported, __func__);
    const std::uint64_t until = stream.handed;
    const Clock clock = stream.clock;
    world.advanceUntil(
        lock, [&] { return stream.done >= until; }, "cudaStreamSynchronize");
    join(world.host, clock);
    return world.result(stream.device->fault, __func__);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
    FAKE_ENTER;
    if (isGone(world, world.streams, of(handle), __func__) ||
        isGone(world, world.events, of(event_handle), __func__))
        return cudaErrorInvalidResourceHandle;
    Stream& stream = *of(handle);
    const Event& event = *of(event_handle);
    if (event.captured) {
        if (event.captured == &stream) return cudaSuccess;
        world.broken("cudaStreamWaitEvent: a stream joins the capture of another one, which is unknown here");
        return world.result(cudaErrorNotSupported, __func__);
    }
    const auto record = event.last;
    if (!record) return cudaSuccess;  // never recorded: nothing to wait for (runtime manual)
    if (stream.captured) {
        world.broken("cudaStreamWaitEvent: a captured stream waits for one that is not captured");
        stream.capture_broken = true;
        return world.result(cudaErrorStreamCaptureIsolation, __func__);
    }
    join(stream.clock, record->clock);
    Operation wait{.what = "a wait", .ready = [record] { return record->done; }, .processors = 0};
    return world.result(world.hand(stream, std::move(wait)), __func__);
}

cudaError_t cudaEventCreate(cudaEvent_t* made) {
    return makeEvent(made, cudaEventDefault, __func__);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned flags) {
    return makeEvent(made, flags, __func__);
}

// Legal before it has come: it is then freed when it has (runtime manual).
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    FAKE_ENTER;
    if (isGone(world, world.events, of(handle), __func__)) return cudaErrorInvalidResourceHandle;
    world.events.erase(of(handle));
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
    FAKE_ENTER;
    if (isGone(world, world.streams, of(stream_handle), __func__) ||
        isGone(world, world.events, of(handle), __func__))
        return cudaErrorInvalidResourceHandle;
    Stream& stream = *of(stream_handle);
    Event& event = *of(handle);
    if (event.device != stream.device) {
        world.broken("cudaEventRecord: event and stream are of different GPUs");
        return world.result(cudaErrorInvalidResourceHandle, __func__);
    }
    if (world.thread().device != stream.device->index)
        world.broken("cudaEventRecord: the current GPU is not the stream's");
    event.captured = stream.captured ? &stream : nullptr;
    if (stream.captured)  // it stands for a place in the graph, and for no time
        return world.result(stream.capture_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess,
                            __func__);
    const auto record = std::make_shared<Event::Record>();
    record->stream = &stream;
    event.last = record;
    const cudaError_t error = world.hand(stream, {.what = "an event",
                                                  .run =
                                                      [record, &world] {
                                                          record->done = true;
                                                          record->time_ns = monotonic_ns();
                                                          record->order = ++world.completions;
                                                      },
                                                  .processors = 0});
    record->clock = stream.clock;
    return world.result(error, __func__);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    FAKE_ENTER;
    if (isGone(world, world.events, of(handle), __func__)) return cudaErrorInvalidResourceHandle;
    const Event& event = *of(handle);
    if (isCaptured(world, event, __func__)) return world.result(cudaErrorCapturedEvent, __func__);
    if (event.device->fault != cudaSuccess) return world.result(event.device->fault, __func__);
    if (!event.last) return cudaSuccess;
    for (int i = 0; i < 16 && !event.last->done && world.advance(); ++i) {
    }
    if (event.device->fault != cudaSuccess) return world.result(event.device->fault, __func__);
    if (!event.last->done) return world.result(cudaErrorNotReady, __func__);
    join(world.host, event.last->clock);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    FAKE_ENTER;
    if (isGone(world, world.events, of(handle), __func__)) return cudaErrorInvalidResourceHandle;
    const Event& event = *of(handle);
    if (isCaptured(world, event, __func__)) return world.result(cudaErrorCapturedEvent, __func__);
    const auto record = event.last;
    if (!record) return cudaSuccess;
    world.advanceUntil(
        lock, [&] { return record->done || event.device->fault != cudaSuccess; }, "cudaEventSynchronize");
    join(world.host, record->clock);
    return world.result(event.device->fault, __func__);
}

// What the manual calls start is the earlier one.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from_handle, cudaEvent_t to_handle) {
    FAKE_ENTER;
    const Event &from = *of(from_handle), &to = *of(to_handle);
    for (const Event* each : {&from, &to})
        if (isCaptured(world, *each, __func__)) return world.result(cudaErrorCapturedEvent, __func__);
    if (!from.last || !to.last || !from.timing || !to.timing || from.device != to.device) {
        world.broken(
            "cudaEventElapsedTime: an event that was never recorded, is not timed, or of another GPU");
        return world.result(cudaErrorInvalidResourceHandle, __func__);
    }
    if (!from.last->done || !to.last->done) return world.result(cudaErrorNotReady, __func__);
    if (to.last->order < from.last->order) world.broken("cudaEventElapsedTime: the start came after the end");
    *milliseconds = static_cast<float>(to.last->time_ns - from.last->time_ns) / 1e6F;
    return cudaSuccess;
}

}  // extern "C"
