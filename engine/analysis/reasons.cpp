// The way from a gap back to what it hung on, and a gap in words.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/causes.h"
#include "schedule/index.h"
#include "words/factor_text.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

std::string percentOver(double factor) {
    return std::to_string(std::lround(100 * (factor - 1)));
}

Sentence rankName(const GapWording& wording, int rank, bool begins_sentence) {
    if (wording.ranks_are_gpus) return sentence("GPU {0}", rank);
    return begins_sentence ? sentence("Rank {0}", rank) : sentence("rank {0}", rank);
}

// Why the one slow rank is slow, where that is known.
Sentence withLaunchGaps(const Sentence& words, const std::optional<double>& share) {
    if (!share || std::lround(100 * *share) == 0) return words;
    return sentence("{0}, {1} % of that through launch gaps inside its operations", words,
                    std::lround(100 * *share));
}

Sentence slowRankWords(const Outlier& found, const std::string& length, const Sentence& rank) {
    if (readsAsPercent(found.factor)) {
        const std::string percent = percentOver(found.factor);
        return found.twin >= 0
                   ? sentence(
                         "{0} because {1} or its stage {2} is {3} % slower than the others (with one "
                         "stage per rank the two cannot be distinguished)",
                         length, rank, found.twin, percent)
                   : sentence("{0} because {1} is {2} % slower than the others", length, rank, percent);
    }
    const std::string times = timesText(found.factor);
    return found.twin >= 0
               ? sentence(
                     "{0} because {1} or its stage {2} takes {3} times as long as the others (with one "
                     "stage per rank the two cannot be distinguished)",
                     length, rank, found.twin, times)
               : sentence("{0} because {1} takes {2} times as long as the others", length, rank, times);
}

Sentence heavyStageWords(const Outlier& found, const std::string& length, const GapWording& wording) {
    const std::string more =
        readsAsPercent(found.factor) ? percentOver(found.factor) : timesText(found.factor);
    if (found.twin < 0)
        return readsAsPercent(found.factor)
                   ? sentence("{0} because stages are unequal, stage {1} is {2} % heavier than the others",
                              length, found.index, more)
                   : sentence("{0} because stages are unequal, stage {1} is {2} times as heavy as the others",
                              length, found.index, more);
    const Sentence rank = rankName(wording, found.twin, false);
    return readsAsPercent(found.factor)
               ? sentence(
                     "{0} because stages are unequal, stage {1} is {2} % heavier than the others, or "
                     "{3} slower (with one stage per rank the two cannot be distinguished)",
                     length, found.index, more, rank)
               : sentence(
                     "{0} because stages are unequal, stage {1} is {2} times as heavy as the others, or "
                     "{3} slower (with one stage per rank the two cannot be distinguished)",
                     length, found.index, more, rank);
}

// "4.10 ms because rank 2 is 14 % slower than the others"
Sentence partWords(BubbleCause cause, std::int64_t ns, const Usual& usual, int ranks,
                   const GapWording& wording) {
    const Outliers& found = usual.outliers();
    const std::string length = wording.duration(ns);
    if (cause == BubbleCause::SlowRank && found.slow_rank) {
        int slow = 0;
        for (int rank = 0; rank < ranks; ++rank) slow += usual.slowness(rank) > 1;
        const Sentence slowest = rankName(wording, found.slow_rank->index, false);
        const int stage = found.slow_rank->twin;
        if (slow == 1)
            return withLaunchGaps(slowRankWords(*found.slow_rank, length, slowest),
                                  found.slow_rank->launch_gaps);
        if (stage >= 0)
            return sentence(
                "{0} because of {1} slow ranks, most of all {2} or its stage {3} (with one stage per rank "
                "the two cannot be distinguished)",
                length, slow, slowest, stage);
        return sentence("{0} because of {1} slow ranks, most of all {2}", length, slow, slowest);
    }
    if (cause == BubbleCause::Imbalance && found.slow_stage)
        return heavyStageWords(*found.slow_stage, length, wording);
    return sentence("{0} {1}", length, wordsOf(cause));
}

}  // namespace

std::string GapWording::durationText(std::int64_t ns) {
    const double ms = static_cast<double>(ns) / 1e6;
    return fixedText(ms, ms >= 10 ? 1 : ms >= 1 ? 2 : 3) + " ms";
}

