// RawSocket: a plain connection to a port of this machine, for tests of what listens.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bscope {

class RawSocket {
public:
    RawSocket() = default;
    ~RawSocket() { close(); }
    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;

    // receive_buffer_bytes > 0: a small one, so that a side that does not read stalls soon.
    void connect(int port, int receive_buffer_bytes = 0) {
        socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
        if (receive_buffer_bytes > 0)
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
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
    void send(std::string_view bytes) { (void)!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    // What has come; empty when the other side closed or nothing came in time.
    std::string_view receive(std::chrono::milliseconds patience) {
        pollfd waiting{socket_, POLLIN, 0};
        if (patience.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return {};
        const ssize_t count = ::recv(socket_, chunk_, sizeof chunk_, 0);
        return {chunk_, count > 0 ? static_cast<std::size_t>(count) : 0};
    }
    // Without its end; empty when the other side closed or nothing came within a minute.
    std::string line() {
        for (std::size_t end = held_.find('\n'); end == std::string::npos; end = held_.find('\n')) {
            const std::string_view bytes = receive(std::chrono::minutes(1));
            if (bytes.empty()) return {};
            held_ += bytes;
        }
        const std::size_t end = held_.find('\n');
        std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        return line;
    }

private:
    int socket_ = -1;
    char chunk_[1 << 16];
    std::string held_;
};

}  // namespace bscope
