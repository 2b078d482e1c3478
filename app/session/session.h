// Session: the only object the main window talks to. Owns the way to the engine, the history of the stream,
// the recording and the replay; turns edits of the configuration into a plan at once and into a pending
// change that the engine takes up at an iteration boundary. Everything happens on the window's thread, on a
// fixed tick.
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <QTimer>
#include <optional>
#include <vector>

#include "app/engine/engine_connection.h"
#include "app/history/run_history.h"
#include "app/recording/replayer.h"
#include "app/recording/stream_recorder.h"
#include "schedule/problem.h"

namespace bscope::ui {

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // --- engine -------------------------------------------------------------------------------------------
    void startEngine(bool run_at_once);  // an own one
    void connectTo(const EngineAddress& address,
                   bool keep_wanted);  // keep_wanted: our settings, not the engine's
    void reconnect() { connection_.retryNow(); }
    const EngineConnection& connection() const { return connection_; }
    const wire::Hello& hello() const { return hello_; }
    bool mayControl() const { return hello_.controller(); }
    bool onlyWatches() const;  // attached, but another window controls
    bool refusesToControl();   // the same, and says so

    SessionState state() const;
    // The iteration that the state is about: the one the engine is at, else its last complete one; -1: none.
    int standsAt() const;
    const Notice& trouble() const { return trouble_; }  // of Failed and Disconnected

    // --- what runs ----------------------------------------------------------------------------------------
    void run();  // start or go on; replay: play
    void pause();
    void step();  // one iteration; replay: likewise
    void toggleRun();
    void stepReplayOperation();

    // Weights, optimizer state and position in the data; files of the engine's machine. The log says how it
    // went.
    void saveState(const QString& path);
    void loadState(const QString& path);
    // What happens by itself every 15 s: an own engine that replaces this one goes on from here.
    void keepState();
    bool hasKeptState() const { return !kept_state_.isEmpty(); }
    // Somebody else needs the engine for a while, a lesson: what it has learned goes into a file, and comes
    // back with its history. Nothing happens where there is nothing to keep, or no file that both sides see.
    void setRunAside();
    void bringRunBack();
    // The own engine is gone, and run() starts another one that goes on from what was kept.
    bool restartGoesOn() const {
        return hasKeptState() && connection_.isOwn() && connection_.phase() == EngineConnection::Phase::Off;
    }

    // --- configuration ------------------------------------------------------------------------------------
    const RunConfig& wanted() const { return wanted_; }  // what the controls show
    const RunConfig& effective() const;                  // what the newest iteration ran under, else wanted
    const std::vector<Problem>& problems() const { return problems_; }
    // What is illegal in a configuration. The order of a run travels with it, so that a schedule file on the
    // engine's machine is not asked for here.
    std::vector<Problem> problemsOf(const RunConfig& config) const;
    const std::optional<PendingChange>& pending() const { return pending_; }
    // quiet: the program's own doing, which is not announced as a pending change.
    void edit(const RunConfig& config, bool quiet = false);
    void undoPending();

    // --- what is looked at --------------------------------------------------------------------------------
    const RunHistory& history() const { return replaying_ ? replayer_.history() : live_; }
    IterationView shown() const;                    // on the canvas; the plan while nothing ran
    std::optional<IterationView> numbers() const;   // last complete iteration, or the shown one
    const std::vector<IterationBar>& bars() const;  // of the whole run or file
    int shownIteration() const;                     // -1: the plan
    bool following() const { return !selected_; }
    void select(int iteration);  // stops following
    void selectNeighbour(int step);
    void follow();
    IterationView planOf(const RunConfig& config) const;  // nothing ran; empty for an illegal configuration

    // --- recording and replay -----------------------------------------------------------------------------
    bool startRecording(const QString& path);
    void stopRecording() { recorder_.stop(); }
    const StreamRecorder& recorder() const { return recorder_; }
    void openRecording(const QString& path);
    void closeRecording();  // back to the live run
    Replayer& replayer() { return replayer_; }
    const Replayer& replayer() const { return replayer_; }

    // --- sweep --------------------------------------------------------------------------------------------
    // Starts an own engine when there is none. fixed_batch: samples of the mini-batch, 0 = it grows with m.
    void startSweep(const std::vector<int>& m, int iterations, int fixed_batch, double memory_cap_mb);
    void cancelSweep();
    // Why none can be started now, in words; empty when it can.
    QString sweepObstacle() const;
    const std::optional<SweepState>& sweep() const { return sweep_; }
    // What a configuration would cost, from the last measured one.
    Costs costsOf(const RunConfig& config) const;

signals:
    void stateChanged();
    void shownChanged();  // picture: at most once a tick
    void barsChanged();   // an iteration was completed; another bar
    void iterationFinished(int iteration);
    void pendingChanged();
    void configChanged();  // wanted(): controls follow
    void problemsChanged();
    void sweepChanged();
    void recordingChanged();
    void notice(const bscope::ui::Notice& notice);  // worth saying, nothing is broken

private:
    void tick();
    void take(const Received& received);
    void onHello(const wire::Hello& hello);
    void onReply(const wire::ConfigureReply& reply);
    void onStatus(const wire::Status& status);
    void onFailure(const Notice& notice);
    void refreshPending();
    void settlePending();
    void sendConfigure();
    void control(wire::Control::Verb verb);
    void runWanted();
    void setRunState(wire::RunState state);
    void endSweep();
    void onLog(const wire::Log& log);
    void onNonsense(const Sentence& why);
    void giveStateBack();
    Standing standing() const;
    void returnHistory();
    bool isOfAside(const wire::Log& log);
    std::shared_ptr<const Schedule> toldOrder(const RunConfig& config) const;

    EngineConnection connection_{this};
    StreamRecorder recorder_{this};
    Replayer replayer_{this};
    RunHistory live_;
    QTimer tick_{this};

    RunConfig wanted_;
    RunConfig planned_;  // the last wanted one without problems
    std::vector<Problem> problems_;
    std::optional<PendingChange> pending_;
    std::uint64_t last_request_ = 0, last_answer_ = 0;

    wire::Hello hello_;
    wire::RunState run_state_ = wire::IDLE;
    Notice trouble_;
    bool run_when_attached_ = false, keep_wanted_ = true, failed_ = false, line_broke_ = false;
    bool pausing_ = false, quiet_edit_ = false;
    bool run_when_accepted_ = false;  // nothing but the wanted configuration shall run
    bool run_on_the_way_ = false;     // it was told to run and has not answered yet

    // An own engine saves its state now and then, so that one that replaces it goes on from there.
    QTimer keep_state_{this};
    QTemporaryDir state_folder_;
    QString kept_state_;  // the last file that was written completely
    int kept_iteration_ = -1, keeps_ = 0;
    struct Aside {
        QString file;
        std::optional<RunHistory> history;  // once the file is whole
    };
    std::optional<Aside> aside_;

    std::optional<int> selected_;
    bool replaying_ = false, resume_after_replay_ = false;
    std::optional<SweepState> sweep_;
    std::optional<wire::Message> sweep_when_attached_;
    bool picture_changed_ = false;
    Sentence told_nonsense_;  // the last sentence about a message that makes no sense
};

}  // namespace bscope::ui
