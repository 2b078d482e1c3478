// What lessons may name, compute and claim of their runs: every number against the report and the events it
// comes from.
#include <QTest>

#include "catalog/catalog.h"
#include "lessons/lesson_text.h"
#include "lessons/predicted_runs.h"
#include "lessons/written_numbers.h"
#include "registered_test.h"
#include "schedule/lowering.h"
#include "report/measured_report.h"
#include "timeline/predict.h"

namespace tst_lesson_text {

using namespace bscope;

namespace {

// F, I and W take a unit each; messages nothing.
LessonRun played(const char* schedule, int p, int v, int m, double reduce_ms = 0, int d = 1) {
    LessonRun run;
    run.config.schedule = schedule;
    run.config.params = {p, v, m, 0};
    run.config.params.d = d;
    const Program program = lower(makeSchedule(schedule, run.config.params), Recompute::None);
    Costs costs = unitCosts(program.schedule.stageCount(), 1, 1, 1, 0);
    costs.reduce_ns = reduce_ms * 1e6;
    costs.message_bytes = 32'768;
    run.ran = std::make_shared<Timeline>(predict(program, costs));
    run.report.p = p, run.report.v = v, run.report.m = m, run.report.d = d;
    fillMeasured(run.report, summarize(*run.ran, 0));
    return run;
}

LessonRuns withRun(LessonRun run) {
    LessonRuns runs;
    runs.emplace("A", std::move(run));
    return runs;
}

std::string refusal(const char* text, const LessonRuns& runs) {
    try {
        fillNumbers(text, runs);
        return "";
    } catch (const LessonError& error) {
        return error.what();
    }
}

}  // namespace

class TestLessonText : public QObject {
    Q_OBJECT
private slots:
    void numbersAreFilledAsOnScreen() {
        LessonRuns runs;
        IterationReport& report = runs["A"].emplace().report;
        runs["B"];
        report.iteration_ms = 282.44;
        report.span_ms = 200.06;
        report.bubble_of_total = 0.31;
        report.bubble_of_ideal = 0.449;
        report.theory_bubble_of_total = 3.0 / 11.0;
        report.tokens_per_s = 14503.2;
        report.loss = 5.12345;
        report.p = 4, report.d = 2, report.t = 3;
        report.ranks.resize(1);
        RankReport& rank = report.ranks[0];
        rank.busy_ms = 82.4, rank.wait_ms = 1.26, rank.transfer_ms = 2.34;
        rank.peak_activation_bytes = 75'240'000;
        rank.peak_in_flight = 4;
        rank.shards_wait_ms = 3.46, rank.shards_transfer_ms = 4.26, rank.shards_bytes = 2'700'000;
        rank.weight_bytes = 6'600'000, rank.gradient_bytes = 3'300'000, rank.stashed_weight_bytes = 1'960'000;
        rank.weight_versions = 3, rank.staleness = 2;
        QCOMPARE(fillNumbers("{A.iteration_ms} {A.span_ms} {A.bubble} {A.bubble_ideal} {A.efficiency} "
                             "{A.theory} {A.theory_ideal} {A.tokens_per_s} {A.loss} {A.p} {A.d} {A.t}",
                             runs),
                 std::string("282.4 200.1 31.0 44.9 69.0 27.3 37.5 14503 5.123 4 2 3"));
        QCOMPARE(fillNumbers("{A.shards_wait_ms.0} {A.shards_transfer_ms.0} {A.shards_mb.0}", runs),
                 std::string("3.5 4.3 2.7"));
        QCOMPARE(fillNumbers("{A.idle_ms} {A.busy_ms.0} {A.wait_ms.0} {A.transfer_ms.0} {A.peak_mb.0} "
                             "{A.in_flight.0} {A.weight_mb.0} {A.gradient_mb.0} {A.stashed_mb.0} "
                             "{A.versions.0} {A.staleness.0}",
                             runs),
                 std::string("200.0 82.4 1.3 2.3 75.2 4 6.6 3.3 2.0 3 2"));
        QCOMPARE(fillNumbers("{B.bubble}, {=A.p*B.p|1}, {=A.p*A.d/3|2} {A.messages}", runs),
                 std::string("…, …, 2.67 –"));
    }

