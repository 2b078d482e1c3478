// RawViewer: a viewer made of a plain socket and the stream's frames, for tests of the server. Keeps the
// bytes it got.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "raw_socket.h"
#include "test_token.h"
#include "wire/frame.h"

namespace bscope {

class RawViewer {
public:
    explicit RawViewer(int port, int receive_buffer_bytes = 0) {
        socket_.connect(port, receive_buffer_bytes);
    }

    void close() { socket_.close(); }
    void sendBytes(std::string_view bytes) { socket_.send(bytes); }
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
            const std::string_view bytes = socket_.receive(left);
            if (bytes.empty()) return std::nullopt;
            frames_.feed(bytes);
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
    RawSocket socket_;
    FrameReader frames_;
    std::string bytes_;
    std::vector<wire::Message> passed_;
};

}  // namespace bscope
