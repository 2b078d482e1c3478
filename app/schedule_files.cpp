#include "schedule_files.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include "schedule/csv.h"

namespace bscope::ui {
namespace {

struct Files {
    Q_DECLARE_TR_FUNCTIONS(ScheduleFiles)
};

constexpr qint64 kGreatest = 64 << 20;  // bytes; the largest legal schedule is smaller
constexpr qsizetype kHashLetters = 6;

}  // namespace

bool looksLikeScheduleFile(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == u"csv" || ending == u"tsv" || ending == u"txt";
}

std::optional<ScheduleFile> openScheduleFile(const QString& path, QString& why) {
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (QFileInfo(path).isDir() || !file.open(QIODevice::ReadOnly)) {
        why = Files::tr("%1 cannot be read: %2.")
                  .arg(name, QFileInfo(path).isDir() ? Files::tr("it is a folder") : file.errorString());
        return std::nullopt;
    }
    if (file.size() > kGreatest) {
        why = Files::tr("%1 is too large for a schedule: %2 MB.").arg(name).arg(file.size() >> 20);
        return std::nullopt;
    }
    const QByteArray text = file.readAll();
    if (text.contains('\0')) {
        why = Files::tr("%1 is not a text: a schedule is a table with a row for each rank.").arg(name);
        return std::nullopt;
    }
    return readScheduleFile(text.toStdString(), name.toStdString());
}

QString keepSchedule(const Schedule& schedule, const QString& name, QString& why) {
    const QByteArray text = QByteArray::fromStdString(toComputeCsv(schedule));
    const QString mark = QString::fromLatin1(
        QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(kHashLetters));
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                      QStringLiteral("/schedules"));
    const QString path = folder.filePath(QStringLiteral("%1-%2.csv").arg(name, mark));
    if (QFileInfo::exists(path)) return path;
    QSaveFile file(path);
    if (folder.mkpath(QStringLiteral(".")) && file.open(QIODevice::WriteOnly) &&
        file.write(text) == text.size() && file.commit())
        return path;
    why = Files::tr("%1 could not be written: %2.").arg(path, file.errorString());
    return {};
}

}  // namespace bscope::ui
