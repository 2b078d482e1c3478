#include "app/engine/engine_client.h"

#include "app/engine/engine_socket.h"

namespace bscope::ui {

EngineClient::EngineClient(QObject* parent)
    : QObject(parent), queue_(std::make_shared<ReceiveQueue>()), socket_(new EngineSocket(queue_)) {
    qRegisterMetaType<Notice>();
    socket_->moveToThread(&thread_);
    connect(&thread_, &QThread::finished, socket_, &QObject::deleteLater);
    connect(socket_, &EngineSocket::attached, this, [this](int generation) {
        if (generation == generation_) emit attached();
    });
    connect(socket_, &EngineSocket::lost, this, [this](const Notice& notice, bool transient, int generation) {
        if (generation == generation_) emit lost(notice, transient);
    });
    thread_.setObjectName(QStringLiteral("engine client"));
    thread_.start();
}

EngineClient::~EngineClient() {
    close();
    thread_.quit();
    thread_.wait();
}

void EngineClient::connectTo(const EngineAddress& address) {
    close();
    const int generation = ++generation_;
    QMetaObject::invokeMethod(socket_,
                              [socket = socket_, address, generation] { socket->open(address, generation); });
}

void EngineClient::close() {
    ++generation_;
    // Blocking, so that nothing of the old connection comes into the queue afterwards. The thread never waits
    // for the window, so this takes microseconds.
    QMetaObject::invokeMethod(
        socket_, [socket = socket_] { socket->close(); }, Qt::BlockingQueuedConnection);
    queue_->clear();
}

void EngineClient::send(const wire::Message& message) {
    const std::string frame = encode(message);
    QMetaObject::invokeMethod(
        socket_, [socket = socket_, bytes = QByteArray::fromStdString(frame)] { socket->write(bytes); });
}

std::vector<Received> EngineClient::take(std::size_t most) {
    bool there_is_room = false;
    std::vector<Received> received = queue_->take(most, there_is_room);
    if (there_is_room) QMetaObject::invokeMethod(socket_, [socket = socket_] { socket->read(); });
    return received;
}

}  // namespace bscope::ui
