#include "app/schedules/schedule_files.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include "files/user_file.h"
#include "schedule/formats/csv.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

struct Files {
    Q_DECLARE_TR_FUNCTIONS(ScheduleFiles)
};

constexpr qsizetype kHashLetters = 6;

QString reasonOf(const FileError& error) {
    switch (error.why) {
        case FileError::Why::Folder:
            return said(sentenceOf(error));
        case FileError::Why::NotAFile:
            return Files::tr("it is a pipe or a device, not a file");
        case FileError::Why::TooLarge:
            return Files::tr("it is larger than %1 MB").arg(kMaxScheduleFileBytes >> 20);
        case FileError::Why::NotAllowed:  // of an engine's files alone
        case FileError::Why::System:
            break;
    }
    return QString::fromLocal8Bit(error.what());
}

}  // namespace

bool looksLikeScheduleFile(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == u"csv" || ending == u"tsv" || ending == u"txt";
}

std::optional<ScheduleFile> openScheduleFile(const QString& path, QString& why) {
    const QString name = QFileInfo(path).fileName();
    std::string text;
    try {
        text = readUserFile(QFile::encodeName(path).toStdString(), kMaxScheduleFileBytes);
    } catch (const FileError& error) {
        why = Files::tr("%1 cannot be read: %2.").arg(name, reasonOf(error));
        return std::nullopt;
    }
    if (text.find('\0') != std::string::npos) {
        why = Files::tr("%1 is not a text file: a schedule is a table with a row for each rank.").arg(name);
        return std::nullopt;
    }
    return readScheduleFile(text, name.toStdString());
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
