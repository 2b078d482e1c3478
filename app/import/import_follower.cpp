#include "app/import/import_follower.h"

#include <QDir>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kEvery_ms = 2000;

QFileInfoList probeFiles(const QString& folder) {
    return QDir(folder).entryInfoList({QStringLiteral("probe_rank_*.jsonl")}, QDir::Files);
}

qint64 bytesOf(const QString& folder) {
    qint64 bytes = 0;
    for (const QFileInfo& file : probeFiles(folder)) bytes += file.size();
    return bytes;
}

}  // namespace

ImportFollower::ImportFollower(QObject* parent) : QObject(parent) {
    setEvery(kEvery_ms);
    connect(&clock_, &QTimer::timeout, this, &ImportFollower::look);
}

void ImportFollower::setEvery(int ms) {
    every_ms_ = ms;
    clock_.setInterval(ms);
}

void ImportFollower::readIn(qint64 ms) {
    constexpr qint64 rest = 10, most = 600'000;
    clock_.setInterval(std::max(every_ms_, static_cast<int>(std::min(rest * ms, most))));
}

void ImportFollower::follow(const QString& path) {
    stop();
    if (!QFileInfo(path).isDir() || probeFiles(path).isEmpty()) return;
    path_ = path;
    clock_.setInterval(every_ms_);
    bytes_ = bytesOf(path);
    clock_.start();
}

void ImportFollower::stop() {
    clock_.stop();
    path_.clear();
}

void ImportFollower::look() {
    const qint64 bytes = bytesOf(path_);
    if (bytes == bytes_) return;
    bytes_ = bytes;
    emit grown();
}

}  // namespace bscope::ui
