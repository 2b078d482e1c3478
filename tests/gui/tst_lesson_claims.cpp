// What lessons say about the numbers of their runs: every claim can be read, holds for the planned runs of
// its lesson, and is belied by the numbers of a machine that was busy with something else.
#include <google/protobuf/util/json_util.h>

#include <QTemporaryDir>
#include <QTest>
#include <map>

#include "app/history/planned_iteration.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"
#include "lesson_runs_of.h"
#include "lessons/lesson_course.h"
#include "lessons/lesson_text.h"
#include "lessons/written_numbers.h"
#include "sample_view.h"
#include "schedule/catalog.h"
#include "schedule/endless_stream.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/mean_durations.h"
#include "timeline/measured_report.h"
#include "timeline/median.h"
#include "widgets/prepared/prepared_view.h"
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
    fillMeasured(report, plan.summary);
    report.tokens_per_s = plan.tokens_per_s;
    report.p = config.params.p, report.m = config.params.m, report.v = config.params.v;
    report.d = config.params.d;
    view.ran = plan.timeline;
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const Costs costs = estimateCosts(config, nullptr);
    report.theory_bubble_of_total = plan.stream ? 0 : closedFormBubble(schedule, costs, config.recompute);
    const std::vector<StageRange> ranges = rangesOfStages(config, schedule);
    for (RankReport& rank : report.ranks) {
        for (std::size_t stage = 0; stage < ranges.size(); ++stage)
            if (schedule.placement[stage] == rank.rank)
                rank.weight_bytes +=
                    static_cast<std::int64_t>(weightBytes(modelShape(config.model), ranges[stage]));
        if (!plan.stream) continue;
        const EndlessStream stream(schedule, config.params.m, config.recompute);
        rank.weight_versions = versionsHeld(weightVersions(stream.piece(), rank.rank));
        rank.stashed_weight_bytes = (rank.weight_versions - 1) * rank.weight_bytes;
    }
    return view;
}

double medianForward_ns(const IterationView& view) {
    std::vector<std::int64_t> forwards;
    for (int rank = 0; rank < view.ran->ranks(); ++rank)
        for (const Event& event : view.ran->compute(rank))
            if (event.op == Op::Forward) forwards.push_back(event.duration_ns());
    return median(forwards);
}

