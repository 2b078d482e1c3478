// Everything about the bubble of one iteration, for replay --bubble.
#include <algorithm>

#include "analysis/critical_path.h"
#include "analysis/waterfall.h"
#include "cli/bubble_text.h"
#include "cli/number_text.h"
#include "timeline/mean_durations.h"
#include "timeline/measured_report.h"
#include "words/catalog.h"

namespace bscope::cli {

namespace {

constexpr std::size_t kGapsInWords = 10;

std::optional<Waterfall> waterfallOf(const AnalysedRun& run, const BubbleCauses& causes) {
    const Costs equal = unitCosts(run.schedule.stageCount(), 1, 1, 1, 0);
    return waterfall(causes, closedFormBubble(run.schedule, equal, Recompute::None));
}

// Relative to the start of the iteration.
double sinceStart_ms(const BubbleCauses& causes, std::int64_t time_ns) {
    return toMs(time_ns - causes.summary().start_ns);
}

double shareOf(const BubbleCauses& causes, std::int64_t ns) {
    return causes.idle_ns() > 0 ? static_cast<double>(ns) / static_cast<double>(causes.idle_ns()) : 0;
}

const char* kindText(Reason::Kind kind) {
    static constexpr const char* kNames[] = {"operation", "message", "pause", "start"};
    return kNames[static_cast<std::size_t>(kind)];
}

nlohmann::ordered_json reasonJson(const BubbleCauses& causes, const Reason& reason) {
    nlohmann::ordered_json out = {{"kind", kindText(reason.kind)},
                                  {"rank", reason.rank},
                                  {"action", toText(reason.action)},
                                  {"start_ms", sinceStart_ms(causes, reason.start_ns)},
                                  {"end_ms", sinceStart_ms(causes, reason.end_ns)}};
    if (reason.to >= 0) out["to"] = reason.to;
    return out;
}

nlohmann::ordered_json gapJson(const BubbleCauses& causes, const Gap& gap) {
    nlohmann::ordered_json reasons = nlohmann::ordered_json::array();
    for (const Reason& reason : causes.reasons(gap)) reasons.push_back(reasonJson(causes, reason));
    return {{"rank", gap.rank},
            {"start_ms", sinceStart_ms(causes, gap.start_ns)},
            {"length_ms", toMs(gap.length_ns())},
            {"share_of_idle", shareOf(causes, gap.length_ns())},
            {"next", gap.next ? nlohmann::ordered_json(toText(*gap.next)) : nlohmann::ordered_json()},
            {"cause", toText(gap.cause)},
            {"causes_ms", causesJson(gap.parts)},
            {"words", say(causes.words(gap), Language::English)},
            {"reasons", std::move(reasons)}};
}

nlohmann::ordered_json waterfallJson(const Waterfall& found) {
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const WaterfallStep& step : found.steps) {
        nlohmann::ordered_json& one = steps.emplace_back();
        one = {{"step", toText(step.kind)},
               {"iteration_ms", toMs(step.iteration_ns)},
               {"bubble_of_total", step.bubble_of_total},
               {"added_ms", toMs(step.added_ns)},
               {"added_bubble", step.added_bubble}};
        if (step.index >= 0) one["index"] = step.index;
        if (step.to >= 0) one["to"] = step.to;
    }
    return steps;
}

// "rank 2", "stage 3", "rank 0 to rank 1": of a step.
std::string whichText(const WaterfallStep& step) {
    if (step.index < 0) return {};
    const std::string index = std::to_string(step.index);
    if (step.kind == WaterfallStep::Kind::UnequalStages) return "stage " + index;
    return "rank " + index + (step.to >= 0 ? " to rank " + std::to_string(step.to) : "");
}

void printWaterfall(std::ostream& out, const Waterfall& found) {
    out << "\nmeasured minus theory                       iteration ms   bubble of total        added ms   "
           "added "
           "points\n";
    for (const WaterfallStep& step : found.steps) {
        const std::string which = whichText(step);
        out << padded(say(wordsOf(step.kind), Language::English) + (which.empty() ? "" : ", " + which), 44)
            << aligned(fixed(toMs(step.iteration_ns), 2), 12) << aligned(percent(step.bubble_of_total), 18)
            << aligned(fixed(toMs(step.added_ns), 2), 16) << aligned(fixed(100 * step.added_bubble, 2), 15)
            << '\n';
    }
    out << (found.is_closed_form
                ? "The first step is the closed form, the last one what was measured.\n"
                : "No closed form is known: the first step is played; the last one is what was "
                  "measured.\n");
}

}  // namespace

