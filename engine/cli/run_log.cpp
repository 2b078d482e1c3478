#include "cli/run_log.h"

#include <algorithm>
#include <limits>

#include "wire/convert.h"
#include "wire/recording.h"

namespace bscope::cli {

void RunLog::iterationStarted(const IterationStart& start) {
    const std::lock_guard lock(mutex_);
    const auto is_void = [&](const auto& item) { return item.iteration >= start.iteration; };
    std::erase_if(starts_, is_void);
    std::erase_if(reports_, is_void);
    std::erase_if(events_, is_void);
    std::erase_if(memory_, is_void);
    std::erase_if(kernels_, is_void);
    starts_.push_back(start);
}

void RunLog::events(int, std::span<const Event> events) {
    const std::lock_guard lock(mutex_);
    events_.insert(events_.end(), events.begin(), events.end());
}

void RunLog::memory(int, std::span<const MemoryPoint> points) {
    const std::lock_guard lock(mutex_);
    memory_.insert(memory_.end(), points.begin(), points.end());
}

void RunLog::kernels(int, std::span<const KernelEvent> kernels) {
    if (keep_ == Keep::LastIteration) return;  // tables and terminal pictures show none
    const std::lock_guard lock(mutex_);
    kernels_.insert(kernels_.end(), kernels.begin(), kernels.end());
}

void RunLog::iterationFinished(const IterationReport& report) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(report);
    if (keep_ == Keep::Everything) return;
    // A stream's iteration is measured from the end of the one before.
    const auto is_older = [&](const auto& item) { return item.iteration < report.iteration - 1; };
    std::erase_if(events_, is_older);
    std::erase_if(memory_, is_older);
}

const IterationReport& RunLog::lastTraced() const {
    const auto traced = std::find_if(reports_.rbegin(), reports_.rend(),
                                     [](const IterationReport& report) { return report.isTraced(); });
    return traced == reports_.rend() ? reports_.back() : *traced;
}

std::optional<IterationStart> RunLog::startOf(std::int32_t iteration) const {
    std::optional<IterationStart> found;
    for (const auto& start : starts_)
        if (start.iteration <= iteration) found = start;
    return found;
}

std::string RunLog::missing() const {
    const auto isEarlier = [](const Event& a, const Event& b) { return a.iteration < b.iteration; };
    const auto [first, last] = std::minmax_element(events_.begin(), events_.end(), isEarlier);
    if (first == events_.end()) return {};
    std::string text;
    const int told =
        reports_.empty() ? first->iteration : std::min(first->iteration, reports_.front().iteration);
    if (!starts_.empty() && told > starts_.front().iteration)
        text = "The recording begins with iteration " + std::to_string(told) +
               ": what ran before it is not in the file.";
    const int whole = reports_.empty() ? -1 : reports_.back().iteration;
    if (last->iteration > whole)
        text += (text.empty() ? "Iteration " : " Iteration ") + std::to_string(last->iteration) +
                " is cut: its end is not in the file.";
    return text;
}

Timeline RunLog::timeline(std::optional<std::int32_t> iteration) const {
    return timelineOf(iteration.value_or(0), iteration.value_or(std::numeric_limits<std::int32_t>::max()));
}

std::vector<KernelEvent> RunLog::kernels(std::optional<std::int32_t> iteration) const {
    std::vector<KernelEvent> wanted;
    std::copy_if(kernels_.begin(), kernels_.end(), std::back_inserter(wanted),
                 [&](const KernelEvent& kernel) { return !iteration || kernel.iteration == *iteration; });
    return wanted;
}

Timeline RunLog::timelineToSummarize(std::int32_t iteration) const {
    const bool streams = std::any_of(events_.begin(), events_.end(), [&](const Event& event) {
        return event.iteration == iteration && event.weight_version != kNoVersion;
    });
    return timelineOf(streams ? iteration - 1 : iteration, iteration);
}

Timeline RunLog::timelineOf(std::int32_t first, std::int32_t last) const {
    const auto wanted = [&](const auto& item) { return item.iteration >= first && item.iteration <= last; };
    std::vector<Event> events;
    std::copy_if(events_.begin(), events_.end(), std::back_inserter(events), wanted);
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
    std::vector<MemoryPoint> memory;
    std::copy_if(memory_.begin(), memory_.end(), std::back_inserter(memory), wanted);
    std::stable_sort(memory.begin(), memory.end(),
                     [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    int ranks = 0;
    std::optional<Provenance> provenance;
    for (const auto& report : reports_) {
        if (!wanted(report)) continue;
        if (provenance && *provenance != report.provenance)
            throw std::runtime_error(
                "the iterations do not share one provenance, and times of different provenance are "
                "never mixed; choose one with --iteration");
        provenance = report.provenance;
        ranks = std::max(ranks, report.p * report.d);
    }
    for (const auto& event : events) ranks = std::max(ranks, event.rank + 1);
    Timeline timeline(ranks, provenance.value_or(Provenance::Reconstructed));
    for (const auto& event : events) timeline.append(event);
    for (const auto& point : memory)
        if (point.rank < ranks) timeline.append(point);
    return timeline;
}

std::string readRecording(const std::filesystem::path& file, RunLog& log) {
    RecordingReader reader(file);
    reader.readAll([&log](const wire::Message& message) {
        switch (message.body_case()) {
            case wire::Message::kIterationStart:
                log.iterationStarted(fromWire(message.iteration_start()));
                break;
            case wire::Message::kEvents:
                log.events(message.events().rank(), fromWire(message.events()));
                break;
            case wire::Message::kMemory:
                log.memory(message.memory().rank(), fromWire(message.memory()));
                break;
            case wire::Message::kKernels:
                log.kernels(message.kernels().rank(), fromWire(message.kernels()).kernels);
                break;
            case wire::Message::kIterationReport:
                log.iterationFinished(fromWire(message.iteration_report()));
                break;
            default:
                break;  // says nothing about iterations
        }
    });
    const std::string missing = log.missing();
    return reader.warning() + (reader.warning().empty() || missing.empty() ? "" : " ") + missing;
}

}  // namespace bscope::cli
