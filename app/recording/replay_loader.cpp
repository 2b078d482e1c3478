#include "app/recording/replay_loader.h"

#include "view/stream_reader.h"
#include "wire/recording.h"

namespace bscope::ui {

namespace {

// Without the file's name, which stands before it where it is shown.
Sentence reasonOf(const Sentence& said, const QString& path) {
    const std::vector<Argument>& parts = said.arguments;
    if (parts.size() != 2 || parts[0].text != path.toStdString()) return said;
    return parts[1].words.empty() ? sentence("{0}", parts[1].text) : parts[1].words.front();
}

}  // namespace

Replayer::Loaded Replayer::Loader::load(const QString& path, const RecordingReader::Progress& progress,
                                        const TakePart& take_part) {
    Loader loader;
    Loaded& loaded = loader.loaded_;
    try {
        RecordingReader reader(path.toStdString());
        loaded.framing = reader.framing();
        const Sentence without_checksums = reader.withoutChecksums();
        if (!without_checksums.empty()) loader.audit_.lacksChecksums();
        std::uint64_t next_part = kFirstPartBytes;
        const auto take = [&](const wire::Message& message) {
            loader.add(message);
            loaded.whole_bytes = reader.wholeBytes();
            if (!take_part || !message.has_iteration_report() || loaded.whole_bytes < next_part) return;
            next_part = loaded.whole_bytes * kPartGrowth;
            take_part(loader.inOrder(loaded));
        };
        if (!reader.readAll(take, progress)) return {};
        loaded.warning = reader.warning();
        loaded.contradictions = loader.audit_.sentences(iterationNumber(0, false));
        if (!without_checksums.empty())
            loaded.contradictions.insert(loaded.contradictions.begin(), without_checksums);
        loaded.whole_bytes = reader.wholeBytes();
    } catch (const WireError& error) {
        loaded.error = reasonOf(error.said, path);
    }
    return loader.inOrder(std::move(loaded));
}

// A recording that was begun in the middle of a run says what was in force from an earlier time.
Replayer::Loaded Replayer::Loader::inOrder(Loaded loaded) const {
    if (first_ns_) loaded.steps.beginAt(*first_ns_);
    loaded.steps.sort();
    return loaded;
}

void Replayer::Loader::add(const wire::Message& message) {
    if (message.has_iteration_start()) {
        const std::int32_t iteration = message.iteration_start().iteration();
        boundary(audit_.started(startWithOrder(message.iteration_start())));
        loaded_.notes.startedFrom(iteration);
        if (loaded_.first_started < 0) loaded_.first_started = iteration;
        loaded_.last_reported = iteration - 1;  // what was recorded of later ones is void
    }
    if (message.has_iteration_report()) boundary(audit_.finished(fromWire(message.iteration_report())));
    if (message.has_promise()) loaded_.steps.add(latest_ns_, fromWire(message.promise()));
    if (message.has_note()) loaded_.notes.take(fromWire(message.note()));
    if (message.has_events())
        for (const Event& e : audit_.events(fromWire(message.events()))) event(e);
    if (message.has_kernels()) kernels(fromWire(message.kernels()));
    if (message.has_memory())
        for (const MemoryPoint& point : audit_.memory(fromWire(message.memory())))
            loaded_.steps.add(std::max(point.time_ns, floor_ns_), point);
}

template <typename T>
void Replayer::Loader::boundary(const T& what) {
    floor_ns_ = latest_ns_;
    if (loaded_.steps.unsorted() >= kSortedTogether) loaded_.steps.sort();
    loaded_.steps.add(floor_ns_, what);
}

void Replayer::Loader::event(const Event& event) {
    const Row row{event.rank, isReceive(event.op)};
    if (row_ == row_ns_.end() || row_->first != row) row_ = row_ns_.try_emplace(row).first;
    std::int64_t& row_ns = row_->second;
    row_ns = std::max({row_ns, event.end_ns, floor_ns_});
    latest_ns_ = std::max(latest_ns_, row_ns);
    first_ns_ = std::min(first_ns_.value_or(event.start_ns), event.start_ns);
    loaded_.last_reported = std::max(loaded_.last_reported, event.iteration);
    loaded_.steps.add(row_ns, event);
}

void Replayer::Loader::kernels(KernelPart part) {
    audit_.kernels(part);
    loaded_.steps.add(latest_ns_, std::move(part));  // after their boxes
}

}  // namespace bscope::ui