    void numbersOfEventsAreCounted() {
        const LessonRuns plain = withRun(played("1f1b", 4, 1, 8));
        QCOMPARE(
            fillNumbers("{A.warmup.0} {A.warmup.1} {A.warmup.2} {A.warmup.3} {A.messages} {A.message_kb}",
                        plain),
            std::string("4 3 2 1 6 32.8"));
        // Of interleaved: (v-1) p + 2 (p-1-r) and the first of the steady part.
        const LessonRuns interleaved = withRun(played("interleaved", 4, 2, 8));
        QCOMPARE(fillNumbers("{A.warmup.0} {A.warmup.1} {A.warmup.2} {A.warmup.3} {A.messages}", interleaved),
                 std::string("11 9 7 5 14"));
        QCOMPARE(fillNumbers("{A.span_bubble}", withRun(played("zb-h2", 4, 1, 8))), std::string("0.0"));
        QCOMPARE(fillNumbers("{A.span_bubble}", withRun(played("zb-h1", 4, 1, 8))), std::string("11.1"));
        QCOMPARE(fillNumbers("{A.reduce_ms}", plain), std::string("0.0"));
        QCOMPARE(fillNumbers("{A.reduce_ms} {A.messages}", withRun(played("1f1b", 2, 1, 4, 1.5, 2))),
                 std::string("1.5 2"));
    }

