#include "hang/flight_channels.h"

#include <algorithm>

#include "words/sentence_error.h"

namespace bscope {

FlightChannels::FlightChannels(const std::vector<FlightDump>& dumps) : dumps_(dumps) {
    std::map<std::string, int> numbers;
    for (std::size_t i = 0; i < dumps.size(); ++i) {
        const auto [known, is_new] = dump_of_rank_.emplace(dumps[i].rank, i);
        if (!is_new)
            throw SentenceError<>(sentence("{0} and {1} are both of rank {2}; give one dump a rank",
                                           dumps[known->second].file, dumps[i].file, dumps[i].rank));
        std::vector<int>& own = identities_.emplace_back();
        for (const FlightGroup& group : dumps[i].groups) {
            std::string name = group.name + "|";
            for (const int rank : group.ranks) name += std::to_string(rank) + ",";
            own.push_back(numbers.emplace(std::move(name), static_cast<int>(numbers.size())).first->second);
        }
    }
    for (std::size_t i = 0; i < dumps.size(); ++i) {
        const int rank = dumps[i].rank;
        std::vector<std::size_t>& places = places_.emplace_back(dumps[i].entries.size(), 0);
        for (std::size_t index = 0; index < places.size(); ++index) {
            const FlightEntry& each = dumps[i].entries[index];
            if (each.kind == FlightKind::Collective && !each.is_p2p)
                collectives_.emplace(std::tuple(rank, identity(rank, each), each.collective), index);
            if (each.kind != FlightKind::Send && each.kind != FlightKind::Receive) continue;
            FlightChannel& channel = channels_[keyOf(rank, each)];
            std::vector<std::size_t>& own = each.kind == FlightKind::Send ? channel.sends : channel.receives;
            places[index] = own.size();
            own.push_back(index);
        }
    }
    for (auto& [key, channel] : channels_) align(key, channel);
}

void FlightChannels::align(const Key& key, FlightChannel& channel) const {
    const auto& [group, from, to] = key;
    const FlightDump *source = dumpOf(from), *target = dumpOf(to);
    if (!source || !target) return;
    channel.is_counted = source->is_whole && target->is_whole;
    // A rank without any entry has posted nothing that it could have lost.
    if (source->entries.empty()) channel.is_counted = target->is_whole;
    if (target->entries.empty()) channel.is_counted = source->is_whole;
    if (channel.is_counted) {
        channel.ahead = 0;
        return;
    }
    const auto ended = [](const FlightDump& dump, const std::vector<std::size_t>& entries) {
        const auto first = std::ranges::find_if(
            entries, [&dump](std::size_t index) { return !dump.entries[index].is_done; });
        return first - entries.begin();
    };
    channel.ahead = ended(*source, channel.sends) - ended(*target, channel.receives);
}

const FlightDump* FlightChannels::dumpOf(int rank) const {
    const auto found = dump_of_rank_.find(rank);
    return found == dump_of_rank_.end() ? nullptr : &dumps_[found->second];
}

const FlightGroup& FlightChannels::groupOf(int rank, const FlightEntry& entry) const {
    return dumpOf(rank)->groups[static_cast<std::size_t>(entry.group)];
}

int FlightChannels::identity(int rank, const FlightEntry& entry) const {
    return identities_[dump_of_rank_.at(rank)][static_cast<std::size_t>(entry.group)];
}

FlightChannels::Key FlightChannels::keyOf(int rank, const FlightEntry& message) const {
    const bool sends = message.kind == FlightKind::Send;
    return {identity(rank, message), sends ? rank : message.peer, sends ? message.peer : rank};
}

std::size_t FlightChannels::placeOf(int rank, std::size_t index) const {
    return places_[dump_of_rank_.at(rank)][index];
}

std::optional<std::size_t> FlightChannels::otherSide(int rank, std::size_t index) const {
    const FlightEntry& own = entry(rank, index);
    const FlightChannel& channel = channels_.at(keyOf(rank, own));
    if (!channel.ahead) return std::nullopt;
    const auto place = static_cast<std::ptrdiff_t>(placeOf(rank, index));
    const bool sends = own.kind == FlightKind::Send;
    const std::vector<std::size_t>& others = sends ? channel.receives : channel.sends;
    const std::ptrdiff_t other = sends ? place - *channel.ahead : place + *channel.ahead;
    if (other < 0 || other >= static_cast<std::ptrdiff_t>(others.size())) return std::nullopt;
    return others[static_cast<std::size_t>(other)];
}

std::optional<std::size_t> FlightChannels::collectiveOf(int rank, int group, std::int64_t number) const {
    const auto found = collectives_.find({rank, group, number});
    if (found == collectives_.end()) return std::nullopt;
    return found->second;
}

}  // namespace bscope
