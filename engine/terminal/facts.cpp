#include "terminal/facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "terminal/lanes.h"
#include "view/gap.h"
#include "view/life.h"
#include "view/text/operation_name.h"
#include "words/number_text.h"
#include "words/shown.h"

namespace bscope::terminal {
namespace {

std::string ms(double ns) {
    return millisecondsText(ns / 1e6);
}

Sentence boxFacts(const PreparedView& view, const Event& event) {
    const Sentence length =
        sentence("{0} to {1} ms, {2} ms long", ms(view.relative(event.start_ns)),
                 ms(view.relative(event.end_ns)), ms(static_cast<double>(event.duration_ns())));
    if (event.microbatch < 0)
        return sentence("{0} · rank {1} · {2}", sentence(operationName(event.op)), event.rank, length);
    Sentence more;
    const double usual_ns = view.usualDuration(event.op, event.stage);
    constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();
    const std::int64_t slack_ns =
        view.analysis() ? view.analysis()->slackOf(event).value_or(kUnknown) : kUnknown;
    if (usual_ns > 0) more = sentence("usually {0} ms", ms(usual_ns));
    if (slack_ns != kUnknown) {
        const Sentence slack = sentence("slack {0} ms", ms(static_cast<double>(slack_ns)));
        more = more.empty() ? slack : sentence("{0}, {1}", more, slack);
    }
    const Sentence facts =
        sentence("{0}: {1} of micro-batch {2}, stage {3}, rank {4} · {5}", toText(event.action()),
                 sentence(operationName(event.op)), microbatchNumber(view.view(), event),
                 view.stageInReplica(event.stage), event.rank, length);
    return more.empty() ? facts : sentence("{0} · {1}", facts, more);
}

Sentence gapFacts(const PreparedView& view, int rank, const IdlePeriod& period) {
    const Gap* gap = view.gapOf(period);
    if (gap == nullptr)
        return sentence("rank {0} stands still from {1} to {2} ms; the cause is not known yet", rank,
                        ms(view.relative(period.start_ns)), ms(view.relative(period.end_ns)));
    GapWording wording;
    wording.ranks_are_gpus = view.view().ranksAreGpus();
    return view.causes()->words(*gap, wording);
}

// The causes with the greatest parts first.
std::string idleByCause(const PreparedView& view, Language language) {
    const BubbleCauses* causes = view.causes();
    if (causes == nullptr || causes->idle_ns() <= 0) return {};
    std::vector<std::pair<std::int64_t, BubbleCause>> parts;
    for (int i = 0; i < kBubbleCauses; ++i)
        if (const std::int64_t part = causes->totals()[static_cast<std::size_t>(i)]; part > 0)
            parts.emplace_back(part, static_cast<BubbleCause>(i));
    std::ranges::stable_sort(parts, std::greater(), &std::pair<std::int64_t, BubbleCause>::first);
    std::string text =
        say(sentence("idle, all ranks, {0} ms:", ms(static_cast<double>(causes->idle_ns()))), language);
    for (const auto& [part, cause] : parts)
        text += " " + say(wordsOf(cause), language) + " " +
                percentText(static_cast<double>(part) / static_cast<double>(causes->idle_ns())) +
                (&part == &parts.back().first ? "" : ",");
    return text;
}

}  // namespace

std::string factsOf(const Scene& scene) {
    if (!scene.notices.empty()) {
        std::string text;
        for (const Sentence& notice : scene.notices)
            text += (text.empty() ? "" : " ") + say(notice, scene.language);
        return text;
    }
    if (scene.view == nullptr) return {};
    const PreparedView& view = *scene.view;
    if (scene.look->box)
        if (const auto event = eventOf(view, *scene.look->box))
            return say(boxFacts(view, *event), scene.language);
    if (scene.look->gap)
        if (const auto period = gapOf(view, *scene.look->gap))
            return say(gapFacts(view, scene.look->gap->rank, *period), scene.language);
    return idleByCause(view, scene.language);
}

std::string titleOf(const Scene& scene) {
    if (scene.view == nullptr) return "Bubblescope";
    const IterationView& view = scene.view->view();
    const ScheduleParams& params = view.config.params;
    const CatalogEntry* entry = findSchedule(view.config.schedule);
    return (entry != nullptr ? bscope::titleOf(*entry, scene.language)
                             : shown(bscope::titleOf(view.config.schedule))) +
           " · p=" + std::to_string(params.p) + " m=" + std::to_string(params.m) +
           " v=" + std::to_string(params.v) + " d=" + std::to_string(params.d) +
           (params.zero > 0 ? " ZeRO-" + std::to_string(params.zero) : "") +
           (params.t > 1 ? " t=" + std::to_string(params.t) : "") +
           (view.config.sequence_parallel ? " SP" : "") +
           (params.segments > 1 ? " q=" + std::to_string(params.segments) : "") + " · " +
           say(sentence("iteration {0}", view.number()), scene.language);
}

std::string badgeOf(const Scene& scene) {
    if (scene.view == nullptr) return {};
    const Provenance provenance = scene.view->provenance();
    constexpr std::array kSigns{"●", "◐", "○", "◆"};
    std::string badge =
        std::string(kSigns.at(static_cast<std::size_t>(provenance))) + " " + toText(provenance);
    const IterationView& view = scene.view->view();
    const std::string from = view.import ? view.import->source : view.device;
    return from.empty() ? badge : badge + " · " + shown(from);
}

std::vector<std::string> numbersOf(const Scene& scene) {
    std::vector<std::string> numbers;
    if (scene.view == nullptr) return numbers;
    const PreparedView& view = *scene.view;
    const IterationReport* report = reportOf(scene);
    const IterationSummary* summary = view.numbers();
    const double bubble = summary != nullptr  ? summary->bubble_of_total
                          : report != nullptr ? report->bubble_of_total
                                              : std::numeric_limits<double>::quiet_NaN();
    const auto add = [&](const Sentence& what) { numbers.push_back(say(what, scene.language)); };
    if (!std::isnan(bubble)) {
        add(view.view().isStream()
                ? sentence("bubble {0} % of total = idle / the ranks' own windows", percentNumber(bubble))
                : sentence("bubble {0} % of total = idle / ({1} × iteration)", percentNumber(bubble),
                           view.view().config.params.layout().worldText("·")));
    }
    if (summary == nullptr && report != nullptr)
        add(sentence("(of iteration {0})",
                     iterationNumber(report->iteration, view.view().import != nullptr)));
    if (summary != nullptr)
        numbers.push_back(ms(static_cast<double>(summary->iteration_ns)) + " ms");
    else if (report != nullptr)
        numbers.push_back(millisecondsText(report->iteration_ms) + " ms");
    const double tokens_per_s = report != nullptr ? report->tokens_per_s : view.view().planned_tokens_per_s;
    if (tokens_per_s > 0) numbers.push_back(fixedText(tokens_per_s, 0) + " tokens/s");
    if (report != nullptr && report->loss > 0) add(sentence("loss {0}", fixedText(report->loss, 3)));
    return numbers;
}

}  // namespace bscope::terminal
