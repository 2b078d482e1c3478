#include "cli/report/straggler_text.h"

#include <algorithm>
#include <vector>

#include "analysis/causes.h"
#include "advice/without_straggler.h"
#include "cli/report/bubble_text.h"
#include "report/measured_report.h"

namespace bscope::cli {
namespace {

std::optional<WithoutStraggler> withoutIt(const std::optional<Straggler>& found, const AdviceRequest& request) {
    return found ? withoutStraggler(request, *found) : std::nullopt;
}

}  // namespace

std::optional<Straggler> stragglerOf(const ImportedRun& run) {
    std::size_t operations = 0;
    for (const auto& of_rank : run.schedule.orders) operations += of_rank.size();
    if (operations > kMostOperationsForStraggler) return std::nullopt;
    const RunFacts facts = factsOfRun(run.schedule, {}, &run.origin, {});  // each iteration by itself
    std::vector<Outliers> recent;
    for (auto report = run.reports.rbegin(); report != run.reports.rend() && recent.size() < kMostForStraggler;
         ++report)
        if (report->iteration != run.start_up)
            recent.push_back(BubbleCauses(run.timeline, report->iteration, facts).usual().outliers());
    return bscope::stragglerOf(recent);
}

void printHeadline(const LinePrinter& printer, const std::optional<Straggler>& found,
                   const AdviceRequest& request) {
    if (!found) return;
    printStraggler(printer, *found);
    if (const auto without = withoutIt(found, request)) printer.line("{0}", withoutWords(*without));
}

void addHeadline(nlohmann::ordered_json& out, const std::optional<Straggler>& found,
                 const AdviceRequest& request) {
    addStraggler(out, found);
    nlohmann::ordered_json& effect = out["without_straggler"];
    if (const auto without = withoutIt(found, request))
        effect = {{"iteration_ms", toMs(without->candidate.predicted->iteration_ns)},
                  {"bubble_of_total", without->candidate.predicted->bubble_of_total},
                  {"now_iteration_ms", toMs(without->now.iteration_ns)},
                  {"now_bubble_of_total", without->now.bubble_of_total}};
}

}  // namespace bscope::cli
