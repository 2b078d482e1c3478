#include "app/session/state_files.h"

#include <utility>

#include "app/engine/engine_words.h"

namespace bscope::ui {

StateFiles::StateFiles(EngineStream& stream, QObject* parent) : QObject(parent), stream_(stream) {
    connect(&stream, &EngineStream::logged, this, &StateFiles::onLog);
}

void StateFiles::save(const QString& path) {
    if (stream_.refusesToControl()) return;
    wire::Message message;
    message.mutable_save_state()->set_path(path.toStdString());
    stream_.send(message);
}

void StateFiles::load(const QString& path) {
    if (stream_.refusesToControl()) return;
    wire::Message message;
    message.mutable_load_state()->set_path(path.toStdString());
    stream_.send(message);
}

// Two files in turn: the one that is good stays while the other is written.
void StateFiles::keep() {
    const int newest = stream_.history().newestComplete();
    if (!stream_.connection().isOwn() || aside_ || newest == kept_iteration_ || !folder_.isValid()) return;
    kept_iteration_ = newest;
    save(folder_.filePath(QStringLiteral("state%1.safetensors").arg(keeps_++ % 2)));
}

void StateFiles::loadKept() {
    if (stream_.connection().isOwn() && hasKept()) load(kept_);
}

void StateFiles::putAside() {
    if (aside_ || !stream_.connection().isOwn() || !stream_.isAttached() ||
        stream_.history().newestComplete() < 0 || !folder_.isValid())
        return;
    aside_ = Aside{folder_.filePath(QStringLiteral("aside.safetensors")), std::nullopt};
    save(aside_->file);
}

void StateFiles::bringBack() {
    if (!aside_) return;
    if (stream_.isAttached()) return load(aside_->file);
    if (aside_->history) kept_ = aside_->file;  // the next engine goes on from it
    returnHistory();
}

// Its records were complete when the file was.
void StateFiles::returnHistory() {
    std::optional<Aside> aside = std::exchange(aside_, std::nullopt);
    stream_.setAside(false);
    if (!aside->history) return;
    stream_.history() = std::move(*aside->history);
    emit historyReturned();
}

// A log about the run that was put aside is not worth a notice.
bool StateFiles::isOfAside(const wire::Log& log) {
    if (!aside_ || log.path() != aside_->file.toStdString()) return false;
    if (log.state_file() == wire::STATE_SAVED) {
        aside_->history = stream_.history();
        stream_.setAside(true);
        return true;
    }
    if (log.state_file() != wire::STATE_LOADED) return false;
    kept_ = aside_->file;
    returnHistory();
    return true;
}

void StateFiles::onLog(const wire::Log& log) {
    if (isOfAside(log)) return;
    for (const char* name : {"state0.safetensors", "state1.safetensors", "aside.safetensors"}) {
        const QString path = folder_.filePath(QString::fromLatin1(name));
        if (log.state_file() == wire::NO_STATE || log.path() != path.toStdString()) continue;
        kept_ = path;
        return;  // saved or loaded by the window itself: no notice
    }
    emit notice({whatOf(log), {}, {}});
}

}  // namespace bscope::ui
