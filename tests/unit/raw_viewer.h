// RawViewer: a viewer made of a plain socket and the stream's frames, for tests of the server. Keeps the
// bytes it got.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "test_token.h"
#include "wire/frame.h"

namespace bscope {

class RawViewer {
public:
    // receive_buffer_bytes > 0: a small one, so that a viewer that does not read stalls soon.
    explicit RawViewer(int port, int receive_buffer_bytes = 0) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer_bytes > 0)
            ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
    }
    ~RawViewer() { close(); }
    RawViewer(const RawViewer&) = delete;
    RawViewer& operator=(const RawViewer&) = delete;

    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }

    void sendBytes(std::string_view bytes) {
        (void)!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
    void send(const wire::Message& message) { sendBytes(encode(message)); }
    void attach(const std::string& token = kTestToken, std::uint32_t version = kProtocolVersion,
                bool watch_only = false) {
        wire::Message message;
        message.mutable_attach()->set_protocol_version(version);
        message.mutable_attach()->set_token(token);
        message.mutable_attach()->set_watch_only(watch_only);
        send(message);
    }
    void control(wire::Control::Verb verb) {
        wire::Message message;
        message.mutable_control()->set_verb(verb);
        send(message);
    }

    // The next message; nullopt when the other side closed or nothing came in time.
    std::optional<wire::Message> next(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        for (;;) {
            if (auto message = frames_.next()) {
                bytes_ += frames_.lastFrame();
                return message;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                deadline - std::chrono::steady_clock::now());
            pollfd waiting{socket_, POLLIN, 0};
            if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0)
                return std::nullopt;
            char chunk[1 << 16];
            const auto size = ::recv(socket_, chunk, sizeof chunk, 0);
            if (size <= 0) return std::nullopt;
            frames_.feed({chunk, static_cast<std::size_t>(size)});
        }
    }

    // Reads until a message of this kind comes and gives it; nullopt when none does. What it passed is in
    // passed().
    std::optional<wire::Message> until(wire::Message::BodyCase body,
                                       const std::function<bool(const wire::Message&)>& accept = nullptr) {
        passed_.clear();
        while (auto message = next()) {
            if (message->body_case() == body && (!accept || accept(*message))) return message;
            passed_.push_back(std::move(*message));
        }
        return std::nullopt;
    }
    // The same; throws when none comes.
    wire::Message expect(wire::Message::BodyCase body,
                         const std::function<bool(const wire::Message&)>& accept = nullptr) {
        auto message = until(body, accept);
        if (!message) throw std::runtime_error("the message that was waited for did not come");
        return std::move(*message);
    }
    const std::vector<wire::Message>& passed() const { return passed_; }
    // Every frame taken so far, byte for byte.
    const std::string& bytes() const { return bytes_; }

private:
    int socket_;
    FrameReader frames_;
    std::string bytes_;
    std::vector<wire::Message> passed_;
};

}  // namespace bscope
