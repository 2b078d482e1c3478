// HandoutJob: a handout without a window: makes the runs of its lessons in a real engine, one lesson after
// the other, writes the PDF and says how it went.
#pragma once

#include <QObject>

#include "app/handout/handout.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"

namespace bscope::ui {

class HandoutJob : public QObject {
    Q_OBJECT
public:
    // The scenarios have lessons; the book numbers them.
    HandoutJob(std::vector<wire::Scenario> scenarios, const LessonBook& book, const HandoutOptions& options,
               const QString& path);
    void start();

signals:
    void progress(const QString& sentence);
    void finished(bool written, const QString& sentence);

private:
    void next();
    void onRuns();
    void write();
    void end(bool written, const QString& sentence);

    std::vector<wire::Scenario> scenarios_;
    const LessonBook& book_;
    HandoutOptions options_;
    QString path_;
    std::vector<HandoutLesson> made_;
    bool ended_ = false;
    Session session_;
    LessonRunner runner_{session_};
};

}  // namespace bscope::ui
