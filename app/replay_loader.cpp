#include "replay_loader.h"

#include "wire/recording.h"

namespace bscope::ui {

Replayer::Loaded Replayer::Loader::load(const QString& path) {
    Loaded loaded;
    Loader loader;
    try {
        RecordingReader reader(path.toStdString());
        reader.readAll([&loader](const wire::Message& message) { loader.add(message); });
        loaded.warning = QString::fromStdString(reader.warning());
    } catch (const WireError& error) {
        loaded.error = QString::fromUtf8(error.what());
    }
    std::stable_sort(loader.steps_.begin(), loader.steps_.end(),
                     [](const Step& a, const Step& b) { return a.time_ns < b.time_ns; });
    loaded.steps = std::move(loader.steps_);
    return loaded;
}

void Replayer::Loader::add(const wire::Message& message) {
    if (message.has_iteration_start()) boundary(fromWire(message.iteration_start()));
    if (message.has_iteration_report()) boundary(fromWire(message.iteration_report()));
    if (message.has_events())
        for (const Event& e : fromWire(message.events())) event(e);
    if (message.has_kernels())
        steps_.push_back({latest_ns_, fromWire(message.kernels())});  // after their boxes
    if (message.has_memory())
        for (const MemoryPoint& point : fromWire(message.memory()))
            steps_.push_back({std::max(point.time_ns, floor_ns_), point});
}

template <typename T>
void Replayer::Loader::boundary(const T& what) {
    floor_ns_ = latest_ns_;
    steps_.push_back({floor_ns_, what});
}

void Replayer::Loader::event(const Event& event) {
    std::int64_t& row_ns = row_ns_[{event.rank, isReceive(event.op)}];
    row_ns = std::max({row_ns, event.end_ns, floor_ns_});
    latest_ns_ = std::max(latest_ns_, row_ns);
    steps_.push_back({row_ns, event});
}

}  // namespace bscope::ui
