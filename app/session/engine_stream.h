// EngineStream: the single path of all messages from the engine. A message is received, recorded, appended to
// the history of the run, and then announced; the receivers of the signals decide what follows, and nothing
// is planned or summed up here. A message that makes no sense is counted, and reported once where nothing can
// be drawn without it. Window thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/engine/engine_connection.h"
#include "app/recording/stream_recorder.h"
#include "app/session/message_limit.h"
#include "schedule/problem.h"
#include "view/run_history.h"

namespace bscope::ui {

class EngineStream : public QObject {
    Q_OBJECT
public:
    // The engine's answer to a Configure message.
    struct Reply {
        std::uint64_t request = 0;
        std::vector<Problem> problems;  // none: accepted
        int from_iteration = 0;
        bool new_run = false;
    };

    explicit EngineStream(QObject* parent = nullptr);
    ~EngineStream() override;

    // What has come, in order, as much as leaves the window responsive: at most so many messages, and none
    // begun after that time. Whether more may be there, for a later turn of the event loop.
    static constexpr int kMostAtOnce = 4096, kLongest_ms = 15;
    bool receive();
    void receiveAll();  // before the connection is over
    void send(const wire::Message& message) { connection_.send(message); }
    void promise(const Promise& promise);  // into history and recording
    void note(const RunNote& note);        // likewise

    EngineConnection& connection() { return connection_; }
    const EngineConnection& connection() const { return connection_; }
    StreamRecorder& recorder() { return recorder_; }
    const StreamRecorder& recorder() const { return recorder_; }
    // The program's own, RunKeeper's.
    StreamRecorder& runFile() { return run_file_; }
    // A lesson runs from here on: recordings leave it out, and the user's run stays as it is here.
    void putAside();
    void bringBack();
    bool isAside() const { return put_aside_.has_value(); }
    const RunHistory& ownHistory() const { return put_aside_ ? *put_aside_ : history_; }  // of the user's run
    RunHistory& history() { return history_; }
    const RunHistory& history() const { return history_; }

    const wire::Hello& hello() const { return hello_; }
    // What the engine runs by its Hello; nothing when that makes no sense.
    const std::optional<RunConfig>& helloConfig() const { return hello_config_; }
    wire::RunState runState() const {
        return run_state_;
    }  // the last one received; FAILED once the engine is gone
    bool isAttached() const { return connection_.phase() == EngineConnection::Phase::Attached; }
    bool onlyWatches() const { return isAttached() && !hello_.controller(); }  // another window controls
    bool refusesToControl();                                                   // the same, and says so

signals:
    void attached(bool same_engine);           // its Hello has come
    void iterationStarted(bool bars_dropped);  // bars_dropped: a run that began anew
    void changed();                            // something was appended
    void iterationFinished(int iteration);
    void runStateReceived();  // another one
    void replied(const bscope::ui::EngineStream::Reply& reply);
    void sweepReceived(const bscope::SweepState& sweep);
    void logged(const bscope::wire::Log& log);
    void failed(const bscope::ui::Notice& why);
    void notice(const bscope::ui::Notice& notice);

private:
    bool receivePart();  // false: nothing has come
    void append(const wire::Message& message);
    void announce(const wire::Message& message);
    void onHello(const wire::Hello& hello);
    void onReply(const wire::ConfigureReply& reply);
    void onFailure(const Notice& why);
    void setRecordersAside(bool aside);
    void reportLeftOut(int messages);
    void reportNonsense(const Sentence& why);

    EngineConnection connection_{this};
    StreamRecorder recorder_{this}, run_file_{this};
    RunHistory history_;
    std::optional<RunHistory> put_aside_;
    wire::Hello hello_;
    std::optional<RunConfig> hello_config_;
    wire::RunState run_state_ = wire::IDLE;
    MessageLimit words_{
        [this](int left_out) { reportLeftOut(left_out); }};  // of logs, failures, and what no engine says
    Sentence reported_nonsense_;  // the last sentence about a message that makes no sense
};

}  // namespace bscope::ui
