#include "cli/input/lesson_runs.h"

#include <map>

#include "cli/input/run_log.h"
#include "lessons/lesson_file.h"
#include "run/run.h"
#include "wire/convert.h"

namespace bscope::cli {

namespace {

// One configuration, ready to run on.
struct Running {
    explicit Running(const RunConfig& config) : run(config, log) {}
    RunLog log{RunLog::Keep::LastIteration};
    Run run;
};

LessonCourse courseOf(std::vector<CourseRun> runs) {
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

}  // namespace

int iterationsOf(const std::vector<CourseRun>& runs) {
    return courseOf(runs).total();
}

int iterationsOf(const wire::Lesson& lesson, LessonParts parts) {
    int iterations = iterationsOf(courseRunsOf(lesson.runs()));
    if (parts == LessonParts::Runs) return iterations;
    for (int set = 0; set < lesson.tries_size(); ++set) iterations += iterationsOfTry(lesson, set);
    return iterations;
}

LessonCourse runCourse(std::vector<CourseRun> runs, const std::function<bool()>& interrupted,
                       const std::function<void(const IterationReport&)>& reported) {
    LessonCourse course = courseOf(std::move(runs));
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
    }
    return course;
}

int iterationsOfTry(const wire::Lesson& lesson, int set) {
    return iterationsOf(courseRunsOf(lesson.tries(set).runs()));
}

LessonRuns runTry(const wire::Lesson& lesson, int set, const std::function<bool()>& interrupted,
                  const std::function<void(const IterationReport&)>& reported) {
    return runCourse(courseRunsOf(lesson.tries(set).runs()), interrupted, reported).kept(setName(set));
}

LessonRuns runLesson(const wire::Lesson& lesson, LessonParts parts, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& reported) {
    LessonRuns kept = runCourse(courseRunsOf(lesson.runs()), interrupted, reported).kept();
    for (int set = 0; parts == LessonParts::RunsAndTries && set < lesson.tries_size(); ++set)
        kept.merge(runTry(lesson, set, interrupted, reported));
    return withAllNames(lesson, std::move(kept));
}

}  // namespace bscope::cli
