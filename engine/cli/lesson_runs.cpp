#include "cli/lesson_runs.h"

#include "cli/run_log.h"
#include "run/run.h"
#include "wire/convert.h"

namespace bscope::cli {

LessonRuns runLesson(const wire::Lesson& lesson, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& told) {
    LessonRuns runs;
    for (int i = 0; i < lesson.runs_size(); ++i) {
        const RunConfig config = fromWire(lesson.runs(i).config());
        RunLog log(RunLog::Keep::LastIteration);
        Run run(config, log);
        run.abortWhen(interrupted);
        std::optional<LessonRun>& kept = runs[runName(static_cast<std::size_t>(i))];
        for (int iteration = 0; iteration < kLessonIterations; ++iteration) {
            const IterationReport report = run.iterate(kLessonIterations - 1 - iteration);
            told(report);
            if (iteration == 0 || (kept && kept->report.iteration_ms <= report.iteration_ms)) continue;
            kept = LessonRun{config, report, std::make_shared<Timeline>(log.timeline(report.iteration))};
        }
    }
    return runs;
}

}  // namespace bscope::cli
