// FakeEngine: an engine made of a script, for tests of the window's side: accepts one viewer, keeps what it
// says, says what the test wants. Iterations are played from the plan of their configuration, so every number
// that arrives is known.
#pragma once

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

#include "played_run.h"

namespace bscope::ui {

class FakeEngine : public QObject {
public:
    explicit FakeEngine(quint16 port = 0) {
        connect(&server_, &QTcpServer::newConnection, this, [this] {
            socket_.reset(server_.nextPendingConnection());
            frames_ = FrameReader();
            connect(socket_.get(), &QTcpSocket::readyRead, this, [this] { read(); });
        });
        server_.listen(QHostAddress::LocalHost, port);
    }

    quint16 port() const { return server_.serverPort(); }
    bool hasViewer() const { return socket_ && socket_->state() == QAbstractSocket::ConnectedState; }
    qint64 bytesToWrite() const { return socket_->bytesToWrite(); }
    void hangUp() {
        if (socket_) socket_->abort();
    }
    // After what was sent.
    void leave() { socket_->disconnectFromHost(); }
    void stopListening() { server_.close(); }
    void startAnew() { ++started_unix_ms_; }  // a later greeting is another engine's

    void send(const wire::Message& message) { sendBytes(encode(message)); }
    void sendBytes(const std::string& bytes) {
        socket_->write(bytes.data(), static_cast<qint64>(bytes.size()));
        socket_->flush();
    }

    void hello(const RunConfig& config, wire::RunState state = wire::IDLE, bool controller = true,
               std::uint32_t version = kProtocolVersion) {
        wire::Message message;
        wire::Hello& hello = *message.mutable_hello();
        hello.set_protocol_version(version);
        hello.set_engine_version("0.1.0");
        hello.set_device("CPU, 2 cores");
        hello.set_controller(controller);
        hello.set_state(state);
        hello.set_started_unix_ms(started_unix_ms_);
        *hello.mutable_config() = toWire(config);
        send(message);
    }
    void status(wire::RunState state, int iteration = 0) {
        wire::Message message;
        message.mutable_status()->set_state(state);
        message.mutable_status()->set_iteration(iteration);
        send(message);
    }
    void start(const RunConfig& config, int iteration, std::int64_t start_ns) {
        wire::Message message;
        *message.mutable_iteration_start() = toWire(playedStart(config, iteration, start_ns));
        send(message);
    }
    // Events, memory and watermark; with report = false the iteration stays unfinished. Ends at the returned
    // time.
    std::int64_t iteration(const RunConfig& config, int iteration, std::int64_t start_ns,
                           bool report = true) {
        std::int64_t end_ns = start_ns;
        for (const wire::Message& message : playedMessages(config, iteration, start_ns, report, &end_ns))
            send(message);
        return end_ns;
    }
    void accept(std::uint64_t request, int from_iteration, bool new_run = false) {
        wire::Message message;
        message.mutable_configure_reply()->set_request(request);
        message.mutable_configure_reply()->set_from_iteration(from_iteration);
        message.mutable_configure_reply()->set_new_run(new_run);
        send(message);
    }

    // What the viewer said so far; the last message of one kind, or null.
    const std::vector<wire::Message>& said() const { return said_; }
    const wire::Message* last(wire::Message::BodyCase kind) const {
        for (auto message = said_.rbegin(); message != said_.rend(); ++message)
            if (message->body_case() == kind) return &*message;
        return nullptr;
    }

private:
    void read() {
        const QByteArray bytes = socket_->readAll();
        frames_.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        while (auto message = frames_.next()) said_.push_back(std::move(*message));
    }

    QTcpServer server_;
    std::unique_ptr<QTcpSocket> socket_;
    FrameReader frames_;
    std::vector<wire::Message> said_;
    std::int64_t started_unix_ms_ = 1;
};

}  // namespace bscope::ui
