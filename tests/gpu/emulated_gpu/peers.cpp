#include "peers.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace emulated {

namespace {

struct Header {
    Frame kind;
    std::int32_t a, b;
    std::uint64_t bytes;
};

Socket made() {
    Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
    return socket;
}

// A name that begins with a zero is in no folder.
std::pair<sockaddr_un, socklen_t> addressOf(const std::string& id, int rank) {
    const std::string name = "bscope-" + id + "-" + std::to_string(rank);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
    std::memcpy(address.sun_path + 1, name.data(), length);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)};
}

}  // namespace

Socket::~Socket() {
    if (number_ >= 0) ::close(number_);
}

void Peer::send(Frame kind, std::int32_t a, std::int32_t b, const void* data, std::uint64_t bytes) {
    const Header header{kind, a, b, bytes};
    const auto* const head = reinterpret_cast<const char*>(&header);
    const auto* const body = static_cast<const char*>(data);
    unsent.insert(unsent.end(), head, head + sizeof(header));
    if (bytes > 0) unsent.insert(unsent.end(), body, body + bytes);
    pump();
}

void Peer::pump() {
    for (ssize_t sent = 1; !unsent.empty() && sent > 0 && !gone;) {
        sent = ::send(socket.number(), unsent.data(), unsent.size(), MSG_NOSIGNAL);
        if (sent > 0) unsent.erase(unsent.begin(), unsent.begin() + sent);
    }
    for (char bytes[65536]; !gone;) {
        const ssize_t got = ::recv(socket.number(), bytes, sizeof(bytes), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) break;
        gone = got <= 0;
        if (got > 0) unread.insert(unread.end(), bytes, bytes + got);
    }
    std::size_t at = 0;
    for (Header header; unread.size() - at >= sizeof(header);) {
        std::memcpy(&header, unread.data() + at, sizeof(header));
        if (unread.size() - at - sizeof(header) < header.bytes) break;
        const char* const data = unread.data() + at + sizeof(header);
        at += sizeof(header) + header.bytes;
        switch (header.kind) {
            case Frame::Hello:
                rank = header.a;
                break;
            case Frame::Split:
                splits.emplace_back(header.a, header.b);
                break;
            case Frame::Message:
                messages.emplace_back(data, data + header.bytes);
                break;
            case Frame::Taken:
                ++taken;
                break;
            case Frame::Error:
                failed = true;
                break;
        }
    }
    unread.erase(unread.begin(), unread.begin() + static_cast<std::ptrdiff_t>(at));
}

Peers::Peers(std::string id, int rank, int size) : id_(std::move(id)), rank_(rank), size_(size) {
    door_ = made();
    const auto [address, length] = addressOf(id_, rank_);
    if (::bind(door_.number(), reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
        ::listen(door_.number(), size_) != 0)
        throw std::runtime_error("rank " + std::to_string(rank_) + " of " + id_ + ": " +
                                 std::strerror(errno));
}

// Everybody knocks at the doors of the ranks before it.
bool Peers::meet() {
    for (int before = 0; before < rank_; ++before) {
        if (all_.contains(before)) continue;
        Socket socket = made();
        const auto [address, length] = addressOf(id_, before);
        if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), length) != 0) continue;
        const auto added = all_.emplace(before, Peer(std::move(socket))).first;
        added->second.send(Frame::Hello, rank_);
    }
    while (door_) {
        Socket socket(::accept4(door_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket) break;
        strangers_.emplace_back(std::move(socket));
    }
    for (Peer& stranger : strangers_) {
        stranger.pump();
        if (stranger.rank >= 0) all_.emplace(stranger.rank, std::move(stranger));
    }
    std::erase_if(strangers_, [](const Peer& stranger) { return !stranger.socket; });
    const bool complete = static_cast<int>(all_.size()) == size_ - 1;
    if (complete) door_ = Socket();
    return complete;
}

}  // namespace emulated
