// AnalysedRun: one iteration of a recording with all that the analysis asks for: its events, what ran, its
// costs. For advise, compare and replay --bubble.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "advice/advisor.h"
#include "analysis/causes.h"
#include "analysis/iteration_series.h"
#include "cli/input/run_log.h"

namespace bscope::cli {

struct AnalysedRun {
    IterationStart start;
    IterationReport report;
    Schedule schedule;
    Costs costs;  // medians of its stages
    RunFacts facts;
    Timeline timeline;                          // that iteration; of a stream also the one before
    std::vector<PromiseOutcome> outcomes = {};  // of what the whole recording promised
    // In the last iterations of its configuration, of a recording; nullopt: nothing is slow in most of them.
    std::optional<Straggler> straggler = {};
    // Of the traced, undisturbed iterations of its configuration, of a recording; the first one warms up.
    std::vector<double> lengths_ms = {}, bubbles = {};
    std::vector<Sentence> warnings = {};  // of its recording: what it lacks or contradicts

    bool knowsModel() const { return !start.import; }
    std::string title() const;  // "1f1b p=4 v=1 m=8 d=1", with t where it is above 1
    BubbleCauses causes() const { return {timeline, report.iteration, facts}; }
};

// The iteration of that number (view/view_data.h), or of those under the last configuration the one whose
// length is nearest to their median. Says on standard error what the recording lacks. The file is read twice,
// for what was reported and for the events, so that these need not all be held; one that was another by then
// is refused. Throws std::runtime_error for that and when there is no such iteration, WireError when the file
// cannot be read. between_readings: called between the two.
AnalysedRun readAnalysedRun(const std::filesystem::path& file, std::optional<int> number, Language language,
                            const std::function<void()>& between_readings = {});
// The same of a run that the log followed and kept.
AnalysedRun analysedRun(const RunLog& log, const IterationReport& report);
// Of the iterations of the last configuration, the one nearest to their median. Throws std::runtime_error
// when no iteration was traced.
const IterationReport& typicalIteration(const RunLog& log);

AdviceRequest adviceRequest(const AnalysedRun& run, const BubbleCauses& causes);

}  // namespace bscope::cli
