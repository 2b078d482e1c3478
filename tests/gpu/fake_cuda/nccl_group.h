// What all ranks of a communicator have written into the journal: who has come, who joins which split, and
// the messages that they have handed over and begun. Ranks are threads of this process or of others; each
// process has this picture of its own, and what it changes it reports to the others in the world's journal.
// Under the lock of the World.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "journal.h"

namespace fake {

class NcclWorld;

struct Message {
    int rank, peer;
    bool receives;  // else the rank sends
    std::size_t bytes;
    void* data = nullptr;         // null: the rank is of another process
    std::vector<char> content{};  // of a send of another process that has begun
    std::uint64_t number = 0;
    bool begun = false, met = false, silent = false;
};
using MessageHandle = std::shared_ptr<Message>;

class Group {
public:
    struct Seat {
        int color, key;
    };

    Group(NcclWorld& world, std::uint64_t id, int size) : world_(world), id_(id), size_(size) {}

    int size() const { return size_; }
    bool isOfThisProcess() const;
    bool isComplete() const { return static_cast<int>(members_.size()) == size_; }

    void come(int rank, int device, int size);
    void sit(int rank, std::size_t split, Seat seat);
    bool isSplitComplete(std::size_t split) const;
    // Makes the part of it that has the rank's color, and says which rank that one has there.
    std::pair<std::shared_ptr<Group>, int> partOf(std::size_t split, int rank);
    // True for the first who asks.
    bool settlesSplit(std::size_t split) { return settled_.try_emplace(split, false).second; }
    bool& splitFails(std::size_t split) { return settled_[split]; }

    MessageHandle hand(int rank, int peer, bool receives, void* data, std::size_t bytes);
    void begin(Message& message);
    void leave(int rank);
    // What the rank has handed over and its peer has not: "a receive", "a send" or nothing.
    std::string unmatched(int rank) const;

    // What another process has written.
    void take(const Entry& entry, const std::vector<char>& content);

private:
    using Way = std::pair<int, int>;  // from, to
    struct Member {
        int process, device;
    };
    struct Side {
        std::deque<MessageHandle> open;
        std::uint64_t handed = 0;
    };
    void add(int rank, const Member& member, int size);
    MessageHandle put(const Message& message);
    void meet(const Way& way);
    void forget(int rank);
    static Way wayOf(const Message& message);

    NcclWorld& world_;
    const std::uint64_t id_;
    const int size_;
    std::map<int, Member> members_;
    std::vector<std::map<int, Seat>> splits_;  // by number, by rank
    std::map<std::size_t, bool> settled_;      // which of them fail
    std::map<Way, Side> sends_, receives_;
};

// One unique id: a journal and the groups that come of it.
class NcclWorld {
public:
    static constexpr std::uint64_t kWhole = 0;  // the group of all ranks

    explicit NcclWorld(const std::string& name) : journal_(name) {}
    std::shared_ptr<Group> group(std::uint64_t id, int size);
    void tell(const Entry& entry, const void* content = nullptr);
    void listen();

private:
    bool isOfThisProcess() const;

    Journal journal_;
    std::map<std::uint64_t, std::shared_ptr<Group>> groups_;
    // Entries of groups that this process has yet to make.
    std::map<std::uint64_t, std::vector<std::pair<Entry, std::vector<char>>>> early_;
};

}  // namespace fake
