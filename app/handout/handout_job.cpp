#include "app/handout/handout_job.h"

#include <QSaveFile>
#include <algorithm>

#include "app/session/session_failure.h"
#include "wire/convert.h"

namespace bscope::ui {

HandoutJob::HandoutJob(std::vector<wire::Scenario> scenarios, const LessonBook& book,
                       const HandoutOptions& options, const QString& path)
    : scenarios_(std::move(scenarios)), book_(book), options_(options), path_(path) {
    connect(&runner_, &LessonRunner::changed, this, &HandoutJob::onRuns, Qt::QueuedConnection);
    whenFailed(session_, this, [this](const QString& why) { end(false, why); });
}

void HandoutJob::start() {
    next();
}

void HandoutJob::next() {
    if (made_.size() == scenarios_.size()) return write();
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

void HandoutJob::onRuns() {
    if (ended_ || !runner_.finished() || made_.size() == scenarios_.size()) return;
    const wire::Scenario& scenario = scenarios_[made_.size()];
    const auto lessons = book_.lessons();
    const auto at =
        std::ranges::find(lessons, scenario.id(), [](const wire::Scenario* each) { return each->id(); });
    LessonRuns numbers = withAllNames(scenario.lesson(), runner_.made().course.kept());
    made_.push_back({&scenario, at == lessons.end() ? 0 : static_cast<int>(at - lessons.begin()) + 1,
                     std::move(numbers), runner_.views()});
    next();
}

void HandoutJob::write() {
    QSaveFile file(path_);
    if (!file.open(QIODevice::WriteOnly))
        return end(false, tr("Cannot write %1: %2.").arg(path_, file.errorString()));
    const int pages = writeHandout(made_, options_, file);
    if (!file.commit()) return end(false, tr("Cannot write %1: %2.").arg(path_, file.errorString()));
    end(true, tr("Wrote %1: %2 pages.").arg(path_).arg(pages));
}

void HandoutJob::end(bool written, const QString& sentence) {
    if (std::exchange(ended_, true)) return;
    emit finished(written, sentence);
}

}  // namespace bscope::ui
