#include "cli/report/planned_gaps.h"

#include <string>

#include "analysis/causes.h"
#include "cli/print/number_text.h"
#include "cli/report/bubble_text.h"
#include "timeline/predict.h"

namespace bscope::cli {
namespace {

// A schedule played with its costs.
struct Played {
    Played(const Schedule& schedule, const Costs& costs)
        : timeline(predict(lower(schedule), costs)), causes(timeline, 0, factsWith(schedule, costs.link)) {}

    static RunFacts factsWith(const Schedule& schedule, const LinkModel& link) {
        RunFacts facts = factsOf(schedule);
        facts.link = link;
        return facts;
    }

    const Timeline timeline;
    const BubbleCauses causes;
};

GapWording wordingIn(const PlannedCosts& costs, Language language) {
    GapWording wording;
    wording.duration = [costs, language](std::int64_t ns) {
        const std::string time = shortNumber(costs.shown(ns));
        if (costs.of_run) return time + " ms";
        return say(time == "1" ? sentence("1 unit") : sentence("{0} units", time), language);
    };
    return wording;
}

}  // namespace

nlohmann::ordered_json plannedGapsJson(const Schedule& schedule, const PlannedCosts& costs) {
    const Played played(schedule, costs.of(schedule));
    const BubbleCauses& causes = played.causes;
    const GapWording wording = wordingIn(costs, Language::English);
    nlohmann::ordered_json gaps = nlohmann::ordered_json::array();
    for (const Gap& gap : causes.gaps()) {
        nlohmann::ordered_json parts = nlohmann::ordered_json::object();
        for (int cause = 0; cause < kBubbleCauses; ++cause)
            parts[std::string(toText(static_cast<BubbleCause>(cause)))] =
                costs.shown(gap.parts[static_cast<std::size_t>(cause)]);
        gaps.push_back(
            {{"rank", gap.rank},
             {"start", costs.shown(gap.start_ns)},
             {"length", costs.shown(gap.length_ns())},
             {"share_of_idle", static_cast<double>(gap.length_ns()) / static_cast<double>(causes.idle_ns())},
             {"next", gap.next ? nlohmann::ordered_json(toText(*gap.next)) : nullptr},
             {"cause", toText(gap.cause)},
             {"causes", std::move(parts)},
             {"words", say(causes.words(gap, wording), Language::English)}});
    }
    return gaps;
}

void printPlannedGaps(const LinePrinter& printer, const Schedule& schedule, const PlannedCosts& costs,
                      std::size_t most) {
    const Played played(schedule, costs.of(schedule));
    const BubbleCauses& causes = played.causes;
    if (causes.gaps().empty()) return printer.line("No rank is idle.");
    printGaps(printer, causes, most, wordingIn(costs, printer.language()));
}

}  // namespace bscope::cli
