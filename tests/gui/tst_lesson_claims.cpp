// What lessons say about the numbers of their runs: every claim can be read, holds for the planned runs of
// its lesson, and is belied by the numbers of a machine that was busy with something else.
#include <google/protobuf/util/json_util.h>

#include <QTemporaryDir>
#include <QtTest>

#include "app/history/planned_iteration.h"
#include "app/lessons/lesson_book.h"
#include "schedule/catalog.h"
#include "shape/config_shape.h"
#include "wire/convert.h"

using namespace bscope;
using namespace bscope::ui;

namespace {

using Runs = std::vector<std::optional<IterationView>>;

// As if every stage took what it is planned to take.
std::optional<IterationView> planned(const RunConfig& config) {
    const PlannedIteration plan = planIteration(config, estimateCosts(config, nullptr));
    IterationView view;
    view.config = config;
    IterationReport& report = view.report.emplace();
    report.iteration_ms = static_cast<double>(plan.summary.iteration_ns) / 1e6;
    report.bubble_of_total = plan.summary.bubble_of_total;
    report.bubble_of_ideal = plan.summary.bubble_of_ideal;
    report.tokens_per_s = plan.tokens_per_s;
    report.p = config.params.p, report.m = config.params.m, report.v = config.params.v;
    report.d = config.params.d;
    view.ran = plan.timeline;
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const std::vector<StageRange> ranges = rangesOfStages(config, schedule);
    for (const RankSummary& rank : plan.summary.ranks) {
        RankReport& of_rank = report.ranks.emplace_back();
        for (std::size_t stage = 0; stage < ranges.size(); ++stage)
            if (schedule.placement[stage] == rank.rank)
                of_rank.weight_bytes +=
                    static_cast<std::int64_t>(weightBytes(modelShape(config.model), ranges[stage]));
        of_rank.bubble_of_total = rank.bubble_of_total;
        of_rank.peak_activation_bytes = rank.peak_activation_bytes;
        of_rank.peak_in_flight = rank.peak_in_flight;
    }
    return view;
}

Runs runsOf(const wire::Scenario& lesson) {
    Runs runs;
    for (const wire::LessonRun& run : lesson.lesson().runs()) runs.push_back(planned(fromWire(run.config())));
    return runs;
}

Runs withNumbers(std::vector<std::pair<double, double>> iteration_ms_and_tokens) {
    Runs runs;
    for (const auto& [iteration_ms, tokens_per_s] : iteration_ms_and_tokens) {
        runs.emplace_back().emplace().report.emplace();
        runs.back()->report->iteration_ms = iteration_ms;
        runs.back()->report->tokens_per_s = tokens_per_s;
    }
    return runs;
}

bool holds(const char* claim, const Runs& runs) {
    return claimHolds(claim, lessonRuns(runs)).value();
}

}  // namespace

class TestLessonClaims : public QObject {
    Q_OBJECT
private slots:
    void everyLessonClaimsWhatItsPlansShow() {
        const LessonBook book = LessonBook::embedded();
        QVERIFY(!book.lessons().empty());
        for (const wire::Scenario* lesson : book.lessons()) {
            const Runs runs = runsOf(*lesson);
            QVERIFY2(lesson->lesson().claims_size() > 0, lesson->id().c_str());
            for (const std::string& claim : lesson->lesson().claims()) {
                const std::optional<bool> so = claimHolds(claim, lessonRuns(runs));
                QVERIFY2(so.value_or(false), (lesson->id() + ": " + claim).c_str());
            }
        }
    }

    // Seen on a machine that was busy.
    void aBusyMachineBeliesThem() {
        QVERIFY(!holds("A.iteration_ms ~5% B.iteration_ms", withNumbers({{547.9, 1}, {512.5, 1}})));
        const Runs doubled = withNumbers({{1, 2406}, {1, 3460}, {1, 5725}});
        QVERIFY(!holds("C.tokens_per_s / B.tokens_per_s < B.tokens_per_s / A.tokens_per_s", doubled));
        QVERIFY(holds("C.tokens_per_s < 2 * B.tokens_per_s", doubled));
    }

    void aFileThatNamesWhatDoesNotExistIsRefused() {
        const LessonBook book = LessonBook::embedded();
        QTemporaryDir folder;
        const auto refusal = [&](const auto& change) -> QString {
            wire::Scenario scenario = *book.lessons().front();
            change(*scenario.mutable_lesson());
            std::string json;
            if (!google::protobuf::util::MessageToJsonString(scenario, &json).ok()) return "no JSON";
            QFile file(folder.filePath("own.json"));
            if (!file.open(QIODevice::WriteOnly)) return "no file";
            file.write(QByteArray::fromStdString(json));
            file.close();
            try {
                openScenario(file.fileName());
                return "";
            } catch (const WireError& error) {
                return error.what();
            }
        };
        QCOMPARE(refusal([](wire::Lesson&) {}), QString());
        QVERIFY(refusal([](wire::Lesson& lesson) {
                    lesson.mutable_reveal()->set_zh("{A.bubbles}");
                }).endsWith("own.json: no lesson has a number named A.bubbles"));
        QVERIFY(refusal([](wire::Lesson& lesson) {
                    lesson.mutable_follow_up()->set_en("{=A.p}");
                }).contains("does not say its decimals"));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.add_claims("A.p ! 2"); }).contains("is not"));
    }
};

QTEST_GUILESS_MAIN(TestLessonClaims)
#include "tst_lesson_claims.moc"
