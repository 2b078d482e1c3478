#include "app/session/session.h"

#include <limits>
#include <utility>

#include "config/runs_alike.h"
#include "view/other_run.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

constexpr int kTickMs = 25;
constexpr int kKeepStateMs = 15'000;
// Iterations shorter than this on the machine's clock are shown when they are complete, so that the picture
// does not flicker.
constexpr double kShownLive_ms = 60;

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
    connectParts();
    connect(&tick_, &QTimer::timeout, this, &Session::tick);
    tick_.start(kTickMs);
    // Of more than a tick takes, with the input that has come meanwhile in between.
    rest_.setSingleShot(true);
    rest_.setInterval(0);
    connect(&rest_, &QTimer::timeout, this, &Session::receive);
    connect(&keep_state_, &QTimer::timeout, this, &Session::keepState);
    keep_state_.start(kKeepStateMs);
}

Session::~Session() {
    // The signals that the parts emit while they are destroyed reach no slot of this object.
    for (QObject* part : std::initializer_list<QObject*>{&stream_, &stream_.connection(), &stream_.recorder(),
                                                         &stream_.runFile()})
        part->disconnect(this);
}

void Session::connectParts() {
    connect(&stream_, &EngineStream::changed, this, [this] { picture_changed_ = true; });
    connect(&stream_, &EngineStream::attached, this, &Session::onAttached);
    connect(&stream_, &EngineStream::iterationStarted, this,
            [this](bool bars_dropped) { bars_changed_ = bars_changed_ || bars_dropped; });
    connect(&stream_, &EngineStream::iterationFinished, this, [this](int iteration) {
        bars_changed_ = true;
        emit iterationFinished(iteration);
    });
    connect(&stream_, &EngineStream::runStateReceived, this, &Session::onStatus);
    connect(&stream_, &EngineStream::failed, this, &Session::onFailure);
    connect(&stream_, &EngineStream::notice, this, &Session::notice);

    const EngineConnection& connection = stream_.connection();
    connect(&connection, &EngineConnection::phaseChanged, this, &Session::stateChanged);
    connect(&connection, &EngineConnection::countdown, this, &Session::stateChanged);
    // Read at once, so that no request is made before it is known which window may control.
    connect(&connection, &EngineConnection::attached, this, &Session::tick);
    connect(&connection, &EngineConnection::ending, this, &Session::receiveAll);
    connect(&connection, &EngineConnection::disconnected, this, [this](const Notice& why) {
        receiveAll();  // what came before the line broke
        line_broke_ = true;
        if (!failed_) trouble_ = why;
        emit stateChanged();
    });
    connect(&stream_.recorder(), &StreamRecorder::changed, this, &Session::recordingChanged);
    for (StreamRecorder* recorder : {&stream_.recorder(), &stream_.runFile()})
        connect(recorder, &StreamRecorder::failed, this, &Session::notice);

    connect(&config_, &WantedConfig::wantedChanged, this, &Session::configChanged);
    connect(&config_, &WantedConfig::problemsChanged, this, &Session::problemsChanged);
    connect(&config_, &WantedConfig::pendingChanged, this, &Session::pendingChanged);
    connect(&config_, &WantedConfig::planChanged, this, &Session::shownChanged);
    connect(&config_, &WantedConfig::answered, this, [this](bool accepted, bool new_run) {
        const bool runs = std::exchange(run_when_accepted_, false);
        if (!accepted) return;
        if (runs) control(wire::Control::RUN);
        if (new_run) states_.forgetKept();
    });
    connect(&states_, &StateFiles::notice, this, &Session::notice);
    connect(&states_, &StateFiles::historyReturned, this, [this] {
        selected_.reset();
        config_.refreshPending();
        emit barsChanged();
        emit configChanged();
        emit shownChanged();
    });
    connect(&sweeps_, &Sweeps::engineWanted, this, [this] { startEngine(false); });

    connect(&replayer_, &Replayer::playingChanged, this, &Session::stateChanged);
    connect(&replayer_, &Replayer::failed, this, &Session::notice);
    connect(&replayer_, &Replayer::began, this, &Session::onBegan);
    connect(&replayer_, &Replayer::grew, this, &Session::onGrew);
    connect(&replayer_, &Replayer::loaded, this, [this](const NoticeWords& warning) {
        if (!warning.isEmpty()) emit notice({warning, {}, {}});
        onGrew();
    });
    connect(&replayer_, &Replayer::notesRefused, this, &Session::reportNoteNotInFile);
    connect(&replayer_, &Replayer::jumped, this, &Session::resetSelection);
}

