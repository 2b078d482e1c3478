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
    aside_ = folder_.filePath(QStringLiteral("aside.safetensors"));
    save(*aside_);
}

void StateFiles::bringBack() {
    if (!aside_) return;
    if (stream_.isAttached()) return load(*aside_);
    if (stream_.isAside()) kept_ = *aside_;  // the next engine goes on from it
    returnHistory();
}

// Its records were complete when the file was.
void StateFiles::returnHistory() {
    aside_.reset();
    if (!stream_.isAside()) return;
    stream_.bringBack();
    emit historyReturned();
}

// A log about the run that was put aside is not worth a notice.
bool StateFiles::isOfAside(const wire::Log& log) {
    if (!aside_ || log.path() != aside_->toStdString()) return false;
    if (log.state_file() == wire::STATE_SAVED) {
        stream_.putAside();
        return true;
    }
    if (log.state_file() != wire::STATE_LOADED) return false;
    kept_ = *aside_;
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