nlohmann::ordered_json bubbleJson(const AnalysedRun& run) {
    const BubbleCauses causes = run.causes();
    const CriticalPath path = criticalPath(causes.graph());
    nlohmann::ordered_json of_path = nlohmann::ordered_json::object();
    for (int op = 0; op < kOpCount; ++op)
        if (const std::int64_t ns = path.time_ns[static_cast<std::size_t>(op)]; ns > 0)
            of_path[std::string(opText(static_cast<Op>(op))) + "_ms"] = toMs(ns);
    of_path["messages_ms"] = toMs(path.messages_ns);
    of_path["pauses_ms"] = toMs(path.pauses_ns);
    of_path["operations"] = path.nodes.size();
    nlohmann::ordered_json out = {{"iteration", run.report.iteration},
                                  {"provenance", toText(run.report.provenance)},
                                  {"iteration_ms", toMs(causes.summary().iteration_ns)},
                                  {"bubble_of_total", causes.summary().bubble_of_total},
                                  {"idle_ms", toMs(causes.idle_ns())},
                                  {"causes_ms", causesJson(causes.totals())}};
    addOutliers(out, causes.usual().outliers());
    const auto steps = waterfallOf(run, causes);
    out["waterfall"] = steps ? waterfallJson(*steps) : nlohmann::ordered_json();
    out["critical_path"] = std::move(of_path);
    out["gaps"] = nlohmann::ordered_json::array();
    for (const Gap& gap : causes.gaps()) out["gaps"].push_back(gapJson(causes, gap));
    return out;
}

void printBubble(std::ostream& out, const AnalysedRun& run) {
    const BubbleCauses causes = run.causes();
    out << run.schedule.name << ", iteration " << run.report.iteration << " ["
        << toText(run.report.provenance) << "]: " << fixed(toMs(causes.summary().iteration_ns), 2)
        << " ms, bubble " << percent(causes.summary().bubble_of_total) << " of total, "
        << fixed(toMs(causes.idle_ns()), 2) << " ms idle on all ranks\n"
        << outliersText(causes.usual().outliers()) << "\ncause                         idle ms   share\n";
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (const std::int64_t ns = causes.totals()[static_cast<std::size_t>(cause)]; ns > 0)
            out << padded(say(wordsOf(static_cast<BubbleCause>(cause)), Language::English), 25)
                << aligned(fixed(toMs(ns), 2), 12) << aligned(percent(shareOf(causes, ns)), 8) << '\n';
    if (const auto steps = waterfallOf(run, causes)) printWaterfall(out, *steps);
    const CriticalPath path = criticalPath(causes.graph());
    out << "\ncritical path: " << path.nodes.size() << " operations";
    for (int op = 0; op < kOpCount; ++op)
        if (const std::int64_t ns = path.time_ns[static_cast<std::size_t>(op)]; ns > 0)
            out << ", " << opText(static_cast<Op>(op)) << ' ' << fixed(toMs(ns), 2) << " ms";
    out << ", messages " << fixed(toMs(path.messages_ns), 2) << " ms, pauses "
        << fixed(toMs(path.pauses_ns), 2) << " ms\n";
    const std::size_t shown = std::min(kGapsInWords, causes.gaps().size());
    out << "\nThe longest " << shown << " of " << causes.gaps().size() << " gaps:\n";
    for (std::size_t i = 0; i < shown; ++i)
        out << aligned(percent(shareOf(causes, causes.gaps()[i].length_ns())), 7) << "  "
            << say(causes.words(causes.gaps()[i]), Language::English) << '\n';
}

}  // namespace bscope::cli