void Session::onBegan() {
    resume_after_replay_ = !replaying_ && state() == SessionState::Running;
    if (resume_after_replay_) control(wire::Control::PAUSE);
    replaying_ = true;
    selected_.reset();
    if (showsLast())
        showLast();
    else
        replayer_.setPlaying(true);
    emit stateChanged();
    emit barsChanged();
    emit shownChanged();
}

// What plays goes on; the last iteration becomes the last of what is there now, unless another one is looked
// at.
void Session::onGrew() {
    if (showsLast() && !replayer_.playing() && replayer_.history().newestComplete() == last_at_first_)
        showLast();
    emit stateChanged();
    emit barsChanged();
    emit notesChanged();
    emit shownChanged();
}

// An imported run is there to be looked at: its last iteration, whole.
bool Session::showsLast() const {
    const IterationStart* start = replayer_.history().start();
    return (start != nullptr && start->import) || reduced_motion_;
}

void Session::showLast() {
    replayer_.stepIteration(std::numeric_limits<int>::max());
    last_at_first_ = replayer_.history().newestComplete();
}

void Session::resetSelection() {
    selected_.reset();
    emit barsChanged();
    emit shownChanged();
}

void Session::startEngine(bool run_at_once) {
    failed_ = line_broke_ = false;
    run_when_attached_ = run_at_once;
    keep_wanted_ = true;
    stream_.connection().startOwn();
}

void Session::connectTo(const EngineAddress& address, bool keep_wanted) {
    failed_ = line_broke_ = false;
    run_when_attached_ = false;
    keep_wanted_ = keep_wanted;
    stream_.connection().connectTo(address);
}

SessionState Session::state() const {
    using Phase = EngineConnection::Phase;
    if (replaying_) return SessionState::Replaying;
    if (failed_) return SessionState::Failed;
    switch (connection().phase()) {
        case Phase::Off:
            return SessionState::Idle;
        case Phase::Starting:
            return SessionState::Starting;
        case Phase::Waiting:
            return SessionState::Disconnected;
        case Phase::Attached:
            break;
    }
    switch (stream_.runState()) {
        case wire::RUNNING:
            return pausing_ ? SessionState::Pausing : SessionState::Running;
        case wire::STARTING:
            return SessionState::Starting;
        case wire::PAUSED:
            return SessionState::Paused;
        case wire::FAILED:
            return SessionState::Failed;
        default:
            return run_on_the_way_ || run_when_accepted_ ? SessionState::Starting : SessionState::Idle;
    }
}

void Session::undoPending() {
    const std::optional<PendingChange> undone = config_.pending();
    config_.undo();
    if (!undone || config_.pending()) return;
    const std::vector<PromiseOutcome>& outcomes = stream_.history().outcomes();
    if (outcomes.empty() || !outcomes.back().lengths_ms.empty()) return;
    Promise promise = outcomes.back().promise;
    if (!runsAlike(promise.config, undone->config)) return;
    promise.taken_back = true;
    stream_.promise(promise);
}

void Session::tick() {
    receive();
    if (replaying_ && replayer_.tick()) picture_changed_ = true;
    announceReceived();
}

void Session::receive() {
    if (stream_.receive()) rest_.start();
}

void Session::receiveAll() {
    stream_.receiveAll();
    announceReceived();
}

void Session::announceReceived() {
    if (std::exchange(bars_changed_, false) && !replaying_) emit barsChanged();
    if (std::exchange(picture_changed_, false)) emit shownChanged();
}

