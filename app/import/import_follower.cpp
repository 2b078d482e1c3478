#include "app/import/import_follower.h"

#include <QDir>

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
    clock_.setInterval(kEvery_ms);
    connect(&clock_, &QTimer::timeout, this, &ImportFollower::look);
}

void ImportFollower::follow(const QString& path) {
    stop();
    if (!QFileInfo(path).isDir() || probeFiles(path).isEmpty()) return;
    path_ = path;
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
