#include "app/handout/lesson_job.h"

#include "app/session/session_failure.h"
#include "wire/convert.h"

namespace bscope::ui {

LessonJob::LessonJob(std::vector<wire::Scenario> scenarios, const LessonBook& book, Write write)
    : scenarios_(std::move(scenarios)), book_(book), write_(std::move(write)) {
    connect(&runner_, &LessonRunner::changed, this, &LessonJob::onRuns, Qt::QueuedConnection);
    whenFailed(session_, this, [this](const QString& why) { end({false, why}); });
}

void LessonJob::start() {
    next();
}

void LessonJob::next() {
    if (made_.size() == scenarios_.size()) return end(write_(made_));
    const wire::Scenario& scenario = scenarios_[made_.size()];
    emit progress(tr("Running lesson %1 (%2 of %3).")
                      .arg(QString::fromStdString(scenario.id()))
                      .arg(made_.size() + 1)
                      .arg(scenarios_.size()));
    std::vector<CourseRun> runs;
    for (const wire::LessonRun& run : scenario.lesson().runs()) {
        runs.push_back(courseRun(run));
        runs.back().config = fromWire(run.config());
    }
    runner_.start(LessonCourse(std::move(runs)));
}

void LessonJob::onRuns() {
    if (ended_ || !runner_.finished() || made_.size() == scenarios_.size()) return;
    const wire::Scenario& scenario = scenarios_[made_.size()];
    made_.push_back(handoutLesson(scenario, book_, runner_.made().course.kept(), runner_.views()));
    next();
}

void LessonJob::end(const WrittenFile& file) {
    if (std::exchange(ended_, true)) return;
    emit finished(file.is_there, file.sentence);
}

}  // namespace bscope::ui