void Session::onAttached(bool same_engine) {
    const bool replaced = std::exchange(line_broke_, false) && !same_engine;
    if (!same_engine) sweeps_.end();
    pausing_ = run_when_accepted_ = run_on_the_way_ = false;
    failed_ = false;
    trouble_ = {};
    // From now on a new connection is the same run.
    config_.attach(std::exchange(keep_wanted_, true) && hello().controller());
    if (run_when_attached_) states_.loadKept();
    if (std::exchange(run_when_attached_, false)) runWanted();
    sweeps_.sendWaiting();
    emit stateChanged();
    if (replaced)
        emit notice({tr("The engine at %1 was restarted: this is another run.")
                         .arg(QString::fromStdString(connection().address().text())),
                     {},
                     {}});
}

void Session::onStatus() {
    const wire::RunState now = stream_.runState();
    if (now != wire::FAILED) failed_ = false;
    if (now != wire::RUNNING) pausing_ = false;
    if (now != wire::IDLE) run_on_the_way_ = false;
    emit stateChanged();
}

void Session::onFailure(const Notice& why) {
    trouble_ = why;
    failed_ = true;
    pausing_ = run_when_accepted_ = run_on_the_way_ = false;
    sweeps_.forgetWaiting();
    sweeps_.end();
    emit stateChanged();
    emit pendingChanged();
}

void Session::control(wire::Control::Verb verb) {
    run_when_accepted_ = false;
    run_on_the_way_ = verb == wire::Control::RUN;
    const bool pausing = verb == wire::Control::PAUSE && stream_.runState() == wire::RUNNING;
    if (std::exchange(pausing_, pausing) != pausing) emit stateChanged();
    wire::Message message;
    message.mutable_control()->set_verb(verb);
    stream_.send(message);
}

void Session::run() {
    if (replaying_) return replayer_.setPlaying(true);
    using Phase = EngineConnection::Phase;
    switch (connection().phase()) {
        case Phase::Attached:
            if (refusesToControl()) return;
            failed_ = false;
            return runWanted();
        case Phase::Waiting:
            return stream_.connection().retryNow();
        case Phase::Starting:
            run_when_attached_ = true;
            return;
        case Phase::Off:
            break;
    }
    if (failed_ && !connection().isOwn()) return stream_.connection().retryNow();
    if (!problems().empty()) return emit problemsChanged();
    startEngine(true);
}

// A configuration that the engine still looks at, or has refused, is not replaced by the one that the engine
// has; a run that is there goes on under its own.
void Session::runWanted() {
    if (!problems().empty() && !stream_.history().start()) return emit problemsChanged();
    run_when_accepted_ = config_.awaitsAnswer();
    if (!run_when_accepted_) control(wire::Control::RUN);
}

void Session::pause() {
    if (replaying_) return replayer_.setPlaying(false);
    if (connection().phase() == EngineConnection::Phase::Starting) {
        stream_.connection().stop();
        emit stateChanged();
        return;
    }
    if (refusesToControl()) return;
    control(wire::Control::PAUSE);
}

void Session::step() {
    if (replaying_) return replayer_.stepIteration(+1);
    if (connection().phase() != EngineConnection::Phase::Attached || refusesToControl()) return;
    control(wire::Control::STEP);
}

void Session::stepReplayOperation() {
    if (!replaying_) return;
    replayer_.stepOperation();
    emit shownChanged();
}

void Session::toggleRun() {
    const bool playing = replaying_ && replayer_.playing();
    const SessionState now = state();
    if (playing || now == SessionState::Running || now == SessionState::Starting)
        pause();
    else
        run();
}

// An asynchronous schedule would have to be drained for it, and that bubble would not be the schedule's.
void Session::keepState() {
    const bool runs = state() == SessionState::Running && !sweeps_.awaitsEngine();
    if (runs && !shown().isStream()) states_.keep();
}

