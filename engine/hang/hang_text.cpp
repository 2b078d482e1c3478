// What a report says in words, and the verdict on the planned order.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {

Sentence OutstandingOperation::text() const {
    if (kind == FlightKind::Collective) return sentence("{0} number {1} of group {2}", name, number, group);
    const bool sends = kind == FlightKind::Send;
    if (message && computation)
        return sends ? sentence("{0} to rank {1}, made by {2}", toText(*message), peer, toText(*computation))
                     : sentence("{0} from rank {1}, which {2} needs", toText(*message), peer,
                                toText(*computation));
    return sends ? sentence("a send to rank {0}, {1}", peer, shape)
                 : sentence("a receive from rank {0}, {1}", peer, shape);
}

namespace {

// "14:05:09 UTC".
std::string timeOfDay(std::int64_t ns) {
    if (ns <= 0) return "?";
    std::int64_t seconds = ns / 1'000'000'000 % 86400;
    std::string text;
    for (const std::int64_t unit : {3600, 60, 1}) {
        const std::string digits = std::to_string(seconds / unit);
        text += (text.empty() ? "" : ":") + std::string(2 - digits.size(), '0') + digits;
        seconds %= unit;
    }
    return text + " UTC";
}

}  // namespace

std::string secondsText(double seconds) {
    return std::isnan(seconds) ? "?" : fixedText(seconds, 1);
}

Sentence HangRank::text() const {
    if (!has_dump) return sentence("no dump");
    if (!stands_at) {
        if (last.empty()) return sentence("recorded nothing that ended");
        return sentence(
            "nothing outstanding; the last that ended was {0}, {1} s before the end of the records", last,
            secondsText(idle_s));
    }
    const OutstandingOperation& at = *stands_at;
    const Sentence where = at.text();
    const std::string since = timeOfDay(at.since_ns), seconds = secondsText(at.waited_s);
    switch (at.other) {
        case OtherSide::NoDump:
            return sentence("stands at {0} since {1} ({2} s before the last record): no dump of rank {3}",
                            where, since, seconds, rankList(at.waits_for));
        case OtherSide::NotPosted:
            return at.kind == FlightKind::Collective ? sentence(
                                                           "stands at {0} since {1} ({2} s before the last "
                                                           "record): rank {3} has not joined",
                                                           where, since, seconds, rankList(at.waits_for))
                                                     : sentence(
                                                           "stands at {0} since {1} ({2} s before the last "
                                                           "record): rank {3} has not posted its side",
                                                           where, since, seconds, at.peer);
        case OtherSide::Ended:
            return sentence(
                "stands at {0} since {1} ({2} s before the last record): on rank {3} it has ended", where,
                since, seconds, at.peer);
        case OtherSide::Posted:
            break;
    }
    return sentence("stands at {0} since {1} ({2} s before the last record): it is posted on all sides",
                    where, since, seconds);
}

void addStacks(HangReport& report, const std::vector<StackDump>& stacks) {
    for (const StackDump& stack : stacks) {
        auto of = std::ranges::find(report.ranks, stack.rank, &HangRank::rank);
        if (of == report.ranks.end()) {
            HangRank& rank = report.ranks.emplace_back();
            rank.rank = stack.rank;
            of = std::prev(report.ranks.end());
        }
        if (!of->stack.empty())
            report.notes.push_back(sentence("{0} is another stack of rank {1}: the first one is shown", stack.file,
                                            stack.rank));
        else
            of->stack = stack.frames;
    }
    std::ranges::sort(report.ranks, {}, &HangRank::rank);
}

void judgePlan(HangReport& report, const Schedule& schedule, const MessagePlan& plan) {
    for (const MessageRule rule : kMessageRules) {
        const auto outcome = playMessages(schedule, plan.lists(), rule);
        if (!outcome || outcome->runs() || outcome->cycle.empty()) continue;
        std::vector<int> ranks;
        std::vector<Sentence> steps;
        for (const WaitingRank& each : outcome->cycle) {
            ranks.push_back(each.rank);
            steps.push_back(each.text());
        }
        report.findings.push_back({HangFinding::Kind::PlanStandsStill, std::move(ranks),
                                   sentence("the planned order stands still by itself where {0}: {1}",
                                            ruleTitle(rule), inARow(steps))});
        return;
    }
}

const char* kindName(HangFinding::Kind kind) {
    constexpr std::array names = {"order-differs",   "size-differs", "type-differs",     "collective-differs",
                                  "no-dump",         "never-posted", "not-joined",       "circle",
                                  "transfer-stands", "plan-differs", "plan-stands-still"};
    return names.at(static_cast<std::size_t>(kind));
}

bool HangReport::waits() const {
    return std::ranges::any_of(ranks, [](const HangRank& each) { return each.outstanding > 0; });
}

}  // namespace bscope
