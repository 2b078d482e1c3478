// EngineConnection: the connection to an engine. For an own engine: the process and the socket to it,
// reported as one; for a remote one: the socket, and trying again with a countdown when the line breaks.
// Window thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>

#include "app/engine/engine_client.h"
#include "app/engine/engine_process.h"

namespace bscope::ui {

class EngineConnection : public QObject {
    Q_OBJECT
public:
    enum class Phase { Off, Starting, Attached, Waiting };  // Waiting: will try again

    explicit EngineConnection(QObject* parent = nullptr);

    void startOwn();
    void connectTo(const EngineAddress& address);
    void retryNow();
    // Ends an own engine, leaves a remote one as it is.
    void stop();

    Phase phase() const { return phase_; }
    bool isOwn() const { return own_; }
    const EngineAddress& address() const { return address_; }
    qint64 enginePid() const { return process_.processId(); }
    int secondsToRetry() const { return seconds_to_retry_; }
    double startingFor_s() const;

    void send(const wire::Message& message);
    // Nothing while Starting: the engine's greeting is read once answers can be sent.
    std::vector<Received> take(std::size_t most = std::numeric_limits<std::size_t>::max());

signals:
    void phaseChanged();
    void attached();
    void ending();  // of the own engine: what it sent can be taken now, and not later
    void failed(const bscope::ui::Notice& notice);        // over until a person does something
    void disconnected(const bscope::ui::Notice& notice);  // a remote engine; trying again
    void countdown();

private:
    void setPhase(Phase phase);
    void onLost(const Notice& notice, bool transient);
    void onProcessEnded(const Notice& notice);
    void end(Notice why);

    EngineProcess process_;
    EngineClient client_;
    EngineAddress address_;
    QTimer second_, grace_;
    QElapsedTimer since_start_;
    Notice lost_;                  // what the socket said while the process has the chance to say it better
    std::optional<Notice> ended_;  // why the process ended, while what it sent is still read
    Phase phase_ = Phase::Off;
    bool own_ = false;
    int seconds_to_retry_ = 0, next_wait_s_ = 1;
};

}  // namespace bscope::ui
