#include "app/recording/replay_loader.h"

#include "app/history/stream_reader.h"
#include "wire/recording.h"

namespace bscope::ui {

Replayer::Loaded Replayer::Loader::load(const QString& path, const RecordingReader::Progress& progress) {
    Loaded loaded;
    Loader loader;
    try {
        RecordingReader reader(path.toStdString());
        if (!reader.readAll([&loader](const wire::Message& message) { loader.add(message); }, progress))
            return loaded;
        loaded.warning = reader.warning();
        loaded.whole_bytes = reader.wholeBytes();
    } catch (const WireError& error) {
        loaded.error = error.said;
    }
    loader.beginWithTheFirstEvent();
    std::stable_sort(loader.steps_.begin(), loader.steps_.end(),
                     [](const Step& a, const Step& b) { return a.time_ns < b.time_ns; });
    loaded.steps = std::move(loader.steps_);
    loaded.notes = std::move(loader.notes_);
    return loaded;
}

void Replayer::Loader::add(const wire::Message& message) {
    if (message.has_iteration_start()) {
        boundary(startWithOrder(message.iteration_start()));
        notes_.startedFrom(message.iteration_start().iteration());
    }
    if (message.has_iteration_report()) boundary(fromWire(message.iteration_report()));
    if (message.has_promise()) steps_.push_back({latest_ns_, fromWire(message.promise())});
    if (message.has_note()) notes_.take(fromWire(message.note()));
    if (message.has_events())
        for (const Event& e : fromWire(message.events())) event(e);
    if (message.has_kernels())
        steps_.push_back({latest_ns_, fromWire(message.kernels())});  // after their boxes
    if (message.has_memory())
        for (const MemoryPoint& point : fromWire(message.memory()))
            steps_.push_back({std::max(point.time_ns, floor_ns_), point});
}

// A recording that was begun in the middle of a run says what was in force from an earlier time.
void Replayer::Loader::beginWithTheFirstEvent() {
    std::optional<std::int64_t> first_ns;
    for (const Step& step : steps_)
        if (const auto* event = std::get_if<Event>(&step.what))
            first_ns = std::min(first_ns.value_or(event->start_ns), event->start_ns);
    if (!first_ns) return;
    for (Step& step : steps_) step.time_ns = std::max(step.time_ns, *first_ns);
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
