#include "app/lessons/lesson_runner.h"

#include "app/lessons/planned_run.h"
#include "timeline/analysis.h"

namespace bscope::ui {

LessonRunner::LessonRunner(Session& session, QObject* parent)
    : QObject(parent), session_(session), made_{LessonCourse({}), {}} {
    connect(&session, &Session::iterationFinished, this, &LessonRunner::onIteration);
    connect(&session, &Session::stateChanged, this, &LessonRunner::onState);
}

void LessonRunner::start(LessonCourse course, Enough enough) {
    const std::size_t runs = course.runs();
    show({std::move(course), std::vector<std::vector<IterationView>>(runs)});
    enough_ = std::move(enough);
}

void LessonRunner::show(Made made) {
    if (!active_) {
        before_ = session_.wanted();
        ran_before_ = session_.state() == SessionState::Running || session_.state() == SessionState::Starting;
        session_.states().putAside();
    }
    active_ = true;
    made_ = std::move(made);
    enough_ = {};
    begin();
}

// What runs next is asked for. Only another seed brings back the first weights of a training.
void LessonRunner::begin() {
    rested_ = ran_on_ = false;
    renewing_ = made_.course.beginsAnew();
    if (finished()) {
        session_.pause();
    } else {
        if (session_.wanted() != asked()) session_.edit(asked(), true);
        if (session_.state() != SessionState::Running) session_.run();
    }
    emit changed();
}

RunConfig LessonRunner::asked() const {
    RunConfig config = made_.course.config();
    if (renewing_) ++config.seed;
    return config;
}

void LessonRunner::onIteration(int iteration) {
    if (!active_ || finished()) return;
    const auto view = session_.history().view(iteration);
    if (!view || !view->summary || !view->report || !(view->config == asked())) return;
    if (renewing_) {
        renewing_ = false;
        return session_.edit(asked(), true);
    }
    const std::size_t run = made_.course.run();
    const RunConfig config = asked();
    if (made_.course.add({.config = config, .report = *view->report, .ran = view->ran}))
        made_.counted[run].push_back(*view);
    if (!finished() && enough_ && enough_(made_.course)) made_.course.finish();
    if (!finished() && asked() == config && !made_.course.beginsAnew())
        emit changed();
    else
        begin();
}

// The engine is paused after the last run; only a start after that was asked for by the user.
void LessonRunner::onState() {
    if (!finished()) return;
    rested_ = rested_ || session_.state() == SessionState::Paused;
    if (ran_on_ || !rested_ || session_.state() != SessionState::Running) return;
    ran_on_ = true;
    emit changed();
}

void LessonRunner::leave() {
    if (!active_) return;
    active_ = ran_on_ = false;
    // Held first: no iteration may run between the change, the state that comes back and the pause.
    const bool attached = session_.connection().phase() == EngineConnection::Phase::Attached;
    if (attached) session_.pause();
    session_.edit(before_, true);
    session_.states().bringBack();
    if (ran_before_)
        session_.run();
    else if (!attached)
        session_.pause();
    emit changed();
}

// As slow a link as the run will have: its latency is known in forward passes.
IterationView LessonRunner::planOf(const LessonCourse& course, std::size_t run) const {
    const IterationView free = session_.planOf(course.configOf(run));
    const RunConfig config =
        course.plannedConfigOf(run, run == 0 ? free.medianForward_ns()
                                             : session_.planOf(course.configOf(0)).medianForward_ns());
    return config == free.config ? free : session_.planOf(config);
}

LessonRuns LessonRunner::numbersSoFar() const {
    LessonRuns runs = made_.course.kept();
    for (std::size_t run = 0; run < made_.course.runs(); ++run)
        if (std::optional<LessonRun>& kept = runs[runName(run)]; !kept)
            kept = plannedRun(planOf(made_.course, run));
    return runs;
}

std::vector<std::string> LessonRunner::predictedRuns() const {
    std::vector<std::string> names;
    for (std::size_t run = 0; run < made_.course.runs(); ++run)
        if (!made_.course.kept(run)) names.push_back(runName(run));
    return names;
}

std::vector<IterationView> LessonRunner::viewsOf(const Made& made) const {
    const LessonCourse& course = made.course;
    std::vector<IterationView> views;
    for (std::size_t run = 0; run < course.runs(); ++run) {
        if (course.isTable(run)) continue;
        const std::optional<LessonRun>& kept = course.kept(run);
        if (!kept) {
            views.push_back(planOf(course, run));
            continue;
        }
        IterationView view = made.counted[run][course.keptIndex(run)];
        view.report = kept->report;
        if (!kept->pooled_over.empty()) {
            view.ran = kept->ran;
            view.summed = nullptr;  // the numbers are of what is drawn
            view.analysis = nullptr;
            view.summary = summarize(*view.ran, view.iteration);
            view.kernels = nullptr;
            view.pooled_over = kept->pooled_over;
        }
        views.push_back(std::move(view));
    }
    return views;
}

}  // namespace bscope::ui
