// RawSocket: a plain connection to a port of this machine that sends and reads lines, for tests of what
// listens.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace bscope {

class RawSocket {
public:
    RawSocket() = default;
    ~RawSocket() { close(); }
    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;

    void connect(int port) {
        socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
    }
    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }
    void send(const std::string& text) { (void)!::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
    // Without its end; empty when the other side closed or nothing came within a minute.
    std::string line() {
        constexpr int kPatience_ms = 60'000;
        for (std::size_t end = held_.find('\n'); end == std::string::npos; end = held_.find('\n')) {
            pollfd waiting{socket_, POLLIN, 0};
            char bytes[4096];
            if (::poll(&waiting, 1, kPatience_ms) <= 0) return {};
            const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
            if (count <= 0) return {};
            held_.append(bytes, static_cast<std::size_t>(count));
        }
        const std::size_t end = held_.find('\n');
        std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        return line;
    }

private:
    int socket_ = -1;
    std::string held_;
};

}  // namespace bscope
