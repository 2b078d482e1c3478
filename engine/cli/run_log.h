// RunLog: what the terminal needs of a run, live or recorded: the reports, and events enough for the
// pictures. As an observer it is called from the run's worker threads; everything else is for when the run
// stands still.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "run/run.h"
#include "timeline/timeline.h"

namespace bscope::cli {

class RunLog final : public RunObserver {
public:
    enum class Keep { LastIteration, Everything };
    explicit RunLog(Keep keep) : keep_(keep) {}

    void iterationStarted(const IterationStart& start) override;
    void events(int rank, std::span<const Event> events) override;
    void memory(int rank, std::span<const MemoryPoint> points) override;
    void kernels(int rank, std::span<const KernelEvent> kernels) override;
    void iterationFinished(const IterationReport& report) override;

    const std::vector<IterationReport>& reports() const { return reports_; }
    // The last that was traced, so that there is a picture of it; the last one when none was. There must be
    // one.
    const IterationReport& lastTraced() const;
    // The configuration of an iteration; nullopt before the first start.
    std::optional<IterationStart> startOf(std::int32_t iteration) const;
    // What is kept; of one iteration when one is given. Throws std::runtime_error when its iterations do not
    // share one provenance.
    Timeline timeline(std::optional<std::int32_t> iteration = std::nullopt) const;
    // Of that iteration, or of all that are kept; none when only the last iteration is kept.
    std::vector<KernelEvent> kernels(std::optional<std::int32_t> iteration = std::nullopt) const;
    // Of a recording that is kept whole: what ran and is not in it, in sentences; empty when nothing is
    // missing.
    std::string missing() const;
    // What summarize() of that iteration needs: of a stream also the iteration before.
    Timeline timelineToSummarize(std::int32_t iteration) const;

private:
    Timeline timelineOf(std::int32_t first, std::int32_t last) const;

    Keep keep_;
    std::mutex mutex_;
    std::vector<IterationStart> starts_;
    std::vector<IterationReport> reports_;
    std::vector<Event> events_;
    std::vector<MemoryPoint> memory_;
    std::vector<KernelEvent> kernels_;
};

// Fills the log from a recording; gives sentences about what could not be read or is missing, or nothing. Of
// iterations that were run again, from a loaded state or as another run, the last ones count. Throws
// WireError.
std::string readRecording(const std::filesystem::path& file, RunLog& log);

}  // namespace bscope::cli
