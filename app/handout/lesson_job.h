// LessonJob: a file of lessons without a window: makes the runs of its lessons in a real engine, one lesson
// after the other, has the file written and says how it went.
#pragma once

#include <QObject>
#include <functional>

#include "app/handout/handout_file.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"
#include "lessons/claims_settled.h"

namespace bscope::ui {

class LessonJob : public QObject {
    Q_OBJECT
public:
    using Write = std::function<WrittenFile(const std::vector<HandoutLesson>&)>;

    // The scenarios have lessons; the book numbers them. with_tries: what there is to try runs, too.
    LessonJob(std::vector<wire::Scenario> scenarios, const LessonBook& book, Write write,
              bool with_tries = false);
    void start();

signals:
    void progress(const QString& sentence);
    void finished(bool written, const QString& sentence);

private:
    void next();
    void run(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs, const Claims& claims);
    void onRuns();
    void end(const WrittenFile& file);

    std::vector<wire::Scenario> scenarios_;
    const LessonBook& book_;
    Write write_;
    std::vector<HandoutLesson> made_;
    bool with_tries_, ended_ = false;
    int set_ = -1;  // of tries that is made; -1: the lesson's own runs
    LessonRuns numbers_;                // of the lesson under way
    std::vector<IterationView> views_;  // of its own runs
    Session session_;
    LessonRunner runner_{session_};
};

}  // namespace bscope::ui
