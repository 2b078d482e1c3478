// RunLog: what the terminal needs of a run, live or recorded: the reports, and events enough for the
// pictures. As an observer it is called from the run's worker threads; everything else is for when the run
// stands still.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/report_audit.h"
#include "run/run.h"
#include "report/promises.h"
#include "report/run_notes.h"
#include "timeline/timeline.h"
#include "wire/recording.h"

namespace bscope::cli {

class RunLog final : public RunObserver {
public:
    enum class Keep { Reports, LastIteration, Everything };
    // only: of events and kernels nothing but what the pictures of these iterations need; empty: everything.
    RunLog(Keep keep, std::set<std::int32_t> only) : keep_(keep), only_(std::move(only)) {}
    explicit RunLog(Keep keep, std::optional<std::int32_t> only = std::nullopt)
        : RunLog(keep, only ? std::set{*only} : std::set<std::int32_t>()) {}

    void iterationStarted(const IterationStart& start) override;
    void events(int rank, std::span<const Event> events) override;
    void memory(int rank, std::span<const MemoryPoint> points) override;
    void kernels(int rank, std::span<const KernelEvent> kernels) override;
    void iterationFinished(const IterationReport& report) override;
    void promised(const Promise& promise);
    void noted(const RunNote& note);

    const std::vector<IterationReport>& reports() const { return reports_; }
    // The last that was traced, so that there is a picture of it; the last one when none was. Throws
    // std::runtime_error when no iteration is whole.
    const IterationReport& lastTraced() const;
    // The iteration that a person means by this number (view/view_data.h). Throws std::runtime_error with the
    // numbers that there are.
    const IterationReport& reportNumbered(int number) const;
    // Whether iterations have the numbers of another program's files.
    bool isImported() const { return !starts_.empty() && starts_.back().import; }
    // The configuration of an iteration; nullopt before the first start.
    std::optional<IterationStart> startOf(std::int32_t iteration) const;
    // What is kept; of one iteration when one is given. Throws std::runtime_error when its iterations do not
    // share one provenance.
    Timeline timeline(std::optional<std::int32_t> iteration = std::nullopt) const;
    // Of that iteration, or of all that are kept; none when only the last iteration is kept.
    std::vector<KernelEvent> kernels(std::optional<std::int32_t> iteration = std::nullopt) const;
    // Of a recording that is kept whole: what ran and is not in it.
    std::vector<Sentence> missing() const;
    // What summarize() of that iteration needs: of a stream also the iteration before.
    Timeline timelineToSummarize(std::int32_t iteration) const;

    // Of what was promised in a recording.
    const std::vector<PromiseOutcome>& outcomes() const { return promises_.outcomes(); }
    // What people wrote about it.
    std::vector<RunNote> notes() const { return notes_.all(); }
    std::size_t keptEvents() const;
    // Kept things that starts of iterations have looked at so far: at most one more a start than they took
    // away, so that a file with many changes is read in linear time.
    std::size_t revisited() const { return revisited_; }

private:
    struct Recorded {
        std::vector<Event> events;
        std::vector<MemoryPoint> memory;
        std::vector<KernelEvent> kernels;
    };
    template <class T>
    void keep(std::span<const T> items, std::vector<T> Recorded::*column);
    template <class T>
    void dropFrom(std::int32_t iteration, std::vector<T>& by_iteration);
    Timeline timelineOf(std::int32_t first, std::int32_t last) const;

    Keep keep_;
    std::set<std::int32_t> only_;
    std::mutex mutex_;
    std::vector<IterationStart> starts_;    // by iteration
    std::vector<IterationReport> reports_;  // by iteration
    std::map<std::int32_t, Recorded> reported_;  // by iteration
    std::set<std::int32_t> with_events_;    // iterations, also those whose events are not kept
    std::size_t revisited_ = 0;
    Promises promises_;
    RunNotes notes_;
};

// The iterations that a person may mean by this number, before it is known whether the recording is an
// import.
std::set<std::int32_t> numbered(int number);

// What is to be said of a recording that was read.
struct ReadRecording {
    Sentence damage;                // empty: every message could be read
    std::vector<Sentence> missing;  // what ran and is not in it
    ReportAudit audit;              // of its reports
    bool is_import = false;
    Sentence without_checksums;  // empty: every message has one
    std::vector<Sentence> warnings() const;
};

// Fills the log from a recording, with reports as their events have them. Of iterations that were run again,
// from a loaded state or as another run, the last ones count. Throws WireError.
// progress: bytes read and in all; when it says false nothing more is read and ReadingEnded is thrown.
struct ReadingEnded {};
ReadRecording readRecording(const std::filesystem::path& file, RunLog& log,
                                    const RecordingReader::Progress& progress = {});

}  // namespace bscope::cli
