// LessonJob: a file of lessons without a window: makes the runs of its lessons in a real engine, one lesson
// after the other, has the file written and says how it went.
#pragma once

#include <QObject>
#include <functional>

#include "app/handout/handout_file.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"

namespace bscope::ui {

class LessonJob : public QObject {
    Q_OBJECT
public:
    using Write = std::function<WrittenFile(const std::vector<HandoutLesson>&)>;

    // The scenarios have lessons; the book numbers them.
    LessonJob(std::vector<wire::Scenario> scenarios, const LessonBook& book, Write write);
    void start();

signals:
    void progress(const QString& sentence);
    void finished(bool written, const QString& sentence);

private:
    void next();
    void onRuns();
    void end(const WrittenFile& file);

    std::vector<wire::Scenario> scenarios_;
    const LessonBook& book_;
    Write write_;
    std::vector<HandoutLesson> made_;
    bool ended_ = false;
    Session session_;
    LessonRunner runner_{session_};
};

}  // namespace bscope::ui
