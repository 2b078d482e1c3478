// LessonProgress: which lessons were taken and how the first guess came out, kept in a file of the user's
// data folder (docs/FILE_FORMATS.md). What stands in the file beside lessons is left as it is. Nothing leaves
// the machine. Window thread only.
#pragma once

#include <QJsonObject>
#include <QString>

#include "widgets/lessons/lesson_data.h"

namespace bscope::ui {

class LessonProgress {
public:
    // ~/.local/share/bubblescope/progress.json
    static QString defaultFile();
    // A file that cannot be read is as none, and is put aside as FILE.broken before another one is written.
    explicit LessonProgress(const QString& file = defaultFile());

    LessonMark markOf(const QString& lesson) const;
    // The first guess of a lesson counts. choice: from 1; 0: a number was typed. Each gives what went wrong
    // while writing, or nothing.
    QString add(const QString& lesson, int choice, bool right, int seconds);
    QString forget();
    // What else is kept beside the lessons, by name; an empty one is taken away.
    QJsonObject part(const QString& name) const { return all_[name].toObject(); }
    QString setPart(const QString& name, const QJsonObject& part);

private:
    QString write();

    QString file_;
    QJsonObject all_;
    bool broken_ = false;
};

}  // namespace bscope::ui
