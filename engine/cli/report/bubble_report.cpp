// Everything about the bubble of one iteration, for replay --bubble.
#include <algorithm>
#include <string>
#include <utility>

#include "analysis/critical_path.h"
#include "analysis/series_medians.h"
#include "analysis/waterfall.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/bubble_text.h"
#include "cli/report/straggler_text.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "view/view_data.h"
#include "words/catalog.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

constexpr std::size_t kGapsInWords = 10;

// Relative to the start of the iteration.
double sinceStart_ms(const BubbleCauses& causes, std::int64_t time_ns) {
    return toMs(time_ns - causes.summary().start_ns);
}

double shareOf(std::int64_t idle_ns, std::int64_t ns) {
    return idle_ns > 0 ? static_cast<double>(ns) / static_cast<double>(idle_ns) : 0;
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
            {"share_of_idle", shareOf(causes.idle_ns(), gap.length_ns())},
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
        if (step.twin >= 0) one["or"] = step.twin;
    }
    return steps;
}

const Gap& gapAt(const BubbleCauses& causes, int place) {
    const std::size_t count = causes.gaps().size();
    if (place < 1 || static_cast<std::size_t>(place) > count)
        throw SentenceError<>(sentence("there is no gap {0}; the iteration has {1}", place, count));
    return causes.gaps()[static_cast<std::size_t>(place) - 1];
}

Sentence linkWords(const Reason& reason) {
    const std::string action = toText(reason.action);
    switch (reason.kind) {
        case Reason::Kind::Operation:
            return sentence("{0} on rank {1}", action, reason.rank);
        case Reason::Kind::Message:
            return sentence("{0} to rank {1}", action, reason.to);
        case Reason::Kind::Pause:
            return sentence("pause before {0}", action);
        case Reason::Kind::Start:
            return sentence("start of rank {0}", reason.rank);
    }
    return {};
}

// "slow rank, rank 2": a step and which one it is most of.
Sentence stepWords(const WaterfallStep& step) {
    const Sentence what = wordsOf(step.kind);
    if (step.index < 0) return what;
    const bool of_stages = step.kind == WaterfallStep::Kind::UnequalStages;
    if (of_stages && step.twin >= 0)
        return sentence("{0}, stage {1} or rank {2}", what, step.index, step.twin);
    if (of_stages) return sentence("{0}, stage {1}", what, step.index);
    if (step.twin >= 0) return sentence("{0}, rank {1} or stage {2}", what, step.index, step.twin);
    if (step.to >= 0) return sentence("{0}, rank {1} to rank {2}", what, step.index, step.to);
    return sentence("{0}, rank {1}", what, step.index);
}

}  // namespace

void printCauses(const LinePrinter& printer, const CauseParts& parts, std::int64_t idle_ns) {
    if (idle_ns == 0) return printer.line("No rank is idle.");
    TextTable table("lrr");
    table.row({printer.words("cause"), printer.words("idle ms"), printer.words("share")});
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (const std::int64_t ns = parts[static_cast<std::size_t>(cause)]; ns > 0)
            table.row({printer.words(wordsOf(static_cast<BubbleCause>(cause))), fixed(toMs(ns), 2),
                       percent(shareOf(idle_ns, ns))});
    table.print(printer.out());
}

void printWaterfall(const LinePrinter& printer, const Schedule& schedule, const BubbleCauses& causes) {
    const auto found = waterfall(causes, schedule);
    if (!found) return;
    TextTable table("lrrrr");
    table.row({printer.words("this run minus theory"), printer.words("iteration ms"),
               printer.words("bubble of total"), printer.words("added ms"), printer.words("added points")});
    for (const WaterfallStep& step : found->steps)
        table.row({printer.words(stepWords(step)), fixed(toMs(step.iteration_ns), 2),
                   percent(step.bubble_of_total), fixed(toMs(step.added_ns), 2),
                   fixed(100 * step.added_bubble, 2)});
    printer.out() << '\n';
    table.print(printer.out());
    printer.out() << printer.words(
                         found->is_closed_form
                             ? sentence("The first step is the theory, the last one this iteration.")
                             : sentence("No theory is known: the first step is a prediction, the last "
                                        "one is this iteration."))
                  << '\n';
    const Sentence medians = found->comparedBy();
    printer.lines({&medians, 1});
}

