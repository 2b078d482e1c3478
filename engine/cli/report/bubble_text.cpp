#include "cli/report/bubble_text.h"

#include <array>

#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "report/measured_report.h"
#include "words/factor_text.h"

namespace bscope::cli {

namespace {

nlohmann::ordered_json indexOf(const std::optional<Outlier>& found) {
    return found ? nlohmann::ordered_json(found->index) : nlohmann::ordered_json();
}

nlohmann::ordered_json twinOf(const std::optional<Outlier>& found) {
    return found && found->twin >= 0 ? nlohmann::ordered_json(found->twin) : nlohmann::ordered_json();
}

}  // namespace

nlohmann::ordered_json causesJson(const CauseParts& parts) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        out[toText(static_cast<BubbleCause>(cause))] = toMs(parts[static_cast<std::size_t>(cause)]);
    return out;
}

void addOutliers(nlohmann::ordered_json& out, const Outliers& found) {
    out["slow_rank"] = indexOf(found.slow_rank);
    out["slow_rank_launch_gaps"] = orNull(found.slow_rank ? found.slow_rank->launch_gaps : std::nullopt);
    out["slow_stage"] = indexOf(found.slow_stage);
    out["slow_rank_or_stage"] = twinOf(found.slow_rank);
    out["slow_stage_or_rank"] = twinOf(found.slow_stage);
    out["odd_microbatch"] = indexOf(found.odd_microbatch);
    out["slow_link"] = found.slow_link ? nlohmann::ordered_json({found.slow_link->index, found.slow_link->to})
                                       : nlohmann::ordered_json();
}

void addStraggler(nlohmann::ordered_json& out, const std::optional<Straggler>& found) {
    constexpr std::array kKinds{"rank", "stage", "microbatch", "link"};
    out["straggler"] = nlohmann::ordered_json();
    if (!found) return;
    nlohmann::ordered_json& straggler = out["straggler"];
    straggler["kind"] = kKinds[static_cast<std::size_t>(found->kind)];
    straggler["index"] = found->index;
    if (found->kind == Straggler::Kind::Link) straggler["to"] = found->to;
    if (found->twin >= 0) straggler["or"] = found->twin;
    if (found->launch_gaps) straggler["launch_gaps"] = *found->launch_gaps;
    straggler["factor"] = found->factor;
    straggler["iterations"] = found->found_in;
    straggler["of"] = found->of;
}

namespace {

// "rank 2", or what else it may be.
Sentence slowRankName(int rank, int twin) {
    return twin >= 0 ? sentence("rank {0} or its stage {1}", rank, twin) : sentence("rank {0}", rank);
}
Sentence heavyStageName(int stage, int twin) {
    return twin >= 0 ? sentence("stage {0} or its rank {1}", stage, twin) : sentence("stage {0}", stage);
}

// Nothing where it is not known.
void printLaunchGaps(const LinePrinter& printer, const std::optional<double>& share) {
    if (!share) return;
    if (roundsToNothing(*share))
        return printer.line(
            "none of its additional time are launch gaps beyond those of the other ranks: its kernels take "
            "longer themselves");
    printer.line(
        *share >= 0.5
            ? "{0} of its additional time are launch gaps beyond those of the other ranks: none of its "
              "kernels runs then, because the host launches late or another program uses the GPU"
            : "{0} of its additional time are launch gaps beyond those of the other ranks; the rest "
              "are its kernels, which take longer themselves",
        percent(*share));
}

}  // namespace

void printStraggler(const LinePrinter& printer, const Straggler& found) {
    const std::string factor = fixed(found.factor, 2);
    switch (found.kind) {
        case Straggler::Kind::Rank:
            printer.line("{0} is slow in {1} of the last {2} iterations, {3} times as long",
                         slowRankName(found.index, found.twin), found.found_in, found.of, factor);
            return printLaunchGaps(printer, found.launch_gaps);
        case Straggler::Kind::Stage:
            return printer.line("{0} is heavy in {1} of the last {2} iterations, {3} times as long",
                                heavyStageName(found.index, found.twin), found.found_in, found.of, factor);
        case Straggler::Kind::Microbatch:
            return printer.line(
                "micro-batch {0} is unusual in {1} of the last {2} iterations, {3} times as long",
                found.index, found.found_in, found.of, factor);
        case Straggler::Kind::Link:
            return printer.line(
                "the link from rank {0} to rank {1} is slow in {2} of the last {3} iterations, {4} times as "
                "long",
                found.index, found.to, found.found_in, found.of, factor);
    }
}

void printOutliers(const LinePrinter& printer, const Outliers& found,
                   const std::optional<Straggler>& straggler) {
    const auto line = [&printer](const Sentence& what, const Outlier& beyond) {
        if (beyond.iterations > 0)
            return printer.line("{0} (medians of {1} iterations, standard error {2})", what,
                                beyond.iterations, percent(beyond.standard_error));
        printer.line("{0} ({1} durations, standard error {2})", what, beyond.samples,
                     percent(beyond.standard_error));
    };
    const auto more = [](const Outlier& beyond) { return percent(beyond.factor - 1); };
    const auto times = [](const Outlier& beyond) { return timesText(beyond.factor); };
    if (const auto& rank = found.slow_rank) {
        const Sentence name = slowRankName(rank->index, rank->twin);
        line(readsAsPercent(rank->factor)
                 ? sentence("{0} is {1} slower than the others", name, more(*rank))
                 : sentence("{0} takes {1} times as long as the others", name, times(*rank)),
             *rank);
        printLaunchGaps(printer, rank->launch_gaps);
    }
    if (const auto& stage = found.slow_stage) {
        const Sentence name = heavyStageName(stage->index, stage->twin);
        line(readsAsPercent(stage->factor)
                 ? sentence("{0} takes {1} longer for the expected work than the others", name, more(*stage))
                 : sentence("{0} takes {1} times as long for the expected work as the others", name,
                            times(*stage)),
             *stage);
    }
    if (const auto& odd = found.odd_microbatch)
        line(readsAsPercent(odd->factor)
                 ? sentence("micro-batch {0} takes {1} longer than the others", odd->index, more(*odd))
                 : sentence("micro-batch {0} takes {1} times as long as the others", odd->index, times(*odd)),
             *odd);
    if (const auto& link = found.slow_link)
        line(readsAsPercent(link->factor)
                 ? sentence("messages from rank {0} to rank {1} take {2} longer than others", link->index,
                            link->to, more(*link))
                 : sentence("messages from rank {0} to rank {1} take {2} times as long as others",
                            link->index, link->to, times(*link)),
             *link);
    if (straggler) printStraggler(printer, *straggler);
    const auto isTwin = [](const auto& each) { return each && each->twin >= 0; };
    if (isTwin(found.slow_rank) || isTwin(found.slow_stage) || isTwin(straggler))
        printer.line(
            "With one stage per rank, a slow rank and a heavy stage cannot be distinguished; v >= 2, "
            "replicas or another placement would distinguish them.");
}

}  // namespace bscope::cli
