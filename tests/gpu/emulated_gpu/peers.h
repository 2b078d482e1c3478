// The sockets between the ranks of an emulated link, in one process or several of this machine. Their names
// are abstract, so nothing is left behind however a process ends. Nothing waits. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emulated {

enum class Frame : std::int32_t { Hello, Split, Message, Taken, Error };

// Owns a file descriptor; -1: none.
class Socket {
public:
    explicit Socket(int number = -1) : number_(number) {}
    Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Socket();
    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

private:
    int number_;
};

// The way to one other rank, and what has come from there.
struct Peer {
    explicit Peer(Socket its_socket) : socket(std::move(its_socket)) {}
    void send(Frame kind, std::int32_t a = 0, std::int32_t b = 0, const void* data = nullptr,
              std::uint64_t bytes = 0);
    void pump();  // both ways, as far as it goes

    Socket socket;
    std::vector<char> unsent, unread;
    int rank = -1;                                             // who said hello
    std::deque<std::pair<std::int32_t, std::int32_t>> splits;  // color, key
    std::deque<std::vector<char>> messages;
    int taken = 0;  // of what was sent to it
    bool failed = false, gone = false;
};

// All peers of one rank.
class Peers {
public:
    Peers() = default;
    Peers(std::string id, int rank, int size);
    // Looks who has come meanwhile; true when all are there.
    bool meet();
    Peer& at(int rank) { return all_.at(rank); }
    std::map<int, Peer>& all() { return all_; }

    const std::string& id() const { return id_; }
    int rank() const { return rank_; }
    int size() const { return size_; }

private:
    std::string id_;
    int rank_ = 0, size_ = 1;
    Socket door_;
    std::deque<Peer> strangers_;  // have not said who they are
    std::map<int, Peer> all_;     // by rank
};

}  // namespace emulated
