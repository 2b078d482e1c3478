#include "cli/input/checked_recording.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "timeline/analysis.h"

namespace bscope::cli {
namespace {

Sentence wordsOf(const Disagreement& each) {
    const std::string reported = each.reportedText(9), found = each.recomputedText(9);
    switch (each.with) {
        case Disagreement::With::Events:
            return sentence("{0} is reported as {1}, the events say {2}", each.number, reported, found);
        case Disagreement::With::Start:
            return sentence("{0} is reported as {1}, the start of the run says {2}", each.number, reported,
                            found);
        case Disagreement::With::Own:
            return sentence("{0} is stated as {1}, from what is stated beside it follows {2}", each.number,
                            reported, found);
    }
    return {};
}

Schedule orderOf(const IterationStart& start) {
    return start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
}

}  // namespace

CheckedRecording checkRecording(const RunLog& log, const ReportAudit& audit) {
    CheckedRecording found;
    for (const Disagreement& each : audit.disagreements())
        found.violations.push_back({Invariant::Report, each.iteration, wordsOf(each)});
    for (const std::int32_t iteration : audit.repeated())
        found.violations.push_back({Invariant::Report, iteration, sentence("it is reported more than once")});
    for (const std::int32_t iteration : audit.late())
        found.violations.push_back(
            {Invariant::Report, iteration, sentence("events or memory points come after its report")});
    std::optional<Schedule> order;
    std::int32_t order_since = -1;
    for (const IterationReport& report : log.reports()) {
        const auto start = log.startOf(report.iteration);
        if (!report.isTraced()) {
            found.untraced.push_back(report.iteration);
            continue;
        }
        const Timeline timeline = log.timelineToSummarize(report.iteration);
        if (!start || std::ranges::count(audit.unproven(), report.iteration) > 0 ||
            !hasComputed(timeline, report.iteration)) {
            found.unproven.push_back(report.iteration);
            continue;
        }
        if (!order || order_since != start->iteration) order = orderOf(*start);
        order_since = start->iteration;
        const std::vector<Violation> own = violations({*start, *order, report, timeline});
        found.violations.insert(found.violations.end(), own.begin(), own.end());
        ++found.whole;
    }
    return found;
}

}  // namespace bscope::cli
