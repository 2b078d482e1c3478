// The way from a gap back to what it hung on, and a gap in words.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/causes.h"
#include "schedule/index.h"
#include "words/said.h"

namespace bscope {

namespace {

Action actionOf(const Event& e) {
    return {e.stage, e.op, e.microbatch};
}

// Three digits that matter, at most three behind the point.
std::string msText(std::int64_t ns) {
    const double ms = static_cast<double>(ns) / 1e6;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", ms >= 10 ? 1 : ms >= 1 ? 2 : 3, ms);
    return text;
}

std::string percentOver(double factor) {
    return std::to_string(std::lround(100 * (factor - 1)));
}

// "4.10 ms because rank 2 is 14 % slower than the others"
Sentence partWords(BubbleCause cause, std::int64_t ns, const Usual& usual, int ranks) {
    const Outliers& found = usual.outliers();
    if (cause == BubbleCause::SlowRank && found.slow_rank) {
        int slow = 0;
        for (int rank = 0; rank < ranks; ++rank) slow += usual.slowness(rank) > 1;
        if (slow == 1)
            return sentence("{0} ms because rank {1} is {2} % slower than the others", msText(ns),
                            found.slow_rank->index, percentOver(found.slow_rank->factor));
        return sentence("{0} ms because of {1} slow ranks, most of all rank {2}", msText(ns), slow,
                        found.slow_rank->index);
    }
    if (cause == BubbleCause::Imbalance && found.slow_stage)
        return sentence("{0} ms because stages are unequal, stage {1} is {2} % heavier than the others",
                        msText(ns), found.slow_stage->index, percentOver(found.slow_stage->factor));
    return sentence("{0} ms {1}", msText(ns), wordsOf(cause));
}

}  // namespace

std::vector<Reason> BubbleCauses::reasons(const Gap& gap) const {
    std::vector<Reason> found;
    int index = gap.after;
    if (!gap.next && graph_.last() != EventGraph::kNone) {
        index = graph_.last();
        const Event& e = *graph_.node(index).event;
        found.push_back({Reason::Kind::Operation, e.rank, -1, actionOf(e), e.start_ns, e.end_ns, index});
    }
    while (index != EventGraph::kNone && graph_.node(index).event->start_ns > gap.start_ns) {
        const EventGraph::Node& node = graph_.node(index);
        const Event& e = *node.event;
        if (node.pause_ns() > 0)
            found.push_back({Reason::Kind::Pause, e.rank, -1, actionOf(e), node.free_ns, e.start_ns, index});
        const int reason = node.reason();
        const Event* const before = reason != EventGraph::kNone ? graph_.node(reason).event : nullptr;
        const std::int64_t sent_ns = node.free_ns - (node.message_binds ? node.transit_ns : 0);
        if (node.message_binds)
            found.push_back({Reason::Kind::Message, before != nullptr ? before->rank : -1, e.rank,
                             actionOf(before != nullptr ? *before : e), sent_ns, node.free_ns, reason});
        if (before == nullptr)
            found.push_back({Reason::Kind::Start, e.rank, -1, actionOf(e), sent_ns, sent_ns, index});
        if (before == nullptr || before->end_ns <= gap.start_ns) break;
        found.push_back({Reason::Kind::Operation, before->rank, -1, actionOf(*before), before->start_ns,
                         before->end_ns, reason});
        index = reason;
    }
    return found;
}

Sentence BubbleCauses::words(const Gap& gap) const {
    std::vector<BubbleCause> causes;
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        if (gap.parts[at(cause)] > 0) causes.push_back(static_cast<BubbleCause>(cause));
    std::ranges::stable_sort(causes, std::ranges::greater(),
                             [&](BubbleCause cause) { return gap.parts[static_cast<std::size_t>(cause)]; });
    std::vector<Sentence> parts;
    for (const BubbleCause cause : causes)
        parts.push_back(partWords(cause, gap.parts[static_cast<std::size_t>(cause)], usual_, graph_.ranks()));
    const Sentence all = inARow(parts);

    const std::vector<Reason> chain = reasons(gap);
    const auto count = [&](Reason::Kind kind) { return std::ranges::count(chain, kind, &Reason::kind); };
    const auto awaited = std::ranges::find(chain, Reason::Kind::Operation, &Reason::kind);
    if (!gap.next)
        return sentence(
            "Rank {0} has done its part {1} ms before the iteration ends with {2} of rank {3}; operations on "
            "the way there: {4}, messages: {5}. Of that: {6}.",
            gap.rank, msText(gap.length_ns()), toText(chain.front().action), chain.front().rank,
            count(Reason::Kind::Operation), count(Reason::Kind::Message), all);
    if (awaited != chain.end() && awaited->rank != gap.rank)
        return sentence(
            "Rank {0} waits {1} ms for {2} of rank {3}; operations on the way there: {4}, messages: {5}. Of "
            "that: {6}.",
            gap.rank, msText(gap.length_ns()), toText(awaited->action), awaited->rank,
            count(Reason::Kind::Operation), count(Reason::Kind::Message), all);
    return sentence("Rank {0} does nothing for {1} ms before {2}. Of that: {3}.", gap.rank,
                    msText(gap.length_ns()), toText(*gap.next), all);
}

}  // namespace bscope
