// EngineClient: the window's end of the stream. A socket on its own thread attaches, decodes and queues whole
// messages; the window takes what has come, in parts, and never waits. When the window falls behind, reading
// stops, so that the engine (which never waits for a viewer) drops and counts instead of filling this memory.
// All public functions: window thread.
#pragma once

#include <QObject>
#include <QThread>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/notice.h"
#include "wire/bubblescope.pb.h"
#include "wire/engine_address.h"

namespace bscope::ui {

// A message and the bytes it came as; a recording is a tee of the bytes.
struct Received {
    wire::Message message;
    std::string frame;
};

class EngineSocket;
class ReceiveQueue;

class EngineClient : public QObject {
    Q_OBJECT
public:
    explicit EngineClient(QObject* parent = nullptr);
    ~EngineClient() override;

    void connectTo(const EngineAddress& address);
    // No more signals; messages that were not taken are dropped.
    void close();
    void send(const wire::Message& message);
    // The oldest, at most so many; empty: nothing has come.
    std::vector<Received> take(std::size_t most = std::numeric_limits<std::size_t>::max());

signals:
    void attached();  // the engine's Hello was accepted and lies in the queue
    // Not connected any more. transient: trying again may help (no server listens yet, the connection broke);
    // otherwise it will not (another version, a wrong token, not an engine).
    void lost(const bscope::ui::Notice& notice, bool transient);

private:
    QThread thread_;
    std::shared_ptr<ReceiveQueue> queue_;
    EngineSocket* socket_;  // on thread_, which deletes it
    int generation_ = 0;    // of the connection; what an older one still says is ignored
};

}  // namespace bscope::ui
