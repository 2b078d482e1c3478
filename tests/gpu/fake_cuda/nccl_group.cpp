#include "nccl_group.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "fake.h"

namespace fake {

namespace {

// The same in all processes (FNV-1a).
std::uint64_t partId(std::uint64_t parent, std::size_t split, int color) {
    std::uint64_t id = 0xcbf29ce484222325U;
    for (const std::uint64_t part : {parent, std::uint64_t{split}, static_cast<std::uint64_t>(color)})
        for (int shift = 0; shift < 64; shift += 8) id = (id ^ ((part >> shift) & 0xff)) * 0x100000001b3U;
    return id;
}

}  // namespace

void Group::add(int rank, const Member& member, int size) {
    const std::string call = "ncclCommInitRankConfig: ";
    if (size != size_)
        World::only().broken(call + "ranks disagree on how many they are, " + std::to_string(size) + " or " +
                             std::to_string(size_));
    for (const auto& [other, each] : members_) {
        if (each.device == member.device) World::only().broken(call + "two ranks on one GPU");
        if (other == rank) World::only().broken(call + "rank " + std::to_string(rank) + " came twice");
    }
    members_[rank] = member;
}

void Group::come(int rank, int device, int size) {
    add(rank, {::getpid(), device}, size);
    world_.tell({.kind = Entry::Kind::Came,
                 .group = id_,
                 .rank = rank,
                 .device = device,
                 .bytes = static_cast<std::uint64_t>(size)});
}

bool Group::isOfThisProcess() const {
    return std::all_of(members_.begin(), members_.end(),
                       [](const auto& each) { return each.second.process == ::getpid(); });
}

void Group::sit(int rank, std::size_t split, Seat seat) {
    if (splits_.size() <= split) splits_.resize(split + 1);
    splits_[split][rank] = seat;
    world_.tell({.kind = Entry::Kind::Sat,
                 .group = id_,
                 .rank = rank,
                 .color = seat.color,
                 .key = seat.key,
                 .number = split});
}

bool Group::isSplitComplete(std::size_t split) const {
    return split < splits_.size() && static_cast<int>(splits_[split].size()) == size_;
}

std::pair<std::shared_ptr<Group>, int> Group::partOf(std::size_t split, int rank) {
    const auto& seats = splits_.at(split);
    const int color = seats.at(rank).color;
    std::vector<std::pair<int, int>> order;  // key, rank here
    for (const auto& [each, seat] : seats)
        if (seat.color == color) order.emplace_back(seat.key, each);
    std::sort(order.begin(), order.end());
    const auto part = world_.group(partId(id_, split, color), static_cast<int>(order.size()));
    int found = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        part->members_[static_cast<int>(i)] = members_.at(order[i].second);
        if (order[i].second == rank) found = static_cast<int>(i);
    }
    return {part, found};
}

Group::Way Group::wayOf(const Message& message) {
    return message.receives ? Way(message.peer, message.rank) : Way(message.rank, message.peer);
}

MessageHandle Group::put(const Message& message) {
    Side& side = (message.receives ? receives_ : sends_)[wayOf(message)];
    const auto made = std::make_shared<Message>(message);
    made->number = side.handed++;
    side.open.push_back(made);
    return made;
}

MessageHandle Group::hand(int rank, int peer, bool receives, void* data, std::size_t bytes) {
    const MessageHandle made = put({rank, peer, receives, bytes, data});
    world_.tell({.kind = Entry::Kind::Handed,
                 .group = id_,
                 .rank = rank,
                 .peer = peer,
                 .receives = receives ? 1 : 0,
                 .number = made->number,
                 .bytes = bytes});
    return made;
}

void Group::begin(Message& message) {
    message.begun = true;
    const bool travels = !message.receives && members_.at(message.peer).process != ::getpid();
    world_.tell({.kind = Entry::Kind::Begun,
                 .group = id_,
                 .rank = message.rank,
                 .peer = message.peer,
                 .receives = message.receives ? 1 : 0,
                 .number = message.number,
                 .content = travels ? message.bytes : 0},
                message.data);
    meet(wayOf(message));
}

