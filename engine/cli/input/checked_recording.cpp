#include "cli/input/checked_recording.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "timeline/analysis.h"

namespace bscope::cli {
namespace {

Violation ofReport(const ReportAudit::Disagreement& each) {
    const std::string reported = each.reportedText(9), found = each.recomputedText(9);
    return {Invariant::Report, each.iteration,
            each.with == ReportAudit::Disagreement::With::Events
                ? sentence("{0} is reported as {1}, the events say {2}", each.number, reported, found)
                : sentence("{0} is reported as {1}, the start of the run says {2}", each.number, reported,
                           found)};
}

Schedule orderOf(const IterationStart& start) {
    return start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
}

}  // namespace

CheckedRecording checkRecording(const RunLog& log, const ReportAudit& audit) {
    CheckedRecording found;
    for (const ReportAudit::Disagreement& each : audit.disagreements())
        found.violations.push_back(ofReport(each));
    for (const std::int32_t iteration : audit.repeated())
        found.violations.push_back({Invariant::Report, iteration, sentence("it is reported more than once")});
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
