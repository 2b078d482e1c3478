#include "app/session/session.h"

#include <QCoreApplication>
#include <limits>
#include <utility>

#include "app/engine/engine_words.h"
#include "app/history/stream_reader.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/convert.h"

namespace bscope::ui {
namespace {
constexpr int kTickMs = 33;
constexpr int kKeepStateMs = 15'000;
}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
    connect(&tick_, &QTimer::timeout, this, &Session::tick);
    tick_.start(kTickMs);
    connect(&keep_state_, &QTimer::timeout, this, &Session::keepState);
    keep_state_.start(kKeepStateMs);

    connect(&connection_, &EngineConnection::phaseChanged, this, &Session::stateChanged);
    connect(&connection_, &EngineConnection::countdown, this, &Session::stateChanged);
    // Heard at once, so that nothing is said or asked before it is known who may control.
    connect(&connection_, &EngineConnection::attached, this, &Session::tick);
    connect(&connection_, &EngineConnection::failed, this, &Session::onFailure);
    connect(&connection_, &EngineConnection::disconnected, this, [this](const Notice& why) {
        tick();  // what came before the line broke
        line_broke_ = true;
        if (!failed_) trouble_ = why;
        emit stateChanged();
    });
    connect(&recorder_, &StreamRecorder::changed, this, &Session::recordingChanged);
    connect(&recorder_, &StreamRecorder::failed, this, &Session::notice);
    connect(&replayer_, &Replayer::playingChanged, this, &Session::stateChanged);
    connect(&replayer_, &Replayer::failed, this, &Session::notice);
    connect(&replayer_, &Replayer::loaded, this, [this](const NoticeWords& warning) {
        resume_after_replay_ = !replaying_ && state() == SessionState::Running;
        if (resume_after_replay_) control(wire::Control::PAUSE);
        replaying_ = true;
        selected_.reset();
        if (!warning.isEmpty()) emit notice({warning, {}, {}});
        // An imported run is there to be looked at: its last iteration, whole.
        const IterationStart* start = replayer_.history().start();
        if (start != nullptr && start->import)
            replayer_.stepIteration(std::numeric_limits<int>::max());
        else
            replayer_.setPlaying(true);
        emit stateChanged();
        emit barsChanged();
        emit shownChanged();
    });
    connect(&replayer_, &Replayer::jumped, this, [this] {
        selected_.reset();
        emit barsChanged();
        emit shownChanged();
    });
}

Session::~Session() {
    recorder_.stop();
    connection_.disconnect(this);
    connection_.stop();
}

void Session::startEngine(bool run_at_once) {
    failed_ = line_broke_ = false;
    run_when_attached_ = run_at_once;
    keep_wanted_ = true;
    connection_.startOwn();
}

void Session::connectTo(const EngineAddress& address, bool keep_wanted) {
    failed_ = line_broke_ = false;
    run_when_attached_ = false;
    keep_wanted_ = keep_wanted;
    connection_.connectTo(address);
}

