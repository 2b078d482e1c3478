#include "app/handout/lesson_job.h"

#include "app/session/session_failure.h"
#include "wire/convert.h"

namespace bscope::ui {

LessonJob::LessonJob(std::vector<wire::Scenario> scenarios, const LessonBook& book, Write write,
                     bool with_tries)
    : scenarios_(std::move(scenarios)), book_(book), write_(std::move(write)), with_tries_(with_tries) {
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
    set_ = -1;
    numbers_ = withAllNames(scenario.lesson());
    run(scenario.lesson().runs(), scenario.lesson().claims());
}

// Until what is claimed of them is settled.
void LessonJob::run(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs, const Claims& claims) {
    std::vector<CourseRun> course;
    for (const wire::LessonRun& each : runs) {
        course.push_back(courseRun(each));
        course.back().config = fromWire(each.config());
    }
    runner_.start(LessonCourse(std::move(course)),
                  [claims, set = set_ < 0 ? std::string() : setName(set_), before = numbers_](
                      const LessonCourse& made) { return areSettled(claims, made, set, before); });
}

void LessonJob::onRuns() {
    if (ended_ || !runner_.finished() || made_.size() == scenarios_.size()) return;
    const wire::Scenario& scenario = scenarios_[made_.size()];
    const LessonCourse& course = runner_.made().course;
    if (set_ < 0) views_ = runner_.views();
    for (auto& [name, made] : course.kept(set_ < 0 ? std::string() : setName(set_)))
        numbers_[name] = std::move(made);
    if (++set_; with_tries_ && set_ < scenario.lesson().tries_size()) {
        const wire::LessonTry& tried = scenario.lesson().tries(set_);
        return run(tried.runs(), tried.claims());
    }
    made_.push_back(handoutLesson(scenario, book_, std::move(numbers_), std::move(views_)));
    next();
}

void LessonJob::end(const WrittenFile& file) {
    if (std::exchange(ended_, true)) return;
    emit finished(file.is_there, file.sentence);
}

}  // namespace bscope::ui