// The oldest of either side meet.
void Group::meet(const Way& way) {
    auto &sends = sends_[way].open, &receives = receives_[way].open;
    while (!sends.empty() && !receives.empty() && sends.front()->begun && receives.front()->begun) {
        Message &from = *sends.front(), &to = *receives.front();
        if (from.bytes != to.bytes)
            World::only().broken("a message of " + std::to_string(from.bytes) + " bytes meets a receive of " +
                                 std::to_string(to.bytes));
        if (to.data)
            std::memcpy(to.data, from.data ? from.data : from.content.data(), std::min(from.bytes, to.bytes));
        from.met = to.met = true;
        sends.pop_front();
        receives.pop_front();
    }
}

void Group::forget(int rank) {
    for (auto* const sides : {&sends_, &receives_})
        for (auto& [way, side] : *sides)
            std::erase_if(side.open, [&](const auto& each) { return each->rank == rank; });
}

void Group::leave(int rank) {
    forget(rank);
    world_.tell({.kind = Entry::Kind::Left, .group = id_, .rank = rank});
}

std::string Group::unmatched(int rank) const {
    const auto count = [](const std::map<Way, Side>& sides, const Way& way) {
        const auto found = sides.find(way);
        return found == sides.end() ? 0 : found->second.open.size();
    };
    for (const auto& [way, side] : receives_)
        if (way.second == rank && side.open.size() > count(sends_, way)) return "a receive";
    for (const auto& [way, side] : sends_)
        if (way.first == rank && side.open.size() > count(receives_, way)) return "a send";
    return "";
}

void Group::take(const Entry& entry, const std::vector<char>& content) {
    const Message message{entry.rank, entry.peer, entry.receives != 0, entry.bytes};
    switch (entry.kind) {
        case Entry::Kind::Came:
            add(entry.rank, {entry.process, entry.device}, static_cast<int>(entry.bytes));
            break;
        case Entry::Kind::Sat:
            if (splits_.size() <= entry.number) splits_.resize(entry.number + 1);
            splits_[entry.number][entry.rank] = {entry.color, entry.key};
            break;
        case Entry::Kind::Handed:
            put(message);
            break;
        case Entry::Kind::Begun: {
            const Way way = wayOf(message);
            for (const MessageHandle& each : (message.receives ? receives_ : sends_)[way].open)
                if (each->number == entry.number) {
                    each->begun = true;
                    each->content = content;
                }
            meet(way);
            break;
        }
        case Entry::Kind::Left:
            forget(entry.rank);
            break;
    }
}

std::shared_ptr<Group> NcclWorld::group(std::uint64_t id, int size) {
    auto& found = groups_[id];
    if (found) return found;
    found = std::make_shared<Group>(*this, id, size);
    const auto made = found;
    if (const auto early = early_.extract(id))
        for (const auto& [entry, content] : early.mapped()) made->take(entry, content);
    return made;
}

// All ranks have come and none is elsewhere: no process reads the journal.
bool NcclWorld::isOfThisProcess() const {
    const auto whole = groups_.find(kWhole);
    return whole != groups_.end() && whole->second->isComplete() && whole->second->isOfThisProcess();
}

void NcclWorld::tell(const Entry& entry, const void* content) {
    if (!isOfThisProcess()) journal_.tell(entry, content);
}

void NcclWorld::listen() {
    if (isOfThisProcess()) return;
    journal_.read([&](const Entry& entry, const std::vector<char>& content) {
        const auto found = groups_.find(entry.group);
        if (found == groups_.end())
            early_[entry.group].emplace_back(entry, content);
        else
            found->second->take(entry, content);
    });
}

}  // namespace fake
