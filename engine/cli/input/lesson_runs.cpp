#include "cli/input/lesson_runs.h"

#include <map>

#include "catalog/catalog.h"
#include "cli/input/run_log.h"
#include "lessons/claims_settled.h"
#include "lessons/lesson_file.h"
#include "run/run.h"
#include "timeline/iteration_events.h"
#include "timeline/stream_pieces.h"
#include "wire/convert.h"

namespace bscope::cli {

namespace {

// One configuration, ready to run on.
struct Running {
    explicit Running(const RunConfig& config) : run(config, log) {}
    RunLog log{RunLog::Keep::LastIteration};
    Run run;
};

using Enough = std::function<bool(const LessonCourse&)>;

// Those of lessons and of tries; what is compared by hand warms up everywhere.
LessonCourse lessonCourseOf(std::vector<CourseRun> runs) {
    return LessonCourse(std::move(runs), LessonCourse::WarmUp::OnGpus);
}

LessonCourse comparedCourseOf(std::vector<CourseRun> runs) {
    return LessonCourse(std::move(runs), LessonCourse::WarmUp::FirstTurn);
}

std::vector<CourseRun> courseRunsOf(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs) {
    std::vector<CourseRun> course;
    for (const wire::LessonRun& run : runs) {
        course.push_back(courseRun(run));
        course.back().config = fromWire(run.config());
    }
    return course;
}

// enough: asked after each iteration; no further one is made then.
LessonCourse made(LessonCourse course, const Enough& enough, const std::function<bool()>& interrupted,
                  const std::function<void(const IterationReport&)>& reported) {
    std::map<std::size_t, std::unique_ptr<Running>> running;
    while (!course.finished()) {
        const std::size_t at = course.run();
        const RunConfig config = course.config();
        std::unique_ptr<Running>& here = running[at];
        if (!here || course.beginsAnew() || !(here->run.config() == config))
            here = std::make_unique<Running>(config);
        here->run.abortWhen(interrupted);
        const IterationReport report = here->run.iterate(course.leftHere() - 1);
        reported(report);
        course.add({config, report, std::make_shared<Timeline>(here->log.timeline(report.iteration))});
        if (!course.finished() && enough(course)) course.finish();
    }
    return course;
}

}  // namespace

IterationView viewOf(const LessonRun& run) {
    IterationView view;
    view.config = run.config;
    view.order = std::make_shared<const Schedule>(makeSchedule(run.config.schedule, run.config.params));
    view.iteration = run.report.iteration;
    view.ran = aloneOf(*run.ran, view.iteration);
    view.planned = std::make_shared<const Timeline>();
    view.summed = run.ran;
    view.summary = summarize(*run.ran, view.iteration);
    view.start_ns = view.summary->start_ns;
    if (const auto first = firstOfStream(*view.ran)) view.first_microbatch = first->microbatch;
    view.report = run.report;
    view.device = run.report.device;
    view.pooled_over = run.pooled_over;
    return view;
}

int iterationsOf(const std::vector<CourseRun>& runs) {
    return comparedCourseOf(runs).total();
}

int iterationsOf(const wire::Lesson& lesson, LessonParts parts) {
    int iterations = lessonCourseOf(courseRunsOf(lesson.runs())).total();
    if (parts == LessonParts::Runs) return iterations;
    for (int set = 0; set < lesson.tries_size(); ++set) iterations += iterationsOfTry(lesson, set);
    return iterations;
}

LessonCourse runCourse(std::vector<CourseRun> runs, const std::function<bool()>& interrupted,
                       const std::function<void(const IterationReport&)>& reported) {
    return made(
        comparedCourseOf(std::move(runs)), [](const LessonCourse&) { return false; }, interrupted, reported);
}

int iterationsOfTry(const wire::Lesson& lesson, int set) {
    return lessonCourseOf(courseRunsOf(lesson.tries(set).runs())).total();
}

LessonRuns runTry(const wire::Lesson& lesson, int set, const LessonRuns& before,
                  const std::function<bool()>& interrupted,
                  const std::function<void(const IterationReport&)>& reported) {
    const wire::LessonTry& tried = lesson.tries(set);
    const auto enough = [&](const LessonCourse& course) {
        return areSettled(tried.claims(), course, setName(set), before);
    };
    return made(lessonCourseOf(courseRunsOf(tried.runs())), enough, interrupted, reported).kept(setName(set));
}

LessonRuns runLesson(const wire::Lesson& lesson, LessonParts parts, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& reported) {
    const LessonRuns none = withAllNames(lesson);
    const auto enough = [&](const LessonCourse& course) {
        return areSettled(lesson.claims(), course, {}, none);
    };
    LessonRuns kept = withAllNames(
        lesson, made(lessonCourseOf(courseRunsOf(lesson.runs())), enough, interrupted, reported).kept());
    for (int set = 0; parts == LessonParts::RunsAndTries && set < lesson.tries_size(); ++set)
        for (auto& [name, run] : runTry(lesson, set, kept, interrupted, reported))
            kept[name] = std::move(run);
    return kept;
}

}  // namespace bscope::cli