    void expressionsHaveTheirUsualOrder() {
        const LessonRuns runs = withRun(played("1f1b", 4, 1, 8));
        for (const auto& [expression, value] : {std::pair("1+2*3", 7.0),
                                                {"(1+2)*3", 9.0},
                                                {"8/2/2", 2.0},
                                                {"2-3-4", -5.0},
                                                {"-A.p*2", -8.0},
                                                {"min(A.p, A.m) + max(1, 2)", 6.0},
                                                {" 100 * A.p / A.m ", 50.0},
                                                {"2 * (A.p-1)", 6.0}})
            QCOMPARE(lessonValue(expression, runs), value);
        for (const char* wrong : {"", "1 +", "1 2", "(1", "1)", "min(1)", "max 1, 2", "1..2", "A.p A.m", "--",
                                  "min(1, 2", "1 % 2"})
            QVERIFY_THROWS_EXCEPTION(LessonError, lessonValue(wrong, runs));
        QVERIFY_THROWS_EXCEPTION(LessonError, lessonValue(std::string(100'000, '('), runs));
        QVERIFY_THROWS_EXCEPTION(LessonError, lessonValue(std::string(100'000, '-'), runs));
    }

    void whatDoesNotExistIsNamed() {
        const LessonRuns runs = withRun(played("1f1b", 4, 1, 8));
        for (const char* name : {"A.bubbles", "C.bubble", "A.peak_mb.7", "A.peak_mb", "A.peak_mb.x", "A", "",
                                 "A.", "A.bubble.0.0", "A.iteration_ms.0"})
            QCOMPARE(refusal(("{" + std::string(name) + "}").c_str(), runs),
                     "no lesson has a number named " + std::string(name));
        QVERIFY(QString::fromStdString(refusal("{A.bubble", runs)).startsWith("a { has no }"));
        for (const char* wrong : {"{=A.p}", "{=A.p|}", "{=A.p|12}", "{=A.p|7}", "{=A.p|x}"})
            QVERIFY2(QString::fromStdString(refusal(wrong, runs)).contains("does not say its decimals"),
                     refusal(wrong, runs).c_str());
    }

    void claimsCompareExpressions() {
        const LessonRuns runs = withRun(played("1f1b", 4, 1, 8));
        for (const char* so : {"A.p < A.m", "A.m > 2 * 3", "A.m = 2 * A.p", "A.p ~50% A.m", "A.p ~4pt A.m",
                               "100 ~5% 105", "1 + 1 ~0% 2"})
            QCOMPARE(claimHolds(so, runs), std::optional(true));
        for (const char* no : {"A.p > A.m", "A.m = A.p", "A.p ~49% A.m", "A.p ~3.9pt A.m", "100 ~4% 105"})
            QCOMPARE(claimHolds(no, runs), std::optional(false));
        for (const char* wrong : {"", "A.p", "A.p >", "> A.p", "A.p ~ A.m", "A.p ~5 A.m", "A.p ~% A.m",
                                  "A.p << A.m", "A.p > B.p"})
            QVERIFY_THROWS_EXCEPTION(LessonError, claimHolds(wrong, runs));
        LessonRuns half = runs;
        half["B"];
        QCOMPARE(claimHolds("A.p = B.p", half), std::optional<bool>());
        QVERIFY(!anyDisturbed(half));
        half["B"] = half["A"];
        half["B"]->report.disturbed = true;
        QVERIFY(anyDisturbed(half));
    }

    // Runs too noisy for a claim are explained with predicted ones, of which it holds, and it is said; never
    // with the names that claims have for numbers.
    void noisyRunsAreExplainedByPredictedOnes() {
        LessonRuns runs = withRun(played("1f1b", 4, 1, 8));
        runs["B"] = runs["A"];
        runs["B"]->config.schedule = "gpipe";
        runs["A"]->report.ranks[0].peak_in_flight = 8;  // what no 1F1B has
        Claims claims;
        *claims.Add() = "A.in_flight.0 < B.in_flight.0";
        QVERIFY(!allClaimsHold(claims, runs));
        const LessonExplanation quiet = explanationOf(claims, runs);
        QVERIFY(quiet.predicted && allClaimsHold(claims, quiet.runs));
        QCOMPARE(fillNumbers("{A.in_flight.0} of {B.in_flight.0}", quiet.runs), std::string("4 of 8"));
        QCOMPARE(say(quiet.noisy, Language::English).find("A."), std::string::npos);
        // As long as what ran, not in milliseconds of another machine.
        const auto ratio = lessonValue("A.iteration_ms", quiet.runs) / lessonValue("A.iteration_ms", runs);
        QVERIFY2(ratio > 0.8 && ratio < 1.25, qPrintable(QString::number(ratio)));
        runs["A"]->report.wall_over_cpu = 3.4;
        QVERIFY(say(explanationOf(claims, runs).noisy, Language::English).find("3.4 times") !=
                std::string::npos);
        claims.Clear();
        *claims.Add() = "A.p > A.m";  // of no run at all
        const LessonExplanation impossible = explanationOf(claims, runs);
        QVERIFY(!impossible.predicted && !impossible.noisy.empty());
        claims.Clear();
        QVERIFY(explanationOf(claims, runs).noisy.empty());
    }

    // That a run is slower than another is shown where their iterations differ by more than they scatter: a
    // median that is greater by chance is none, as everywhere else that runs are compared.
    void claimsOfRunsAreJudgedByTheirNoise() {
        const LessonRun played_once = *withRun(played("1f1b", 4, 1, 8)).at("A");
        const auto runOf = [&](std::initializer_list<double> iteration_ms) {
            std::vector<LessonRun> counted;
            for (const double ms : iteration_ms) {
                counted.push_back(played_once);
                counted.back().report.iteration_ms = ms;
            }
            LessonRun run = counted[counted.size() / 2];  // they are given in order
            run.counted = std::make_shared<const std::vector<LessonRun>>(counted);
            return run;
        };
        LessonRuns runs;
        runs["A"] = runOf({98, 103, 110});
        runs["B"] = runOf({96, 101, 107});
        Claims claims;
        *claims.Add() = "A.iteration_ms > B.iteration_ms";
        QCOMPARE(claimHolds(claims[0], runs), std::optional(true));  // by the medians alone
        QVERIFY(claimNoise(claims[0], runs)->isNoise());
        QVERIFY(!allClaimsHold(claims, runs));
        runs["B"]->config.params.m = 4;  // prediction knows: half the work
        const LessonExplanation found = explanationOf(claims, runs);
        QVERIFY(found.predicted);
        const std::string words = say(found.noisy, Language::English);
        QVERIFY2(words.find("shows no difference (within ") != std::string::npos, words.c_str());
        // What differs by more, in either direction, is a result.
        runs["B"] = runOf({48, 50, 52});
        QVERIFY(claimNoise(claims[0], runs)->differs() && allClaimsHold(claims, runs));
        QVERIFY(explanationOf(claims, runs).noisy.empty());
        runs["B"] = runOf({198, 203, 205});
        QVERIFY(!allClaimsHold(claims, runs) && !noiseOfClaims(claims, runs));
        // A check takes prediction's word for what noise leaves open, and for nothing else.
        QVERIFY(claimVerdict(claims[0], runs) == ClaimVerdict::Fails);  // it differs, the other way
        runs["A"] = runOf({96, 101, 107});
        runs["B"] = runOf({98, 103, 110});
        runs["B"]->config.params.m = 4;
        QVERIFY(claimHolds(claims[0], runs) == false && claimIsOpen(claims[0], runs));
        QVERIFY(claimVerdict(claims[0], runs) == ClaimVerdict::Predicted);
        QVERIFY(claimVerdict("A.iteration_ms < B.iteration_ms / 2", runs) == ClaimVerdict::Fails);
        QVERIFY(claimVerdict("A.iteration_ms < B.iteration_ms", runs) == ClaimVerdict::Holds);
        runs["B"]->config.params.m = 8;
        QVERIFY(claimVerdict("A.iteration_ms ~1% B.iteration_ms", runs) == ClaimVerdict::Predicted);
        runs["B"] = runOf({198, 203, 205});
        QVERIFY(claimVerdict("A.iteration_ms ~1% B.iteration_ms", runs) == ClaimVerdict::Fails);
        // Counts do not scatter, and of single iterations nothing is known.
        QVERIFY(!claimNoise("A.m > A.p", runs));
        runs["A"]->counted = runs["B"]->counted = nullptr;
        QVERIFY(!claimNoise(claims[0], runs));
    }

    void numbersByHandAreNamed() {
        const auto written = [](const char* reveal, const char* question = "m = 6?") {
            wire::Lesson lesson;
            lesson.mutable_question()->set_en(question);
            lesson.mutable_reveal()->set_en(reveal);
            wire::LessonRun& run = *lesson.add_runs();
            run.mutable_title()->set_en("Forty: 40");  // a title is a text as well
            run.mutable_config()->set_p(12);
            run.mutable_config()->mutable_model()->set_hidden(640);
            QStringList numbers;
            for (const Sentence& found : writtenNumbers(lesson))
                numbers << QString::fromStdString(say(found, Language::English)).section(' ', 0, 1);
            return numbers.join(", ");
        };
        for (const char* legal :
             {"{A.bubble} % and {=100/4|0} %", "0, 1 and 2 in 2022", "rank 3 and Rank 3, see lesson 11",
              "m = 9", "“37.5 %”, they say", "1F1B and ZB-H1, 2BW", "p is 12, C 640 and m 6", "第 14 课"})
            QCOMPARE(written(legal), QString("title: 40"));
        QCOMPARE(written("27.3 % of it"), QString("reveal: 27.3, title: 40"));
        QCOMPARE(written("3/8 = 7/m", "8?"), QString("reveal: 3, reveal: 7, title: 40"));
        QCOMPARE(written("3 个"), QString("reveal: 3, title: 40"));
    }
};

BUBBLESCOPE_TEST(TestLessonText)

}  // namespace tst_lesson_text

#include "tst_lesson_text.moc"