bool Session::restartGoesOn() const {
    return states_.hasKept() && connection().isOwn() && connection().phase() == EngineConnection::Phase::Off;
}

RunConfig Session::inForce() const {
    return replaying_ ? shown().config : effective();
}

std::optional<PendingChange> Session::announcedPending() const {
    const auto& change = pending();
    return !replaying_ && change && !change->quiet ? change : std::nullopt;
}

int Session::shownIteration() const {
    const RunHistory& history = this->history();
    if (selected_ && history.has(*selected_)) return *selected_;
    const int complete = history.newestComplete();
    if (replaying_ || complete < 0 || !isAtWork(state())) {
        // Paused and failed: an iteration that was cut off is shown as far as it came.
        return history.newest();
    }
    if (reduced_motion_) return complete;
    const auto view = history.view(complete);
    return view && view->report && view->report->host_ms < kShownLive_ms ? complete : history.newest();
}

IterationView Session::shown() const {
    auto view = history().view(shownIteration());
    if (!view) return planOf(problems().empty() ? config_.lastLegal() : wanted());
    view->iteration_state = iterationState();
    return *view;
}

IterationState Session::iterationState() const {
    switch (state()) {
        case SessionState::Running:
        case SessionState::Pausing:
            return IterationState::Live;
        case SessionState::Paused:
            return IterationState::Paused;
        case SessionState::Replaying:
            return replayer_.endsInCut() ? IterationState::Cut : IterationState::Replayed;
        case SessionState::Idle:
        case SessionState::Starting:
        case SessionState::Failed:
        case SessionState::Disconnected:
            break;
    }
    return IterationState::Interrupted;
}

int Session::standsAt() const {
    return isAtWork(state()) ? stream_.history().newest() : stream_.history().newestComplete();
}

std::optional<IterationView> Session::numbers() const {
    const auto view = history().view(shownIteration());
    if (view && view->report) return view;
    return history().view(history().newestComplete());
}

std::optional<IterationView> Session::numbersOfShown() const {
    auto found = numbers();
    if (found && isOfOtherRun(*found, shown())) found.reset();
    return found;
}

const std::vector<IterationBar>& Session::bars() const {
    return replaying_ ? replayer_.bars() : stream_.history().bars();
}

void Session::select(int iteration) {
    if (replaying_) return replayer_.seekIteration(iteration);
    if (!stream_.history().has(iteration)) return;
    selected_ = iteration;
    emit shownChanged();
}

void Session::selectNeighbour(int step) {
    if (replaying_) return replayer_.stepIteration(step);
    select(stream_.history().neighbour(shownIteration(), step));
}

void Session::setReducedMotion(bool on) {
    reduced_motion_ = on;
    emit shownChanged();
}

void Session::follow() {
    selected_.reset();
    emit shownChanged();
}

bool Session::startRecording(const QString& path) {
    if (!stream_.isAttached()) {
        emit notice({tr("There is nothing to record: no engine is attached."), tr("Press Run first."), {}});
        return false;
    }
    return stream_.recorder().start(path, !isAtWork(state()));
}

void Session::note(const RunNote& note) {
    const Sentence why = replaying_ ? replayer_.note(note) : Sentence();
    if (!replaying_) stream_.note(note);
    if (!why.empty()) reportNoteNotInFile(why);
    emit notesChanged();
}

// What is being left can no longer be saved.
void Session::reportNoteNotInFile(const Sentence& why) {
    const bool stays = replayer_.isOpen() && !replayer_.opening();
    emit notice({tr("The note is not in the file: %1.").arg(said(why)),
                 !stays ? QString()
                 : replayer_.isPart()
                     ? tr("File > Save the recording as… writes what was read of it, with all notes.")
                     : tr("File > Save the recording as… writes it with all notes."),
                 {}});
}

void Session::closeRecording() {
    if (!replaying_) return;
    replaying_ = false;
    replayer_.close();
    selected_.reset();
    if (resume_after_replay_) control(wire::Control::RUN);
    emit stateChanged();
    resetSelection();
}

}  // namespace bscope::ui