void addBubble(nlohmann::ordered_json& out, const Schedule& schedule, const BubbleCauses& causes) {
    out["idle_ms"] = toMs(causes.idle_ns());
    out["causes_ms"] = causesJson(causes.totals());
    addOutliers(out, causes.usual().outliers());
    const auto steps = waterfall(causes, schedule);
    out["medians_of"] = causes.usual().iterations();
    out["waterfall"] = steps ? waterfallJson(*steps) : nlohmann::ordered_json();
}

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
                                  {"bubble_of_total", causes.summary().bubble_of_total}};
    addHeadline(out, run.straggler, adviceRequest(run, causes));
    addBubble(out, run.schedule, causes);
    out["critical_path"] = std::move(of_path);
    out["gaps"] = nlohmann::ordered_json::array();
    for (const Gap& gap : causes.gaps()) out["gaps"].push_back(gapJson(causes, gap));
    return out;
}

void printBubble(const LinePrinter& printer, const AnalysedRun& run) {
    const BubbleCauses causes = run.causes();
    std::ostream& out = printer.out();
    printer.line("{0}, iteration {1} [{2}]: {3} ms, bubble {4} of total, {5} ms idle on all ranks",
                 run.schedule.name, numberOf(run.report), toText(run.report.provenance),
                 fixed(toMs(causes.summary().iteration_ns), 2), percent(causes.summary().bubble_of_total),
                 fixed(toMs(causes.idle_ns()), 2));
    printHeadline(printer, run.straggler, adviceRequest(run, causes));
    printOutliers(printer, causes.usual().outliers());
    out << '\n';
    printCauses(printer, causes.totals(), causes.idle_ns());
    printWaterfall(printer, run.schedule, causes);
    const CriticalPath path = criticalPath(causes.graph());
    Sentence parts = sentence("messages {0} ms, pauses {1} ms", fixed(toMs(path.messages_ns), 2),
                              fixed(toMs(path.pauses_ns), 2));
    for (int op = kOpCount - 1; op >= 0; --op)
        if (const std::int64_t ns = path.time_ns[static_cast<std::size_t>(op)]; ns > 0)
            parts = sentence("{0} {1} ms, {2}", std::string(opText(static_cast<Op>(op))), fixed(toMs(ns), 2),
                             std::move(parts));
    out << '\n';
    printer.line("critical path: {0} operations, {1}", path.nodes.size(), parts);
    if (!causes.gaps().empty()) printGaps(printer, causes, kGapsInWords);
}

nlohmann::ordered_json gapJson(const AnalysedRun& run, int place) {
    const BubbleCauses causes = run.causes();
    return gapJson(causes, gapAt(causes, place));
}

void printGap(const LinePrinter& printer, const AnalysedRun& run, int place) {
    const BubbleCauses causes = run.causes();
    const Gap& gap = gapAt(causes, place);
    printer.line("gap {0} of {1} by length, {2} of the idle time:", place, causes.gaps().size(),
                 percent(shareOf(causes.idle_ns(), gap.length_ns())));
    printer.out() << printer.words(causes.words(gap)) << "\n\n";
    printCauses(printer, gap.parts, gap.length_ns());
    printer.out() << '\n';
    TextTable table("lrr");
    table.row({printer.words("why it waited, from its end backwards"), printer.words("from ms"),
               printer.words("lasts ms")});
    for (const Reason& reason : causes.reasons(gap))
        table.row({printer.words(linkWords(reason)), fixed(sinceStart_ms(causes, reason.start_ns), 3),
                   fixed(toMs(reason.end_ns - reason.start_ns), 3)});
    table.print(printer.out());
}

void printGaps(const LinePrinter& printer, const BubbleCauses& causes, std::size_t most,
               const GapWording& wording) {
    const std::size_t shown = std::min(most, causes.gaps().size());
    printer.out() << '\n';
    printer.line("The longest {0} of {1} gaps:", shown, causes.gaps().size());
    for (std::size_t i = 0; i < shown; ++i)
        printer.out() << aligned(percent(shareOf(causes.idle_ns(), causes.gaps()[i].length_ns())), 7) << "  "
                      << printer.words(causes.words(causes.gaps()[i], wording)) << '\n';
}

}  // namespace bscope::cli
