// Session: the state of a run in files. What an own engine has learned survives the engine.
#include <utility>

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

// True when the text is about the run that was set aside and nobody needs to be told.
bool Session::tellsOfAside(const QString& text) {
    if (!aside_ || !text.contains(aside_->file)) return false;
    if (text.startsWith(QStringLiteral("The state was saved"))) {
        aside_->history = live_;
        return true;
    }
    if (!text.startsWith(QStringLiteral("The state of"))) return false;
    kept_state_ = aside_->file;
    returnHistory();
    return true;
}

void Session::onLog(const QString& text) {
    if (tellsOfAside(text)) return;
    for (const char* name : {"state0.safetensors", "state1.safetensors", "aside.safetensors"}) {
        const QString path = state_folder_.filePath(QString::fromLatin1(name));
        const bool is_good = text.startsWith(QStringLiteral("The state was saved")) ||
                             text.startsWith(QStringLiteral("The state of"));
        if (!is_good || !text.contains(path)) continue;
        kept_state_ = path;
        return;  // nobody asked for it, so nobody is told
    }
    emit notice({text, {}, {}});
}

}  // namespace bscope::ui