// A link as slow as the run says, in forward passes of the first run; a table as the course reads it.
LessonRuns runsOf(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs) {
    LessonRuns named;
    double forward_ns = 0;
    for (int i = 0; i < runs.size(); ++i) {
        const CourseRun run = courseRun(runs[i]);
        RunConfig config = fromWire(runs[i].config());
        std::optional<LessonRun>& kept = named[runName(static_cast<std::size_t>(i))];
        if (!run.table.empty()) {
            kept = LessonCourse({run}).kept(0);
            continue;
        }
        if (i == 0) forward_ns = medianForward_ns(*planned(config));
        if (run.latency_of_f > 0) config.link.latency_us = run.latency_of_f * forward_ns / 1e3;
        kept = lessonRuns(Runs{planned(config)}).at("A");
    }
    return named;
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
    // The picture of runs that share their durations is explained by itself, not by the iteration it was.
    void everyGapOfASharedRunHasItsCause() {
        const auto view = [](const char* schedule, int times) {
            IterationView made = sampleView({.schedule = schedule});
            auto ran = std::make_shared<Timeline>(made.ran->ranks(), Provenance::Reconstructed);
            for (int rank = 0; rank < made.ran->ranks(); ++rank)
                for (Event event : made.ran->compute(rank)) {
                    event.start_ns = made.start_ns + times * (event.start_ns - made.start_ns);
                    event.end_ns = made.start_ns + times * (event.end_ns - made.start_ns);
                    ran->append(event);
                }
            made.ran = made.summed = ran;
            made.summary = summarize(*ran, made.iteration);
            made.report->provenance = Provenance::Reconstructed;
            made.report->costs = sampleCosts(4, 1, true);
            made.config.link.latency_us = 0;
            fillMeasured(*made.report, *made.summary);
            return made;
        };
        const IterationView one = view("gpipe", 1), other = view("1f1b", 3);
        LessonRunner::Made made{LessonCourse({{one.config}, {other.config}}), {{}, {}}};
        while (!made.course.finished()) {
            const std::size_t run = made.course.run();
            const IterationView& each = run == 0 ? one : other;
            if (made.course.add({.config = each.config, .report = *each.report, .ran = each.ran}))
                made.counted[run].push_back(each);
        }
        Session session;
        LessonRunner runner(session);
        runner.show(std::move(made));
        for (const IterationView& shared : runner.views()) {
            QVERIFY(!shared.pooled_over.isEmpty());
            const PreparedView prepared(shared);
            int gaps = 0;
            for (int rank = 0; rank < prepared.lanes(); ++rank)
                for (const IdlePeriod& period : prepared.lane(rank).idle) {
                    const Gap* const gap = prepared.gapOf(period);
                    QVERIFY(gap && gap->start_ns == period.start_ns && gap->end_ns == period.end_ns);
                    ++gaps;
                }
            QVERIFY(gaps > 8);
        }
    }

    void everyLessonClaimsWhatItsPlansShow() {
        const LessonBook book = LessonBook::embedded();
        QVERIFY(!book.lessons().empty());
        for (const wire::Scenario* lesson : book.lessons()) {
            LessonRuns runs = runsOf(lesson->lesson().runs());
            QVERIFY2(lesson->lesson().claims_size() > 0, lesson->id().c_str());
            Claims claims = lesson->lesson().claims();
            for (int set = 0; set < lesson->lesson().tries_size(); ++set) {
                const wire::LessonTry& tried = lesson->lesson().tries(set);
                for (auto& [name, run] : runsOf(tried.runs())) runs[setName(set) + name] = std::move(run);
                claims.MergeFrom(tried.claims());
            }
            for (const std::string& claim : claims) {
                if (claim.find(".loss") != std::string::npos) continue;  // nothing is trained in a plan
                const std::optional<bool> so = claimHolds(claim, runs);
                QVERIFY2(so.value_or(false), (lesson->id() + ": " + claim).c_str());
            }
        }
    }

    // A number that a run or a formula makes is nowhere typed in, and every set of tries says what it shows.
    void noNumberIsWrittenByHand() {
        const LessonBook book = LessonBook::embedded();
        for (const wire::Scenario* lesson : book.lessons()) {
            for (const Sentence& found : writtenNumbers(lesson->lesson()))
                QFAIL((lesson->id() + ": " + say(found, Language::English)).c_str());
            for (const wire::LessonTry& set : lesson->lesson().tries())
                QVERIFY2(!set.after().en().empty() && !set.after().zh().empty(), lesson->id().c_str());
        }
    }

    // The tables in a lesson are those that stand beside it as files.
    void tablesAreTheFiles() {
        const LessonBook book = LessonBook::embedded();
        const wire::Lesson& lesson = book.find("find-the-impossible-box")->lesson();
        std::vector<std::pair<const wire::LessonRun*, const char*>> tables{
            {&lesson.runs(1), "48-layers-p4-m4"},
            {&lesson.tries(0).runs(1), "1f1b-p4-m8"},
            {&lesson.tries(1).runs(1), "gpipe-p4-m4"}};
        for (const auto& [run, name] : tables) {
            QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scenarios/files/%1.csv").arg(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(courseRun(*run).table, file.readAll().toStdString());
        }
    }

    // Neither by its length nor by its place; and whoever chose another one is told why it is wrong.
    void theRightChoiceDoesNotGiveItselfAway() {
        const LessonBook book = LessonBook::embedded();
        const auto lessons = static_cast<int>(book.lessons().size());
        QCOMPARE(lessons, 25);
        std::map<int, int> places;
        for (const Language language : {Language::English, Language::Chinese}) {
            int longest = 0;
            for (const wire::Scenario* scenario : book.lessons()) {
                const auto& choices = scenario->lesson().choices();
                qsizetype right = 0, others = 0;
                for (int i = 0; i < choices.size(); ++i) {
                    const qsizetype length = textOf(choices[i].text(), language).size();
                    if (choices[i].right()) {
                        right = length;
                        ++places[i];
                    } else {
                        others = std::max(others, length);
                        QVERIFY2(!textOf(choices[i].why(), language).isEmpty(), scenario->id().c_str());
                    }
                }
                longest += right > others ? 1 : 0;
            }
            QVERIFY2(3 * longest <= lessons, qPrintable(QString::number(longest)));
        }
        for (int place = 0; place < 4; ++place) QVERIFY(places[place] >= 2 * 3);
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
