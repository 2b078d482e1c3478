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
    for (const FlightDump& dump : dumps_)
        if (const auto own = planned(dump.rank); own && dump.is_whole) nameCounted(dump, *own);
    nameByOrder();
    for (const FlightDump& dump : dumps_) {
        const auto own = planned(dump.rank);
        if (!own) continue;
        const PlannedName* last = nullptr;  // send: what was posted for later says nothing of the computation
        for (const auto& [entry, name] : names_[dump.rank])
            if (dump.entries[entry].kind == FlightKind::Send) last = &name;
        if (last || dump.is_whole)
            next_[dump.rank] = plan_.computationAfter(*own, last ? last->message.made_position : -1);
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

PlannedNames::Side PlannedNames::sideOf(const FlightDump& dump, int own, bool sends) const {
    Side side{dump.rank, own, sends, {}, {}, {}, {}};
    for (const std::size_t index : messagesOf(dump))
        if ((dump.entries[index].kind == FlightKind::Send) == sends) side.seen.push_back(index);
    std::map<int, std::pair<int, const PlannedMessage*>> by_position;
    for (int peer = 0; peer < plan_.ranks(); ++peer)
        for (const PlannedMessage& each : sends ? plan_.messages(own, peer) : plan_.messages(peer, own))
            by_position[sends ? each.send_position : each.receive_position] = {peer, &each};
    for (const auto& [position, step] : by_position) {
        side.peers.push_back(step.first);
        side.steps.push_back(step.second);
    }
    return side;
}

// Records that have lost their beginning, as far as one leads to the next.
void PlannedNames::nameByOrder() {
    std::vector<Side> open;
    for (const FlightDump& dump : dumps_) {
        const auto own = planned(dump.rank);
        if (!own || dump.is_whole) continue;
        for (const bool sends : {true, false}) {
            Side side = sideOf(dump, *own, sends);
            if (!side.seen.empty() && !side.steps.empty()) open.push_back(std::move(side));
        }
    }
    // What whole records have named leads to the others as well.
    for (const FlightDump& dump : dumps_)
        if (const auto own = planned(dump.rank); own && dump.is_whole)
            for (const bool sends : {true, false}) nameOtherSides(sideOf(dump, *own, sends));
    for (bool progress = true; progress;) {
        progress = false;
        for (Side& side : open) {
            if (side.last || !place(side)) continue;
            name(side);
            nameOtherSides(side);
            progress = true;
        }
    }
    std::set<int> unnamed;
    for (const Side& side : open)
        if (!side.last) unnamed.insert(side.rank);
    if (!unnamed.empty())
        notes_.push_back(
            sentence("the records of ranks {0} have lost their beginning and do not fit the plan at one "
                     "place alone; their messages have no names",
                     rankList({unnamed.begin(), unnamed.end()})));
}

// The one step at which the record can have ended: all of it fits, and what is named already has that name.
bool PlannedNames::place(Side& side) {
    constexpr std::size_t kCompared = 4096;  // from the end; more is no other place
    const FlightDump& dump = *channels_.dumpOf(side.rank);
    const std::size_t steps = side.steps.size();
    std::vector<int> peers;  // the last one first
    std::vector<std::optional<Action>> known;
    for (std::size_t back = 0; back < std::min(side.seen.size(), kCompared); ++back) {
        const std::size_t entry = side.seen[side.seen.size() - 1 - back];
        const auto name = of(side.rank, entry);
        peers.push_back(*planned(dump.entries[entry].peer));
        known.push_back(name ? std::optional(name->message.send) : std::nullopt);
    }
    std::vector<std::size_t> at_ends;
    for (std::size_t end = 0; end < steps && at_ends.size() < 2; ++end) {
        std::size_t step = end, back = 0;
        while (back < peers.size() && peers[back] == side.peers[step] &&
               (!known[back] || *known[back] == side.steps[step]->send)) {
            ++back;
            step = step > 0 ? step - 1 : steps - 1;
        }
        if (back == peers.size()) at_ends.push_back(end);
    }
    if (at_ends.size() == 1) side.last = at_ends.front();
    return side.last.has_value();
}

void PlannedNames::name(const Side& side) {
    const std::size_t steps = side.steps.size();
    for (std::size_t back = 0; back < side.seen.size(); ++back) {
        const PlannedMessage& message = *side.steps[(*side.last + steps - back % steps) % steps];
        names_[side.rank][side.seen[side.seen.size() - 1 - back]] = {
            -1, side.sends ? message.send_position : message.receive_position, message};
    }
}

// The other rank's side of what this one has names for.
void PlannedNames::nameOtherSides(const Side& side) {
    for (const std::size_t entry : side.seen) {
        const auto known = of(side.rank, entry);
        const auto other = channels_.otherSide(side.rank, entry);
        if (!known || !other) continue;
        const int peer = channels_.entry(side.rank, entry).peer;
        if (of(peer, *other)) continue;
        names_[peer][*other] = {
            -1, side.sends ? known->message.receive_position : known->message.send_position, known->message};
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
