#include "hang/planned_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "schedule/index.h"

namespace bscope {

namespace {

bool carriesWholeNumbers(const FlightEntry& entry) {
    constexpr std::array<std::string_view, 6> types = {"Long", "Int", "Short", "Byte", "Char", "Bool"};
    return std::ranges::find(types, entry.type) != types.end();
}

}  // namespace

PlannedNames::PlannedNames(const std::vector<FlightDump>& dumps, const FlightChannels& channels,
                           const MessagePlan& plan)
    : dumps_(dumps), channels_(channels), plan_(plan) {
    findPipelines();
    for (const FlightDump& dump : dumps_) {
        const auto own = planned(dump.rank);
        if (!own) continue;
        if (dump.is_whole)
            nameCounted(dump, *own);
        else
            nameByItsEnd(dump, *own);
        std::pair<int, int> last(-1, -1);
        for (const auto& [entry, name] : names_[dump.rank])
            last = std::max(last, std::pair(name.iteration, name.position));
        if (last.second >= 0 || dump.is_whole) next_[dump.rank] = plan_.computationAfter(*own, last.second);
        if (plan_.isGiven() && dump.is_whole) compare(dump, *own);
    }
}

// A process group with as many ranks as the plan; else ranks that exchange messages, if they are as many.
void PlannedNames::findPipelines() {
    std::set<std::vector<int>> pipelines;
    std::map<int, std::set<int>> neighbours;
    for (const FlightDump& dump : dumps_)
        for (const FlightEntry& each : dump.entries) {
            if (!isMessage(each) || each.peer < 0) continue;
            neighbours[dump.rank].insert(each.peer);
            neighbours[each.peer].insert(dump.rank);
            const std::vector<int>& ranks = channels_.groupOf(dump.rank, each).ranks;
            if (static_cast<int>(ranks.size()) == plan_.ranks()) pipelines.insert(ranks);
        }
    std::set<int> placed;
    for (const std::vector<int>& ranks : pipelines) placed.insert(ranks.begin(), ranks.end());
    for (const auto& [first, its] : neighbours) {
        if (placed.contains(first)) continue;
        std::vector<int> found = {first};
        placed.insert(first);
        for (std::size_t i = 0; i < found.size(); ++i)
            for (const int other : neighbours[found[i]])
                if (placed.insert(other).second) found.push_back(other);
        std::ranges::sort(found);
        if (static_cast<int>(found.size()) == plan_.ranks())
            pipelines.insert(found);
        else
            notes_.push_back(sentence("the plan has {0} ranks; ranks {1} exchange messages, and are {2}",
                                      plan_.ranks(), rankList(found), found.size()));
    }
    for (const std::vector<int>& ranks : pipelines)
        for (std::size_t i = 0; i < ranks.size(); ++i) planned_.emplace(ranks[i], static_cast<int>(i));
}

std::optional<int> PlannedNames::planned(int rank) const {
    const auto found = planned_.find(rank);
    if (found == planned_.end()) return std::nullopt;
    return found->second;
}

std::optional<PlannedName> PlannedNames::of(int rank, std::size_t entry) const {
    const auto own = names_.find(rank);
    if (own == names_.end()) return std::nullopt;
    const auto found = own->second.find(entry);
    if (found == own->second.end()) return std::nullopt;
    return found->second;
}

std::optional<Action> PlannedNames::next(int rank) const {
    const auto found = next_.find(rank);
    if (found == next_.end()) return std::nullopt;
    return found->second;
}

std::vector<std::size_t> PlannedNames::messagesOf(const FlightDump& dump) const {
    std::vector<std::size_t> messages;
    for (std::size_t i = 0; i < dump.entries.size(); ++i)
        if (isMessage(dump.entries[i]) && !carriesWholeNumbers(dump.entries[i]) &&
            planned(dump.entries[i].peer))
            messages.push_back(i);
    return messages;
}

void PlannedNames::nameCounted(const FlightDump& dump, int own) {
    std::map<std::pair<bool, int>, std::size_t> counts;  // sends, peer
    for (const std::size_t index : messagesOf(dump)) {
        const FlightEntry& each = dump.entries[index];
        const bool sends = each.kind == FlightKind::Send;
        const int peer = *planned(each.peer);
        const auto& messages = sends ? plan_.messages(own, peer) : plan_.messages(peer, own);
        if (messages.empty()) {
            if (counts[{sends, peer}]++ > 0) continue;
            differences_.emplace_back(
                dump.rank, sends ? sentence("rank {0} sends to rank {1}, which the plan never does",
                                            dump.rank, each.peer)
                                 : sentence("rank {0} receives from rank {1}, which the plan never does",
                                            dump.rank, each.peer));
            continue;
        }
        const std::size_t count = counts[{sends, peer}]++;
        const PlannedMessage& message = messages[count % messages.size()];
        names_[dump.rank][index] = {static_cast<int>(count / messages.size()),
                                    sends ? message.send_position : message.receive_position, message};
    }
}

void PlannedNames::nameByItsEnd(const FlightDump& dump, int own) {
    struct Step {
        bool sends = false;
        int peer = -1, position = -1;
        const PlannedMessage* message = nullptr;
    };
    std::map<int, Step> by_position;
    for (int peer = 0; peer < plan_.ranks(); ++peer) {
        for (const PlannedMessage& each : plan_.messages(own, peer))
            by_position[each.send_position] = {true, peer, each.send_position, &each};
        for (const PlannedMessage& each : plan_.messages(peer, own))
            by_position[each.receive_position] = {false, peer, each.receive_position, &each};
    }
    std::vector<Step> steps;
    for (const auto& [position, step] : by_position) steps.push_back(step);
    const std::vector<std::size_t> seen = messagesOf(dump);
    if (steps.empty() || seen.empty()) return;
    const auto fits = [&](std::size_t from_end, std::size_t step) {
        const FlightEntry& each = dump.entries[seen[seen.size() - 1 - from_end]];
        return (each.kind == FlightKind::Send) == steps[step].sends && planned(each.peer) == steps[step].peer;
    };
    const auto before = [&steps](std::size_t end, std::size_t back) {
        return (end + steps.size() - back % steps.size()) % steps.size();
    };
    std::size_t best = 0, best_end = 0;
    bool is_alone = false;
    for (std::size_t end = 0; end < steps.size(); ++end) {
        std::size_t length = 0;
        while (length < seen.size() && fits(length, before(end, length))) ++length;
        if (length < best || length == 0) continue;
        is_alone = length > best;
        if (is_alone) best_end = end;
        best = length;
    }
    if (!is_alone || best < std::min(seen.size(), steps.size())) {
        notes_.push_back(
            sentence("rank {0}: its record has lost its beginning and does not fit the plan at one place "
                     "alone; its messages have no names",
                     dump.rank));
        return;
    }
    const auto whole = static_cast<int>((best - 1) / steps.size()) + 1;
    for (std::size_t back = 0; back < best; ++back) {
        const Step& step = steps[before(best_end, back)];
        const std::size_t unrolled = best_end + static_cast<std::size_t>(whole) * steps.size() - back;
        names_[dump.rank][seen[seen.size() - 1 - back]] = {static_cast<int>(unrolled / steps.size()),
                                                           step.position, *step.message};
    }
}

// Sends and receives in another order than the plan's own.
void PlannedNames::compare(const FlightDump& dump, int own) {
    std::vector<const Action*> steps;
    for (const Action& action : plan_.lists()[at(own)])
        if (isCommunication(action.op)) steps.push_back(&action);
    std::size_t count = 0;
    for (const std::size_t index : messagesOf(dump)) {
        const auto name = of(dump.rank, index);
        if (!name || steps.empty()) return;
        const bool sends = dump.entries[index].kind == FlightKind::Send;
        const Action& ran = sends ? name->message.send : name->message.receive;
        const Action& planned_step = *steps[count++ % steps.size()];
        if (ran == planned_step) continue;
        differences_.emplace_back(
            dump.rank, sentence("rank {0}: its message {1} is {2}, where the plan has {3}", dump.rank, count,
                                toText(ran), toText(planned_step)));
        return;
    }
}

}  // namespace bscope
