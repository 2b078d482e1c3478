#include "app/import/import_follower.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kEvery_ms = 2000;

QFileInfoList probeFiles(const QString& folder) {
    return QDir(folder).entryInfoList({QStringLiteral("probe_rank_*.jsonl")}, QDir::Files);
}

qint64 bytesOf(const QFileInfoList& files) {
    qint64 bytes = 0;
    for (const QFileInfo& file : files) bytes += file.size();
    return bytes;
}

// Of the training after this one.
QString nextFolder(const QString& path) {
    static const QRegularExpression numbered(QStringLiteral("^(.+)-(\\d{1,6})$"));
    const QString folder = QDir::cleanPath(path);
    const QRegularExpressionMatch match = numbered.match(folder);
    return match.hasMatch() ? match.captured(1) + u'-' + QString::number(match.captured(2).toInt() + 1)
                            : folder + QStringLiteral("-2");
}

// Of the job, by the file's first line; 0: it is not there yet.
int worldSizeIn(const QString& path) {
    constexpr qint64 most = 4096;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return QJsonDocument::fromJson(file.readLine(most)).object().value(u"world_size").toInt();
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
    const QFileInfoList files = probeFiles(path);
    if (files.isEmpty() && !awaits(path)) return;
    path_ = path;
    clock_.setInterval(every_ms_);
    bytes_ = bytesOf(files);
    files_ = files.size();
    clock_.start();
    next_ = nextFolder(path);
    if (QFileInfo::exists(next_)) next_.clear();
}

bool ImportFollower::awaits(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir()) return QDir(path).isEmpty();
    static const QStringList of_files{
        QStringLiteral("bscope"), QStringLiteral("json"), QStringLiteral("csv"),
        QStringLiteral("tsv"),    QStringLiteral("txt"),  QStringLiteral("gz"),
        QStringLiteral("sqlite"), QStringLiteral("db"),   QStringLiteral("jsonl")};
    return !info.exists() && !info.isSymLink() && !of_files.contains(info.suffix().toLower());
}

ImportFollower::Ranks ImportFollower::ranks() const {
    Ranks ranks;
    for (const QFileInfo& file : probeFiles(path_)) {
        const int of = worldSizeIn(file.filePath());
        ranks.written += of > 0;
        ranks.of = std::max(ranks.of, of);
    }
    return ranks;
}

void ImportFollower::stop() {
    clock_.stop();
    path_.clear();
}

void ImportFollower::look() {
    if (!next_.isEmpty() && !probeFiles(next_).isEmpty()) {
        const QString next = next_;
        stop();
        return emit goesOnIn(next);
    }
    const QFileInfoList files = probeFiles(path_);
    const qint64 bytes = bytesOf(files);
    if (bytes == bytes_ && files.size() == files_) return;
    bytes_ = bytes;
    files_ = files.size();
    emit grown();
}

}  // namespace bscope::ui