std::vector<Reason> BubbleCauses::reasons(const Gap& gap) const {
    std::vector<Reason> found;
    int index = gap.after;
    if (!gap.next && graph_.last() != EventGraph::kNone) {
        index = graph_.last();
        const Event& e = *graph_.node(index).event;
        found.push_back({Reason::Kind::Operation, e.rank, -1, e.action(), e.start_ns, e.end_ns, index});
    }
    while (index != EventGraph::kNone && graph_.node(index).event->start_ns > gap.start_ns) {
        const EventGraph::Node& node = graph_.node(index);
        const Event& e = *node.event;
        if (node.pause_ns() > 0)
            found.push_back({Reason::Kind::Pause, e.rank, -1, e.action(), node.free_ns, e.start_ns, index});
        const int reason = node.reason();
        const EventRef before = reason != EventGraph::kNone ? graph_.node(reason).event : EventRef();
        const std::int64_t sent_ns = node.free_ns - (node.message_binds ? node.transit_ns : 0);
        if (node.message_binds)
            found.push_back({Reason::Kind::Message, before ? before->rank : -1, e.rank,
                             (before ? *before : e).action(), sent_ns, node.free_ns, reason});
        if (!before) found.push_back({Reason::Kind::Start, e.rank, -1, e.action(), sent_ns, sent_ns, index});
        if (!before || before->end_ns <= gap.start_ns) break;
        found.push_back({Reason::Kind::Operation, before->rank, -1, before->action(), before->start_ns,
                         before->end_ns, reason});
        index = reason;
    }
    return found;
}

Sentence BubbleCauses::words(const Gap& gap, const GapWording& wording) const {
    std::vector<BubbleCause> causes;
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (gap.parts[at(cause)] > 0) causes.push_back(static_cast<BubbleCause>(cause));
    std::ranges::stable_sort(causes, std::ranges::greater(),
                             [&](BubbleCause cause) { return gap.parts[static_cast<std::size_t>(cause)]; });
    std::vector<Sentence> parts;
    for (const BubbleCause cause : causes)
        parts.push_back(
            partWords(cause, gap.parts[static_cast<std::size_t>(cause)], usual_, graph_.ranks(), wording));
    const Sentence all = inARow(parts);

    const Sentence own = rankName(wording, gap.rank, true);
    const std::string length = wording.duration(gap.length_ns());
    const std::vector<Reason> chain = reasons(gap);
    const auto count = [&](Reason::Kind kind) { return std::ranges::count(chain, kind, &Reason::kind); };
    const auto awaited = std::ranges::find(chain, Reason::Kind::Operation, &Reason::kind);
    if (!gap.next)
        return sentence(
            "{0} has done its part {1} before the iteration ends with {2} of {3}, the end of a chain of "
            "operations ({4}) and messages ({5}). Of that: {6}.",
            own, length, wording.action(chain.front().action), rankName(wording, chain.front().rank, false),
            count(Reason::Kind::Operation), count(Reason::Kind::Message), all);
    if (awaited != chain.end() && awaited->rank != gap.rank)
        return sentence(
            "{0} waits {1} for {2} of {3}, the end of a chain of operations ({4}) and messages ({5}). "
            "Of that: {6}.",
            own, length, wording.action(awaited->action), rankName(wording, awaited->rank, false),
            count(Reason::Kind::Operation), count(Reason::Kind::Message), all);
    // It had been sent before the rank was free.
    const auto message = std::ranges::find(chain, Reason::Kind::Message, &Reason::kind);
    if (message != chain.end() && message->to == gap.rank && message->rank >= 0)
        return sentence("{0} waits {1} for the message with {2} of {3}, which is on its way. Of that: {4}.",
                        own, length, wording.action(message->action), rankName(wording, message->rank, false),
                        all);
    if (message != chain.end() && message->to == gap.rank)
        return sentence(
            "{0} waits {1} for the input of {2}, which was made outside this iteration. Of that: {3}.", own,
            length, wording.action(*gap.next), all);
    return sentence("{0} is idle for {1} before {2}. Of that: {3}.", own, length, wording.action(*gap.next),
                    all);
}

}  // namespace bscope
