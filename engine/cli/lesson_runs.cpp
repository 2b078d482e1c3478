#include "cli/lesson_runs.h"

#include <map>

#include "cli/run_log.h"
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

LessonCourse courseOf(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs) {
    std::vector<CourseRun> course;
    for (const wire::LessonRun& run : runs) {
        course.push_back(courseRun(run));
        course.back().config = fromWire(run.config());
    }
    return LessonCourse(std::move(course));
}

}  // namespace

int iterationsOf(const wire::Lesson& lesson, LessonParts parts) {
    int iterations = courseOf(lesson.runs()).total();
    if (parts == LessonParts::Runs) return iterations;
    for (const wire::LessonTry& set : lesson.tries()) iterations += courseOf(set.runs()).total();
    return iterations;
}

LessonRuns runLesson(const wire::Lesson& lesson, LessonParts parts, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& told) {
    LessonRuns kept;
    const auto make = [&](const auto& runs, const std::string& set) {
        LessonCourse course = courseOf(runs);
        std::map<std::size_t, std::unique_ptr<Running>> running;
        while (!course.finished()) {
            const std::size_t at = course.run();
            const RunConfig config = course.config();
            std::unique_ptr<Running>& here = running[at];
            if (!here || course.beginsAnew() || !(here->run.config() == config))
                here = std::make_unique<Running>(config);
            here->run.abortWhen(interrupted);
            const IterationReport report = here->run.iterate(course.leftHere() - 1);
            told(report);
            course.add({config, report, std::make_shared<Timeline>(here->log.timeline(report.iteration))});
        }
        kept.merge(course.kept(set));
    };
    make(lesson.runs(), "");
    for (int set = 0; parts == LessonParts::RunsAndTries && set < lesson.tries_size(); ++set)
        make(lesson.tries(set).runs(), setName(set));
    return withAllNames(lesson, std::move(kept));
}

}  // namespace bscope::cli
