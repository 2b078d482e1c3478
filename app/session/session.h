// Session: one run as the window has it: its state, what is looked at, and a recording in its place. The
// parts that it holds do the rest: the stream from the engine, the wanted configuration, states in files,
// sweeps. Their signals are emitted here once more, so that the window has one place to connect to.
// Everything happens on the window's thread, on a fixed tick.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "app/recording/replayer.h"
#include "app/session/engine_stream.h"
#include "app/session/run_keeper.h"
#include "app/session/state_files.h"
#include "app/session/sweeps.h"
#include "app/session/wanted_config.h"
#include "widgets/data/session_state.h"

namespace bscope::ui {

class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // --- engine -------------------------------------------------------------------------------------------
    void startEngine(bool run_at_once);  // an own one
    // keep_wanted: our settings, not the engine's.
    void connectTo(const EngineAddress& address, bool keep_wanted);
    void reconnect() { stream_.connection().retryNow(); }
    const EngineConnection& connection() const { return stream_.connection(); }
    const wire::Hello& hello() const { return stream_.hello(); }
    bool onlyWatches() const { return stream_.onlyWatches(); }
    bool refusesToControl() { return stream_.refusesToControl(); }

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

    // --- states in files and sweeps -----------------------------------------------------------------------
    StateFiles& states() { return states_; }
    Sweeps& sweeps() { return sweeps_; }  // an own engine is started for one when there is none
    // Also every 15 s; an own engine that replaces this one goes on from there.
    void keepState();
    // The own engine is gone, and run() starts another one that goes on from what was kept.
    bool restartGoesOn() const;

    // --- configuration ------------------------------------------------------------------------------------
    const RunConfig& wanted() const { return config_.wanted(); }  // what the controls show
    const RunConfig& effective() const {
        return config_.effective();
    }                           // of the newest iteration, else wanted
    RunConfig inForce() const;  // of what is shown: the recording's, or effective()
    // What questions of other configurations are about: an open file's, else what is wanted.
    RunConfig subject() const { return replaying_ ? shown().config : wanted(); }
    const std::vector<Problem>& problems() const { return config_.problems(); }
    std::vector<Problem> problemsOf(const RunConfig& config) const { return config_.problemsOf(config); }
    const std::optional<PendingChange>& pending() const { return config_.pending(); }
    std::optional<PendingChange> announcedPending() const;  // one that the user asked for
    // quiet: the program's own doing, which is not announced as a pending change.
    void edit(const RunConfig& config, bool quiet = false) { config_.edit(config, quiet); }
    void undoPending();  // a promise about it is void
    // What is wanted was predicted to be so long.
    void promise(const Promise& promise) { stream_.promise(promise); }
    // What a configuration would cost, from the last measured one, and do; nothing runs.
    Costs costsOf(const RunConfig& config) const { return config_.costsOf(config); }
    IterationView planOf(const RunConfig& config) const { return config_.planOf(config); }

    // --- what is looked at --------------------------------------------------------------------------------
    const RunHistory& history() const { return replaying_ ? replayer_.history() : stream_.history(); }
    IterationView shown() const;                    // on the canvas; the plan while nothing ran
    std::optional<IterationView> numbers() const;   // last complete iteration, or the shown one
    // The same; nullopt where they are of another run than what is shown (widgets/data/other_run.h).
    std::optional<IterationView> numbersOfShown() const;
    const std::vector<IterationBar>& bars() const;  // of the whole run or file
    int shownIteration() const;                     // -1: the plan
    bool following() const { return !selected_; }
    void select(int iteration);  // stops following
    void selectNeighbour(int step);
    void follow();
    // The picture changes from one complete iteration to the next, and recordings wait to be played.
    void setReducedMotion(bool on);
    bool reducedMotion() const { return reduced_motion_; }

    // --- recording and replay -----------------------------------------------------------------------------
    bool startRecording(const QString& path);
    void stopRecording() { stream_.recorder().stop(); }
    const StreamRecorder& recorder() const { return stream_.recorder(); }
    RunKeeper& keeper() { return keeper_; }
    void openRecording(const QString& path, Replayer::Show show = Replayer::Show::FirstPart) {
        replayer_.open(path, show);
    }
    void closeRecording();  // back to the live run
    // What people wrote about the run or the recording; into the recording where there is one.
    const RunNotes& notes() const { return replaying_ ? replayer_.notes() : stream_.history().notes(); }
    void note(const RunNote& note);
    Replayer& replayer() { return replayer_; }
    const Replayer& replayer() const { return replayer_; }

signals:
    void stateChanged();
    void shownChanged();  // picture: at most once a tick
    void barsChanged();   // there are other bars; once a tick, however many iterations were completed
    void iterationFinished(int iteration);
    void pendingChanged();
    void configChanged();  // wanted(): controls follow
    void problemsChanged();
    void recordingChanged();
    void notesChanged();
    void notice(const bscope::ui::Notice& notice);  // worth saying, nothing is broken

private:
    void connectParts();
    void tick();
    void receive();
    void receiveAll();
    void announceReceived();
    void onAttached(bool same_engine);
    void onStatus();
    void onFailure(const Notice& notice);
    void reportNoteNotInFile(const Sentence& why);
    void onBegan();
    void onGrew();
    bool showsLast() const;
    void showLast();
    void control(wire::Control::Verb verb);
    void runWanted();
    void resetSelection();
    IterationState iterationState() const;

    EngineStream stream_{this};
    RunKeeper keeper_{stream_, this};
    WantedConfig config_{stream_, this};
    StateFiles states_{stream_, this};
    Sweeps sweeps_{stream_, this};
    Replayer replayer_{this};
    QTimer tick_{this}, rest_{this}, keep_state_{this};

    Notice trouble_;
    bool run_when_attached_ = false, keep_wanted_ = true, failed_ = false, line_broke_ = false;
    bool pausing_ = false;
    bool run_when_accepted_ = false;  // nothing but the wanted configuration shall run
    bool run_on_the_way_ = false;     // Run was sent, and no state has come since

    std::optional<int> selected_;
    bool replaying_ = false, resume_after_replay_ = false;
    int last_at_first_ = -1;  // iteration that the replay began with as the last one
    bool picture_changed_ = false, bars_changed_ = false, reduced_motion_ = false;
};

}  // namespace bscope::ui
