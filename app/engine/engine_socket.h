// EngineSocket: the part of EngineClient on its thread: connect, attach, read, decode, write.
// ReceiveQueue is the only thing both threads touch.
#pragma once

#include <QObject>
#include <QTcpSocket>
#include <QTimer>
#include <deque>
#include <memory>
#include <mutex>

#include "app/engine/engine_client.h"
#include "wire/frame.h"

namespace bscope::ui {

class ReceiveQueue {
public:
    // Messages, about a second of a very fast engine, and bytes of them, beyond which one more may lie here.
    static constexpr std::size_t kLimit = 20'000, kLimitBytes = 32u << 20;

    // False when the queue is full: stop reading until taken.
    bool push(Received received);
    // The oldest, at most so many. there_is_room: it was full and no longer is, reading can go on.
    std::vector<Received> take(std::size_t most, bool& there_is_room);
    void clear();
    bool full() const;

private:
    mutable std::mutex mutex_;
    std::deque<Received> received_;
    std::size_t bytes_ = 0;
    bool full_ = false;
};

class EngineSocket : public QObject {
    Q_OBJECT
public:
    explicit EngineSocket(std::shared_ptr<ReceiveQueue> queue);

    void open(const EngineAddress& address, int generation);
    void close();
    void write(const QByteArray& frame);
    void read();

signals:
    void attached(int generation);
    void lost(const bscope::ui::Notice& notice, bool transient, int generation);

private:
    void sendAttach();
    bool feed();  // what the socket holds; whether that was anything
    void onError(QAbstractSocket::SocketError error);
    bool acceptFirst(const wire::Message& message);
    void fail(const Notice& notice, bool transient);

    std::shared_ptr<ReceiveQueue> queue_;
    QTcpSocket socket_{this};
    QTimer timeout_{this};
    std::unique_ptr<FrameReader> frames_;
    EngineAddress address_;
    int generation_ = 0;
    bool attached_ = false;
};

}  // namespace bscope::ui
