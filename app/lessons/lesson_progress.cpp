#include "app/lessons/lesson_progress.h"

#include <QDate>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>
#include <ostream>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope::ui {
namespace {

const QString kLessons = QStringLiteral("lessons");

}  // namespace

QString LessonProgress::defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/bubblescope/progress.json");
}

LessonProgress::LessonProgress(const QString& file) : file_(file) {
    if (!QFileInfo::exists(file)) return;
    try {
        const std::string text = readUserFile(file.toStdString(), kMaxConfigFileBytes);
        (void)shallowJson(text);
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
        const QJsonValue lessons = document[kLessons];
        broken_ = !document.isObject() || !(lessons.isUndefined() || lessons.isObject());
        if (!broken_) all_ = document.object();
    } catch (const SentenceError<>&) {  // FileError, JsonTooDeep
        broken_ = true;
    }
}

LessonMark LessonProgress::markOf(const QString& lesson) const {
    const QJsonValue taken = all_[kLessons][lesson];
    if (!taken.isObject()) return LessonMark::None;
    return taken[QStringLiteral("right")].toBool() ? LessonMark::Right : LessonMark::Wrong;
}

QString LessonProgress::add(const QString& lesson, int choice, bool right, int seconds) {
    if (markOf(lesson) != LessonMark::None) return {};
    QJsonObject lessons = all_[kLessons].toObject();
    lessons[lesson] = QJsonObject{{QStringLiteral("date"), QDate::currentDate().toString(Qt::ISODate)},
                                  {QStringLiteral("choice"), choice},
                                  {QStringLiteral("right"), right},
                                  {QStringLiteral("seconds"), seconds}};
    all_[kLessons] = lessons;
    return write();
}

QString LessonProgress::forget() {
    for (const QString& part : {kLessons, QStringLiteral("interview")}) all_.remove(part);
    return write();
}

QString LessonProgress::setPart(const QString& name, const QJsonObject& part) {
    if (all_[name].toObject() == part) return {};
    if (part.isEmpty())
        all_.remove(name);
    else
        all_[name] = part;
    return write();
}

QString LessonProgress::write() {
    QDir().mkpath(QFileInfo(file_).path());
    if (broken_) {
        const QString aside = file_ + QStringLiteral(".broken");
        QFile::remove(aside);
        QFile::rename(file_, aside);
        broken_ = false;
    }
    try {
        writeWholeFile(file_.toStdString(),
                       [&](std::ostream& to) { to << QJsonDocument(all_).toJson().toStdString(); });
        return {};
    } catch (const std::exception& error) {
        return file_ + QStringLiteral(": ") + QString::fromUtf8(error.what());
    }
}

}  // namespace bscope::ui
