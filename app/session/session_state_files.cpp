// Session: the state of a run in files. What an own engine has learned survives the engine.
#include <utility>

#include "app/engine/engine_words.h"
#include "app/session/session.h"

namespace bscope::ui {

void Session::saveState(const QString& path) {
    if (refusesToControl()) return;
    wire::Message message;
    message.mutable_save_state()->set_path(path.toStdString());
    connection_.send(message);
}

void Session::loadState(const QString& path) {
    if (refusesToControl()) return;
    wire::Message message;
    message.mutable_load_state()->set_path(path.toStdString());
    connection_.send(message);
}

// Two files in turn: the one that is good stays while the other is written. An asynchronous schedule would
// have to be drained for it, which nobody asked for: the bubble of that is not the schedule's.
void Session::keepState() {
    const bool running =
        connection_.isOwn() && state() == SessionState::Running && !sweep_when_attached_ && !aside_;
    if (!running || live_.newestComplete() == kept_iteration_ || !state_folder_.isValid() ||
        shown().isStream())
        return;
    kept_iteration_ = live_.newestComplete();
    saveState(state_folder_.filePath(QStringLiteral("state%1.safetensors").arg(keeps_++ % 2)));
}

void Session::giveStateBack() {
    if (!connection_.isOwn() || kept_state_.isEmpty() || !run_when_attached_) return;
    loadState(kept_state_);
}

void Session::setRunAside() {
    const bool attached = connection_.phase() == EngineConnection::Phase::Attached;
    if (aside_ || !connection_.isOwn() || !attached || live_.newestComplete() < 0 || !state_folder_.isValid())
        return;
    aside_ = Aside{state_folder_.filePath(QStringLiteral("aside.safetensors")), std::nullopt};
    saveState(aside_->file);
}

void Session::bringRunBack() {
    if (!aside_) return;
    if (connection_.phase() == EngineConnection::Phase::Attached) return loadState(aside_->file);
    if (aside_->history) kept_state_ = aside_->file;  // the next engine goes on from it
    returnHistory();
}

// Its records were complete when the file was.
void Session::returnHistory() {
    const std::optional<Aside> aside = std::exchange(aside_, std::nullopt);
    if (!aside->history) return;
    live_ = *aside->history;
    selected_.reset();
    refreshPending();
    emit barsChanged();
    emit configChanged();
    emit shownChanged();
}

// True when the log is about the run that was set aside, which is not worth a notice.
bool Session::isOfAside(const wire::Log& log) {
    if (!aside_ || log.path() != aside_->file.toStdString()) return false;
    if (log.state_file() == wire::STATE_SAVED) {
        aside_->history = live_;
        return true;
    }
    if (log.state_file() != wire::STATE_LOADED) return false;
    kept_state_ = aside_->file;
    returnHistory();
    return true;
}

void Session::onLog(const wire::Log& log) {
    if (isOfAside(log)) return;
    for (const char* name : {"state0.safetensors", "state1.safetensors", "aside.safetensors"}) {
        const QString path = state_folder_.filePath(QString::fromLatin1(name));
        if (log.state_file() == wire::NO_STATE || log.path() != path.toStdString()) continue;
        kept_state_ = path;
        return;  // saved or loaded by the window itself: no notice
    }
    emit notice({whatOf(log), {}, {}});
}

}  // namespace bscope::ui
