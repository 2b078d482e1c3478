#include "app/session/run_keeper.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "wire/recording.h"

namespace bscope::ui {
namespace {

constexpr qint64 kLeastBytes = 2000;  // less is a head without an iteration

// Over another file, if there is one; between file systems too.
bool move(const QString& from, const QString& to) {
    if (QFileInfo::exists(to) && !QFile::remove(to)) return false;
    return QFile::rename(from, to);
}

}  // namespace

RunKeeper::RunKeeper(EngineStream& stream, QObject* parent) : QObject(parent), stream_(stream) {
    connect(&stream, &EngineStream::attached, this,
            [this](bool same_engine) { attached_anew_ = attached_anew_ || !same_engine; });
    connect(&stream, &EngineStream::iterationStarted, this, &RunKeeper::onStarted);
    connect(&stream, &EngineStream::iterationFinished, this, &RunKeeper::onFinished);
}

void RunKeeper::keepIn(const QString& folder, qint64 most_bytes) {
    folder_ = folder;
    most_bytes_ = most_bytes;
}

QString RunKeeper::earlierOf(const QString& path) {
    const QFileInfo info(path);
    return info.dir().filePath(info.completeBaseName() + QStringLiteral("-earlier.bscope"));
}

int RunKeeper::iterations() const {
    if (path_.isEmpty()) return 0;
    return std::min(iterations_ + earlier_, static_cast<int>(stream_.ownHistory().bars().size()));
}

void RunKeeper::onStarted(bool bars_dropped) {
    if (!isOn() || stream_.isAside()) return;
    const auto bars = static_cast<int>(stream_.history().bars().size());
    if (bars_dropped) {
        iterations_ = std::min(iterations_, bars);
        earlier_ = std::min(earlier_, bars - iterations_);
    }
    if (path_.isEmpty())
        begin();
    else if (std::exchange(attached_anew_, false))
        moveOn();
}

void RunKeeper::onFinished() {
    if (path_.isEmpty() || stream_.isAside()) return;
    ++iterations_;
    if (QFileInfo(path_).size() > most_bytes_) moveOn();
}

// Whether an iteration has begun or ended, nothing of the next one has come.
void RunKeeper::begin() {
    QDir().mkpath(folder_);
    const QString name = QStringLiteral("run-%1-%2.bscope")
                             .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")))
                             .arg(QCoreApplication::applicationPid());
    path_ = QDir(folder_).filePath(name);
    attached_anew_ = false;
    if (!stream_.runFile().start(path_, true)) {  // which says why
        path_.clear();
        folder_.clear();
    }
}

void RunKeeper::moveOn() {
    stream_.runFile().stop();
    const QString earlier = earlierOf(path_);
    if (!move(path_, earlier)) QFile::remove(path_);
    earlier_ = std::exchange(iterations_, 0);
    if (!stream_.runFile().start(path_, true)) {
        path_.clear();
        folder_.clear();
    }
}

QString RunKeeper::saveAs(const QString& path) {
    stream_.runFile().stop();
    const QString earlier = earlierOf(path_);
    if (QFileInfo::exists(path) && !QFile::remove(path)) return tr("the file there cannot be replaced");
    QFile file(path_);
    if (!file.rename(path)) return file.errorString();
    if (QFileInfo::exists(earlier) && !move(earlier, earlierOf(path)))
        return tr("its earlier part stays in %1").arg(earlier);
    path_.clear();
    iterations_ = earlier_ = 0;
    return {};
}

void RunKeeper::discard() {
    if (path_.isEmpty()) return;
    stream_.runFile().stop();
    QFile::remove(path_);
    QFile::remove(earlierOf(path_));
    path_.clear();
    iterations_ = earlier_ = 0;
}

QStringList RunKeeper::leftOver(const QString& folder) {
    QStringList found;
    const QFileInfoList files =
        QDir(folder).entryInfoList({QStringLiteral("run-*.bscope")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const QString path = file.absoluteFilePath();
        if (isBeingRecorded(QFile::encodeName(path).toStdString())) continue;
        const bool is_earlier = file.completeBaseName().endsWith(QLatin1String("-earlier"));
        const QString whole = is_earlier ? path.chopped(15) + QStringLiteral(".bscope") : path;
        if (is_earlier && whole != path && QFileInfo::exists(whole)) continue;  // goes with that
        if (file.size() < kLeastBytes || found.size() == kMostLeftOver) {
            QFile::remove(path);
            QFile::remove(earlierOf(path));
            continue;
        }
        found << path;
    }
    return found;
}

}  // namespace bscope::ui
