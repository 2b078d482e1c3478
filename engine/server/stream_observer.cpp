#include "server/stream_observer.h"

#include <algorithm>

#include "wire/convert.h"

namespace bscope {

void StreamObserver::iterationStarted(const IterationStart& start) {
    wire::Message message;
    *message.mutable_iteration_start() = toWire(start);
    sink_(makeFrame(message));
}

void StreamObserver::events(int rank, std::span<const Event> events) {
    for (; !events.empty(); events = events.subspan(std::min(events.size(), kEventsPerBatch))) {
        wire::Message message;
        *message.mutable_events() = toWire(rank, events.first(std::min(events.size(), kEventsPerBatch)));
        sink_(makeFrame(message));
    }
}

void StreamObserver::memory(int rank, std::span<const MemoryPoint> points) {
    for (; !points.empty(); points = points.subspan(std::min(points.size(), kEventsPerBatch))) {
        wire::Message message;
        *message.mutable_memory() = toWire(rank, points.first(std::min(points.size(), kEventsPerBatch)));
        sink_(makeFrame(message));
    }
}

void StreamObserver::kernels(int rank, std::span<const KernelEvent> kernels) {
    for (std::size_t first = 0; first < kernels.size(); first += kEventsPerBatch) {
        wire::Message message;
        *message.mutable_kernels() = toWire(rank, kernels, first);
        sink_(makeFrame(message));
    }
}

void StreamObserver::watermark(std::int64_t time_ns) {
    wire::Message message;
    message.mutable_watermark()->set_time_ns(time_ns);
    sink_(makeFrame(message));
}

void StreamObserver::iterationFinished(const IterationReport& report) {
    wire::Message message;
    *message.mutable_iteration_report() = toWire(report);
    sink_(makeFrame(message));
}

}  // namespace bscope
