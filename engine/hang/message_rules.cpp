// Names, words and verdicts of the rules; the machine that plays them is in message_machine.cpp.
#include "hang/message_rules.h"

#include <functional>
#include <utility>

#include "schedule/program.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {

const char* ruleName(MessageRule rule) {
    constexpr std::array names = {"buffered", "rendezvous", "pair-queue", "rank-queue"};
    return names.at(static_cast<std::size_t>(rule));
}

Sentence ruleTitle(MessageRule rule) {
    switch (rule) {
        case MessageRule::Buffered:
            return sentence("sends are buffered, receives wait where they stand");
        case MessageRule::Rendezvous:
            return sentence("sends and receives wait for each other (rendezvous)");
        case MessageRule::PairQueue:
            return sentence("one queue for two ranks, both directions");
        case MessageRule::RankQueue:
            return sentence("one queue a rank: a posted receive holds what comes after it");
    }
    return {};
}

Sentence WaitingRank::text() const {
    if (waits_for == rank)
        return sentence("rank {0} stands at {1} until it does {2} itself, which comes later", rank,
                        toText(action), toText(until));
    return sentence("rank {0} stands at {1} until rank {2} does {3}", rank, toText(action), waits_for,
                    toText(until));
}

Sentence circleText(const std::vector<WaitingRank>& ranks) {
    std::vector<Sentence> all;
    for (const WaitingRank& each : ranks) all.push_back(each.text());
    return inARow(all);
}

Sentence RuleOutcome::text(const RuleOutcome* anew) const {
    constexpr double kNsOfUnit = 1e9;
    constexpr int kDigits = 6;
    const auto units = [](std::int64_t ns) {
        return shortText(static_cast<double>(ns) / kNsOfUnit, kDigits);
    };
    if (!runs())
        return sentence("{0}: stands still, messages delivered before: {1}; {2}", ruleTitle(rule), messages,
                        cycle.empty() ? standing.front().text() : circleText(cycle));
    if (anew && makespan_ns > anew->makespan_ns)
        return sentence("{0}: runs, makespan {1}; {2} with the messages rearranged", ruleTitle(rule),
                        units(makespan_ns), units(anew->makespan_ns));
    return sentence("{0}: runs, makespan {1}", ruleTitle(rule), units(makespan_ns));
}

namespace {

using MessageLists = std::vector<std::vector<Action>>;

std::vector<RuleOutcome> judgeLists(const Schedule& schedule, const MessageLists& lists,
                                    const RuleCosts& costs) {
    std::vector<RuleOutcome> outcomes;
    for (const MessageRule rule : kMessageRules) {
        auto outcome = playMessages(schedule, lists, rule, costs);
        if (!outcome) return {};
        outcomes.push_back(std::move(*outcome));
    }
    return outcomes;
}

// cellOf: the identity, or what takes a cell out of one of a file.
void addActions(MessageLists& lists, const auto& cells, const auto& cellOf) {
    std::vector<Action>& list = lists.emplace_back();
    for (const auto& each : cells)
        if (const Cell& cell = cellOf(each); cell.kind == Cell::Kind::Action && cell.action.op != Op::ReduceGradients)
            list.push_back(cell.action);
}

}  // namespace

std::vector<std::vector<Action>> messageLists(const ScheduleFile& file) {
    if (!file.has_communication) return lower(file.schedule).actions;
    MessageLists lists;
    for (const std::vector<FileCell>& row : file.rows)
        addActions(lists, row, [](const FileCell& each) -> const Cell& { return each.cell; });
    return lists;
}

std::vector<RuleOutcome> judgeMessages(const ScheduleFile& file, const RuleCosts& costs) {
    return file.computes ? judgeLists(file.schedule, messageLists(file), costs) : std::vector<RuleOutcome>();
}

std::vector<RuleOutcome> judgeSafeMessages(const ScheduleFile& file, const RuleCosts& costs) {
    MessageLists lists;
    for (const std::vector<Cell>& list : safeMessages(file)) addActions(lists, list, std::identity());
    return judgeLists(file.schedule, lists, costs);
}

}  // namespace bscope