SessionState Session::state() const {
    using Phase = EngineConnection::Phase;
    if (replaying_) return SessionState::Replaying;
    if (failed_) return SessionState::Failed;
    switch (connection_.phase()) {
        case Phase::Off:
            return SessionState::Idle;
        case Phase::Starting:
            return SessionState::Starting;
        case Phase::Waiting:
            return SessionState::Disconnected;
        case Phase::Attached:
            break;
    }
    switch (run_state_) {
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

void Session::tick() {
    for (const Received& received : connection_.take()) {
        recorder_.take(received);
        take(received);
    }
    recorder_.flush();
    if (replaying_ && replayer_.tick()) picture_changed_ = true;
    if (std::exchange(picture_changed_, false)) emit shownChanged();
}

void Session::take(const Received& received) {
    const wire::Message& message = received.message;
    const std::size_t bars_before = live_.bars().size();
    try {
        switch (applyToHistory(message, live_)) {
            case StreamChange::Started:
                picture_changed_ = true;
                settlePending();
                if (onlyWatches() && !(wanted_ == live_.start()->config)) {  // the other window's wish
                    wanted_ = planned_ = live_.start()->config;
                    problems_.clear();
                    emit problemsChanged();
                    emit configChanged();
                }
                if (!replaying_ && live_.bars().size() < bars_before) emit barsChanged();
                return;
            case StreamChange::Progress:
                picture_changed_ = true;
                return;
            case StreamChange::Finished:
                picture_changed_ = true;
                settlePending();
                if (!replaying_) emit barsChanged();
                emit iterationFinished(message.iteration_report().iteration());
                return;
            case StreamChange::None:
                break;
        }
        if (message.has_hello()) onHello(message.hello());
        if (message.has_status()) onStatus(message.status());
        if (message.has_configure_reply()) onReply(message.configure_reply());
        if (message.has_sweep()) {
            sweep_ = fromWire(message.sweep());
            emit sweepChanged();
        }
        if (message.has_log()) onLog(message.log());
        if (message.has_failure()) {
            const wire::Failure& failure = message.failure();
            QString kept;
            if (!failure.kept_state().empty())
                kept = tr("The state before iteration %1 is kept on the engine's "
                          "machine: bscope serve --load %2 goes on from there.")
                           .arg(failure.kept_before() + 1)
                           .arg(QString::fromStdString(failure.kept_state()));
            onFailure(
                {whatOf(failure), {adviceOf(failure), kept}, QString::fromStdString(failure.details())});
        }
    } catch (const WireError& error) {
        live_.countMisfit();
        if (message.has_hello() || message.has_iteration_start()) onNonsense(error.said);
    }
}

// Without it nothing can be drawn, so it is said; once, as an engine may say it again and again.
void Session::onNonsense(const Sentence& why) {
    picture_changed_ = true;
    if (std::exchange(told_nonsense_, why) == why) return;
    emit notice({tr("What came from the engine cannot be shown: %1.").arg(said(why)),
                 tr("Use the Bubblescope of the same version on both machines."),
                 {}});
}

void Session::onHello(const wire::Hello& hello) {
    const bool same_engine = hello.started_unix_ms() == hello_.started_unix_ms();
    const bool replaced = std::exchange(line_broke_, false) && !same_engine;
    live_.attached(same_engine);
    if (!same_engine) endSweep();
    hello_ = hello;
    run_state_ = hello.state();
    pausing_ = run_when_accepted_ = run_on_the_way_ = false;
    last_answer_ = last_request_;  // what an engine of before was asked is void
    failed_ = false;
    trouble_ = {};
    RunConfig theirs = fromWire(hello.config());
    if (const auto found = valueProblems(theirs); !found.empty()) {
        onNonsense(found.front().withLegal());
        theirs = wanted_;
    }
    if (!keep_wanted_ || !hello.controller()) {
        wanted_ = planned_ = theirs;
        problems_.clear();
        emit configChanged();
    } else if (!(wanted_ == theirs) && problems_.empty()) {
        sendConfigure();
    }
    keep_wanted_ = true;  // from now on a new connection is the same run
    refreshPending();
    giveStateBack();
    if (std::exchange(run_when_attached_, false)) runWanted();
    if (sweep_when_attached_) connection_.send(*std::exchange(sweep_when_attached_, std::nullopt));
    picture_changed_ = true;
    emit stateChanged();
    if (replaced)
        emit notice(
            {tr("The engine at %1 was started anew: this is another run.").arg(connection_.address().text()),
             {},
             {}});
}

void Session::onStatus(const wire::Status& status) {
    if (status.state() != wire::FAILED) failed_ = false;
    setRunState(status.state());
}

void Session::onFailure(const Notice& why) {
    trouble_ = why;
    failed_ = true;
    pausing_ = run_when_accepted_ = run_on_the_way_ = false;
    run_state_ = wire::FAILED;
    sweep_when_attached_.reset();
    endSweep();
    emit stateChanged();
    emit pendingChanged();
}

void Session::setRunState(wire::RunState state) {
    run_state_ = state;
    if (state != wire::RUNNING) pausing_ = false;
    if (state != wire::IDLE) run_on_the_way_ = false;
    emit stateChanged();
}

void Session::control(wire::Control::Verb verb) {
    run_when_accepted_ = false;
    run_on_the_way_ = verb == wire::Control::RUN;
    const bool pausing = verb == wire::Control::PAUSE && run_state_ == wire::RUNNING;
    if (std::exchange(pausing_, pausing) != pausing) emit stateChanged();
    wire::Message message;
    message.mutable_control()->set_verb(verb);
    connection_.send(message);
}

void Session::run() {
    if (replaying_) return replayer_.setPlaying(true);
    using Phase = EngineConnection::Phase;
    switch (connection_.phase()) {
        case Phase::Attached:
            if (refusesToControl()) return;
            failed_ = false;
            return runWanted();
        case Phase::Waiting:
            return connection_.retryNow();
        case Phase::Starting:
            run_when_attached_ = true;
            return;
        case Phase::Off:
            break;
    }
    if (failed_ && !connection_.isOwn()) return connection_.retryNow();
    if (!problems_.empty()) return emit problemsChanged();
    startEngine(true);
}

// A configuration that the engine still looks at, or has refused, is not replaced by the one that the engine
// has; a run that is there goes on under its own.
void Session::runWanted() {
    if (!problems_.empty() && !live_.start()) return emit problemsChanged();
    run_when_accepted_ = last_answer_ != last_request_;
    if (!run_when_accepted_) control(wire::Control::RUN);
}

void Session::pause() {
    if (replaying_) return replayer_.setPlaying(false);
    if (connection_.phase() == EngineConnection::Phase::Starting) {
        connection_.stop();
        emit stateChanged();
        return;
    }
    if (refusesToControl()) return;
    control(wire::Control::PAUSE);
}

void Session::step() {
    if (replaying_) return replayer_.stepIteration(+1);
    if (connection_.phase() != EngineConnection::Phase::Attached || refusesToControl()) return;
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

}  // namespace bscope::ui
