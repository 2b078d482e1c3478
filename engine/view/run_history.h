// RunHistory: a stream up to now in the form of the views: one Timeline an iteration, its plan, its
// report, and a bar for each. Live stream and recording go through the same calls. The last kKeptIterations
// are kept, fewer when they hold very many events, and the kernels of fewer still. Messages are only
// appended; an iteration is planned and summed up when it is first looked at. Plain data; one thread; nothing
// here ever throws on a bad stream, what does not fit is counted.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/cost_estimate.h"
#include "analysis/planned_iteration.h"
#include "analysis/usual.h"
#include "report/promises.h"
#include "report/run_notes.h"
#include "view/view_data.h"

namespace bscope {

class RunHistory {
public:
    static constexpr std::size_t kKeptIterations = 200;
    static constexpr std::size_t kKeptEvents = 4'000'000;
    static constexpr std::size_t kKeptKernels = 300'000;

    // That the records are read from, and stays so when they are cleared; empty: the run is live.
    void setFile(const std::string& file) { file_ = file; }

    // A connection was made. same_engine: to the run of these records; what it sends again of it is not new.
    void attached(bool same_engine) { resuming_ = same_engine; }
    // With its order and without problems (startWithOrder() in stream_reader.h).
    void iterationStarted(const IterationStart& start);
    // One makes no sense: the events after it belong to no iteration.
    void startRefused();
    // The next one: its plan is shown before its first event.
    void expect(std::int32_t iteration) { open(iteration); }
    void events(std::span<const Event> events);
    void memory(std::span<const MemoryPoint> points);
    void kernels(const KernelPart& part);  // of one iteration
    void watermark(std::int64_t time_ns) { watermark_ns_ = time_ns; }
    void iterationFinished(const IterationReport& report);
    void promised(const Promise& promise) { promises_.give(promise); }
    void noted(const RunNote& note) { notes_.take(note); }
    void clear();
    void countMisfit() { ++misfits_; }

    bool empty() const { return records_.empty(); }
    std::int32_t newest() const;          // -1 when empty; may still run
    std::int32_t newestComplete() const;  // -1 when none
    // What the newest iteration runs under; null before the first start.
    const IterationStart* start() const { return start_.get(); }
    // Medians of the last report and the configuration they belong to; null before the first report.
    const KnownCosts* knownCosts() const;
    bool has(std::int32_t iteration) const { return find(iteration) != nullptr; }
    // Nearest kept iteration before (-1) or after (+1); the same when there is none.
    std::int32_t neighbour(std::int32_t iteration, int step) const;

    std::optional<IterationView> view(std::int32_t iteration) const;
    // What a complete iteration ran, without its picture.
    struct Ran {
        std::shared_ptr<const IterationStart> start;
        std::shared_ptr<const Timeline> events;
        std::int32_t first_microbatch = 0;  // streams count them on
        bool is_stream = false;
        const IterationReport* report = nullptr;  // as long as the history stays as it is
    };
    std::optional<Ran> ran(std::int32_t iteration) const;  // nullopt: it is not kept
    static RunFacts factsOf(const IterationStart& start, const IterationReport& report);
    // Complete iterations of the whole run, also those whose events are dropped.
    const std::vector<IterationBar>& bars() const { return bars_; }
    // What was predicted of changes that were made, and what came out.
    const std::vector<PromiseOutcome>& outcomes() const { return promises_.outcomes(); }
    // What people wrote about it.
    const RunNotes& notes() const { return notes_; }
    std::uint64_t misfits() const { return misfits_; }  // events that did not fit the stream

private:
    struct Record {
        std::int32_t iteration = 0;
        std::shared_ptr<const IterationStart> start;
        std::shared_ptr<Timeline> ran;
        std::shared_ptr<const Timeline> before;  // of the iteration before, at the time of the report
        std::optional<IterationReport> report;
        std::int64_t start_ns = 0;
        std::size_t events = 0;
        bool computes = false;               // it has a forward or backward
        std::shared_ptr<KernelLog> kernels;  // null: none were sent, or they are dropped
        bool kernels_forgotten = false;
        // Made when first looked at; the summary is that of a complete iteration all of which is there.
        mutable std::optional<PlannedIteration> plan;
        mutable std::optional<IterationSummary> summary;
        mutable std::shared_ptr<const Timeline> summed_events;  // of the summary
        mutable bool summed = false;
        mutable std::optional<IterationMedians> medians;  // of a complete iteration, made when asked for
    };
    const Record* find(std::int32_t iteration) const;
    Record* find(std::int32_t iteration);
    Record* open(std::int32_t iteration);
    void addBar(const IterationReport& report, const RunConfig& config, std::int32_t since);
    void dropFrom(std::int32_t iteration);
    bool isKnown(const IterationStart& start) const;
    void forgetOldest();
    void forgetKernels(Record& record);
    const PlannedIteration& planOf(const Record& record) const;
    bool hasAllOperations(const Record& record) const;
    bool matchesReport(const Record& record) const;
    IterationSummary sumOf(const Record& record) const;
    std::vector<ResidentBytes> heldOf(const Record& record) const;
    const std::optional<IterationSummary>& summaryOf(const Record& record) const;
    SharedSeries seriesOf(const Record& record) const;

    std::string file_;
    Promises promises_;
    RunNotes notes_;
    bool resuming_ = false;
    std::shared_ptr<const IterationStart> start_;
    std::deque<Record> records_;      // by iteration
    std::vector<IterationBar> bars_;  // by iteration
    // Of an iteration; its slow ranks are found when it is first asked for.
    mutable std::optional<KnownCosts> known_;
    mutable std::int32_t slowness_of_ = -1;  // still to be found in this iteration; -1: it is found
    // The last one asked for: of the configuration of a record, up to an iteration.
    mutable SharedSeries series_;
    mutable std::pair<std::int32_t, std::int32_t> series_of_{-1, -1};
    std::int64_t watermark_ns_ = 0;
    std::uint64_t misfits_ = 0;
    std::size_t held_events_ = 0, held_kernels_ = 0;
};

// "1F1B · p=4 m=8 AC=full": IterationBar::group. The field's own signs, no words.
std::string groupName(const RunConfig& config);

}  // namespace bscope
