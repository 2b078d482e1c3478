#include "app/engine/engine_socket.h"

#include <algorithm>
#include <iterator>

#include "app/engine/engine_words.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {
constexpr int kAttachTimeoutMs = 8000;
}

bool ReceiveQueue::push(Received received) {
    const std::lock_guard lock(mutex_);
    bytes_ += received.frame.size();
    received_.push_back(std::move(received));
    full_ = received_.size() >= kLimit || bytes_ >= kLimitBytes;
    return !full_;
}

// Reading goes on once half is taken, not with every message.
std::vector<Received> ReceiveQueue::take(std::size_t most, bool& there_is_room) {
    const std::lock_guard lock(mutex_);
    const auto past = received_.begin() + static_cast<std::ptrdiff_t>(std::min(most, received_.size()));
    std::vector<Received> taken(std::make_move_iterator(received_.begin()), std::make_move_iterator(past));
    received_.erase(received_.begin(), past);
    for (const Received& each : taken) bytes_ -= each.frame.size();
    there_is_room = full_ && received_.size() <= kLimit / 2 && bytes_ <= kLimitBytes / 2;
    if (there_is_room) full_ = false;
    return taken;
}

void ReceiveQueue::clear() {
    const std::lock_guard lock(mutex_);
    received_.clear();
    bytes_ = 0;
    full_ = false;
}

bool ReceiveQueue::full() const {
    const std::lock_guard lock(mutex_);
    return full_;
}

EngineSocket::EngineSocket(std::shared_ptr<ReceiveQueue> queue) : queue_(std::move(queue)) {
    timeout_.setSingleShot(true);
    timeout_.setInterval(kAttachTimeoutMs);
    socket_.setReadBufferSize(4 << 20);
    connect(&socket_, &QTcpSocket::connected, this, &EngineSocket::sendAttach);
    connect(&socket_, &QTcpSocket::readyRead, this, &EngineSocket::read);
    connect(&socket_, &QTcpSocket::errorOccurred, this, &EngineSocket::onError);
    connect(&timeout_, &QTimer::timeout, this, [this] {
        fail({said(sentence("No engine answered at {0}.", address_.text())),
              tr("Check the address, and that `bscope serve` is listening there."),
              {}},
             true);
    });
}

void EngineSocket::open(const EngineAddress& address, int generation) {
    close();
    address_ = address;
    generation_ = generation;
    frames_ = std::make_unique<FrameReader>();
    timeout_.start();
    socket_.connectToHost(QString::fromStdString(address.host), address.port);
}

void EngineSocket::close() {
    timeout_.stop();
    frames_.reset();
    attached_ = false;
    const QSignalBlocker silent(socket_);
    socket_.abort();
}

void EngineSocket::write(const QByteArray& frame) {
    if (socket_.state() == QAbstractSocket::ConnectedState) socket_.write(frame);
}

void EngineSocket::sendAttach() {
    socket_.setSocketOption(QAbstractSocket::LowDelayOption, 1);
    wire::Message message;
    message.mutable_attach()->set_protocol_version(kProtocolVersion);
    message.mutable_attach()->set_token(address_.token);
    const std::string frame = encode(message);
    socket_.write(frame.data(), static_cast<qint64>(frame.size()));
}

// Bytes are taken from the socket once those before are given out, so that what waits here is bounded, too.
void EngineSocket::read() {
    if (!frames_ || queue_->full()) return;
    try {
        do {
            while (auto message = frames_->next()) {
                const bool is_greeting = !attached_;
                if (is_greeting && !acceptFirst(*message)) return;
                Received received{std::move(*message), std::string(frames_->lastFrame())};
                const bool more_fit = queue_->push(std::move(received));
                if (is_greeting) emit attached(generation_);  // with the greeting in the queue
                if (!more_fit) return;                        // taken up again by the next take()
            }
        } while (feed());
    } catch (const WireError& error) {
        fail({said(sentence("The program at {0} does not answer like an engine.", address_.text())),
              tr("Check that `bscope serve` of this version is listening there."),
              QString::fromUtf8(error.what())},
             false);
    }
}

bool EngineSocket::feed() {
    const QByteArray bytes = socket_.readAll();
    frames_->feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    return !bytes.isEmpty();
}

bool EngineSocket::acceptFirst(const wire::Message& message) {
    if (message.has_failure()) {
        const wire::Failure& refusal = message.failure();
        fail({whatOf(refusal), adviceOf(refusal), QString::fromStdString(refusal.details())}, false);
        return false;
    }
    if (!message.has_hello()) {
        fail({said(sentence("The program at {0} does not answer like an engine.", address_.text())),
              tr("Check that `bscope serve` of this version is listening there."),
              {}},
             false);
        return false;
    }
    const wire::Hello& hello = message.hello();
    if (hello.protocol_version() != kProtocolVersion) {
        fail(
            {tr("The engine at %1 is version %2 and speaks stream version %3; this window speaks version %4.")
                 .arg(QString::fromStdString(address_.text()), QString::fromStdString(hello.engine_version()))
                 .arg(hello.protocol_version())
                 .arg(kProtocolVersion),
             said(sentence("Install the same version of Bubblescope on both machines.")),
             {}},
            false);
        return false;
    }
    timeout_.stop();
    attached_ = true;
    return true;
}

void EngineSocket::onError(QAbstractSocket::SocketError error) {
    const QString at = QString::fromStdString(address_.text());
    switch (error) {
        case QAbstractSocket::ConnectionRefusedError:
            return fail(
                {tr("Nothing listens at %1: the connection was refused.").arg(at),
                 tr("Start an engine there: bscope serve --listen %1").arg(at), socket_.errorString()},
                true);
        case QAbstractSocket::HostNotFoundError:
            return fail(
                {tr("There is no machine named %1.").arg(QString::fromStdString(address_.host)),
                 tr("Check the name, or use the machine's address in numbers."), socket_.errorString()},
                false);
        case QAbstractSocket::RemoteHostClosedError:
            read();  // what it said before it left
            if (!frames_) return;
            return fail({tr("The engine at %1 closed the connection.").arg(at),
                         tr("The picture stays, and the window reconnects automatically. If the engine has "
                            "ended, start it again on that machine; bscope serve --load FILE continues from "
                            "the state that --keep-every saved."),
                         {}},
                        true);
        default:
            return fail({tr("The connection to %1 broke: %2.").arg(at, socket_.errorString()),
                         tr("Check the network between the two machines."),
                         {}},
                        true);
    }
}

void EngineSocket::fail(const Notice& notice, bool transient) {
    if (!frames_) return;
    close();
    emit lost(notice, transient, generation_);
}

}  // namespace bscope::ui
