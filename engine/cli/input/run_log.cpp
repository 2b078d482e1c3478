#include "cli/input/run_log.h"

#include <algorithm>
#include <limits>

#include "timeline/stream_pieces.h"
#include "view/view_data.h"
#include "wire/convert.h"
#include "wire/recording.h"
#include "words/sentence_error.h"

namespace bscope::cli {

// What is there from that iteration on is void.
template <class T>
void RunLog::dropFrom(std::int32_t iteration, std::vector<T>& by_iteration) {
    while (++revisited_, !by_iteration.empty() && by_iteration.back().iteration >= iteration)
        by_iteration.pop_back();
}

void RunLog::iterationStarted(const IterationStart& start) {
    const std::lock_guard lock(mutex_);
    dropFrom(start.iteration, starts_);
    dropFrom(start.iteration, reports_);
    const auto first = reported_.lower_bound(start.iteration);
    revisited_ += static_cast<std::size_t>(std::distance(first, reported_.end()));
    reported_.erase(first, reported_.end());
    with_events_.erase(with_events_.lower_bound(start.iteration), with_events_.end());
    notes_.startedFrom(start.iteration);
    starts_.push_back(start);
}

// Batches hold runs of one iteration, most often a single one.
template <class T>
void RunLog::keep(std::span<const T> items, std::vector<T> Recorded::*column) {
    const std::lock_guard lock(mutex_);
    const auto is_wanted = [this](std::int32_t iteration) {
        return keep_ != Keep::Reports &&
               (only_.empty() || only_.contains(iteration) || only_.contains(iteration + 1));
    };
    for (auto run = items.begin(); run != items.end();) {
        const auto past =
            std::find_if(run, items.end(), [&](const T& item) { return item.iteration != run->iteration; });
        if (std::is_same_v<T, Event>) with_events_.insert(run->iteration);
        if (is_wanted(run->iteration)) {
            std::vector<T>& kept = reported_[run->iteration].*column;
            kept.insert(kept.end(), run, past);
        }
        run = past;
    }
}

void RunLog::events(int, std::span<const Event> events) {
    keep(events, &Recorded::events);
}

void RunLog::memory(int, std::span<const MemoryPoint> points) {
    keep(points, &Recorded::memory);
}

void RunLog::kernels(int, std::span<const KernelEvent> kernels) {
    if (keep_ == Keep::Everything)
        keep(kernels, &Recorded::kernels);  // tables and terminal pictures show none
}

void RunLog::iterationFinished(const IterationReport& report) {
    const std::lock_guard lock(mutex_);
    const auto place = std::upper_bound(
        reports_.begin(), reports_.end(), report.iteration,
        [](std::int32_t iteration, const IterationReport& each) { return iteration < each.iteration; });
    if (place != reports_.begin() && std::prev(place)->iteration == report.iteration) {
        *std::prev(place) = report;  // said by ReportAudit
        return;
    }
    reports_.insert(place, report);
    if (!starts_.empty()) promises_.ran(starts_.back(), report);
    // A stream's iteration is measured from the end of the one before.
    if (keep_ == Keep::LastIteration)
        reported_.erase(reported_.begin(), reported_.lower_bound(report.iteration - 1));
}

void RunLog::promised(const Promise& promise) {
    const std::lock_guard lock(mutex_);
    promises_.give(promise);
}

void RunLog::noted(const RunNote& note) {
    const std::lock_guard lock(mutex_);
    notes_.take(note);
}

std::size_t RunLog::keptEvents() const {
    std::size_t count = 0;
    for (const auto& [iteration, reported] : reported_) count += reported.events.size();
    return count;
}

const IterationReport& RunLog::lastTraced() const {
    if (reports_.empty()) throw SentenceError<>(sentence("the recording holds no complete iteration"));
    const auto traced = std::find_if(reports_.rbegin(), reports_.rend(),
                                     [](const IterationReport& report) { return report.isTraced(); });
    return traced == reports_.rend() ? reports_.back() : *traced;
}

const IterationReport& RunLog::reportNumbered(int number) const {
    if (reports_.empty()) throw SentenceError<>(sentence("the recording holds no complete iteration"));
    const auto found = std::ranges::find(reports_, number, numberOf);
    if (found != reports_.end()) return *found;
    throw SentenceError<>(sentence("the recording has no iteration {0}; it has {1} to {2}", number,
                                   numberOf(reports_.front()), numberOf(reports_.back())));
}

std::optional<IterationStart> RunLog::startOf(std::int32_t iteration) const {
    const auto after = std::ranges::upper_bound(starts_, iteration, {}, &IterationStart::iteration);
    return after == starts_.begin() ? std::nullopt : std::optional(*std::prev(after));
}

std::vector<Sentence> RunLog::missing() const {
    if (with_events_.empty()) return {};
    const std::int32_t first = *with_events_.begin(), last = *with_events_.rbegin();
    std::vector<Sentence> found;
    const int reported = reports_.empty() ? first : std::min(first, reports_.front().iteration);
    if (!starts_.empty() && reported > starts_.front().iteration)
        found.push_back(
            sentence("The recording begins with iteration {0}: what ran before it is not in the file.",
                     iterationNumber(reported, isImported())));
    const int whole = reports_.empty() ? -1 : reports_.back().iteration;
    std::string without;
    for (const std::int32_t iteration : with_events_) {
        if (iteration < reported || iteration >= whole) continue;
        if (std::ranges::binary_search(reports_, iteration, {}, &IterationReport::iteration)) continue;
        without += (without.empty() ? "" : ", ") + std::to_string(iterationNumber(iteration, isImported()));
    }
    if (!without.empty())
        found.push_back(sentence(
            "The reports of these iterations are not in the file, and they are left out: {0}.", without));
    if (last > whole)
        found.push_back(sentence("Iteration {0} is cut: its end is not in the file.",
                                 iterationNumber(last, isImported())));
    return found;
}

Timeline RunLog::timeline(std::optional<std::int32_t> iteration) const {
    return timelineOf(iteration.value_or(0), iteration.value_or(std::numeric_limits<std::int32_t>::max()));
}

std::vector<KernelEvent> RunLog::kernels(std::optional<std::int32_t> iteration) const {
    std::vector<KernelEvent> wanted;
    for (const auto& [of, reported] : reported_)
        if (!iteration || of == *iteration)
            wanted.insert(wanted.end(), reported.kernels.begin(), reported.kernels.end());
    return wanted;
}

Timeline RunLog::timelineToSummarize(std::int32_t iteration) const {
    Timeline own = timelineOf(iteration, iteration);
    if (!firstOfStream(own) || !reported_.contains(iteration - 1)) return own;
    const Timeline before = timelineOf(iteration - 1, iteration - 1);
    return continues(before, own) ? *joined(before, own) : own;
}

Timeline RunLog::timelineOf(std::int32_t first, std::int32_t last) const {
    std::vector<Event> events;
    std::vector<MemoryPoint> memory;
    for (auto reported = reported_.lower_bound(first); reported != reported_.end() && reported->first <= last;
         ++reported) {
        events.insert(events.end(), reported->second.events.begin(), reported->second.events.end());
        memory.insert(memory.end(), reported->second.memory.begin(), reported->second.memory.end());
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
    std::stable_sort(memory.begin(), memory.end(),
                     [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    int ranks = 0;
    std::optional<Provenance> provenance;
    for (auto of = std::ranges::lower_bound(reports_, first, {}, &IterationReport::iteration);
         of != reports_.end() && of->iteration <= last; ++of) {
        const IterationReport& report = *of;
        if (provenance && *provenance != report.provenance)
            throw std::runtime_error(
                "the iterations do not share one provenance, and times of different provenance are "
                "never mixed; choose one with --iteration");
        provenance = report.provenance;
        ranks = std::max(ranks, report.layout().world());
    }
    for (const auto& event : events) ranks = std::max(ranks, event.rank + 1);
    Timeline timeline(ranks, provenance.value_or(Provenance::Reconstructed));
    for (const auto& event : events) timeline.append(event);
    for (const auto& point : memory)
        if (point.rank < ranks) timeline.append(point);
    return timeline;
}

std::set<std::int32_t> numbered(int number) {
    return {number - 1, number};
}

std::vector<Sentence> ReadRecording::warnings() const {
    std::vector<Sentence> all;
    for (const Sentence* each : {&without_checksums, &damage})
        if (!each->empty()) all.push_back(*each);
    all.insert(all.end(), missing.begin(), missing.end());
    const std::vector<Sentence> of_reports = audit.sentences(iterationNumber(0, is_import));
    all.insert(all.end(), of_reports.begin(), of_reports.end());
    return all;
}

ReadRecording readRecording(const std::filesystem::path& file, RunLog& log,
                            const RecordingReader::Progress& progress) {
    RecordingReader reader(file);
    ReadRecording read;
    ReportAudit& audit = read.audit;
    read.without_checksums = reader.withoutChecksums();
    if (!read.without_checksums.empty()) audit.lacksChecksums();
    const auto take_kernels = [&](const KernelPart& part) {
        audit.kernels(part);
        log.kernels(part.rank, part.kernels);
    };
    const auto take = [&](const wire::Message& message) {
        switch (message.body_case()) {
            case wire::Message::kIterationStart:
                log.iterationStarted(audit.started(fromWire(message.iteration_start())));
                break;
            case wire::Message::kEvents:
                log.events(message.events().rank(), audit.events(fromWire(message.events())));
                break;
            case wire::Message::kMemory:
                log.memory(message.memory().rank(), audit.memory(fromWire(message.memory())));
                break;
            case wire::Message::kKernels:
                take_kernels(fromWire(message.kernels()));
                break;
            case wire::Message::kIterationReport:
                log.iterationFinished(audit.finished(fromWire(message.iteration_report())));
                break;
            case wire::Message::kPromise:
                log.promised(fromWire(message.promise()));
                break;
            case wire::Message::kNote:
                log.noted(fromWire(message.note()));
                break;
            default:
                break;  // says nothing about iterations
        }
    };
    if (!reader.readAll(take, progress)) throw ReadingEnded();
    read.damage = reader.warning();
    read.missing = log.missing();
    read.is_import = log.isImported();
    return read;
}

}  // namespace bscope::cli
