// In which order a lesson's runs are made and what is kept of them: turns, warm-up, the median, a link in
// units of F, a training from its start, and durations shared by runs that compute the same.
#include <QTest>
#include <map>
#include <random>

#include "catalog/catalog.h"
#include "lessons/claims_settled.h"
#include "lessons/lesson_course.h"
#include "lessons/lesson_file.h"
#include "registered_test.h"
#include "schedule/lowering.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "timeline/predict.h"

namespace tst_lesson_course {

using namespace bscope;

namespace {

RunConfig configOf(const char* schedule, int m = 8) {
    RunConfig config;
    config.schedule = schedule;
    config.params = {4, 1, m, 0};
    return config;
}

// Every stage's operations take a unit of 1 ms, each between 20 % less and 20 % more.
LessonRun made(const RunConfig& config, std::mt19937& random, double unit_ns = 1e6) {
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const Program program = lower(schedule, config.recomputedApart());
    Costs costs = unitCosts(schedule.stageCount(), 1, 1, 1, 0);
    for (StageCosts& stage : costs.stages)
        for (const DurationField& field : kDurationFields) stage.*field.ns *= unit_ns / 1e9;
    costs.link = config.link;
    const Timeline played = predict(program, costs);
    // As a clock would have read it: rank by rank, each event as long as it happened to be.
    auto ran = std::make_shared<Timeline>(played.ranks(), Provenance::Reconstructed);
    std::uniform_real_distribution<double> scatter(0.8, 1.2);
    for (int rank = 0; rank < played.ranks(); ++rank) {
        std::int64_t shift = 0;
        std::vector<std::pair<std::int64_t, std::int64_t>> shifts;
        for (Event event : played.compute(rank)) {
            const auto longer =
                static_cast<std::int64_t>(static_cast<double>(event.duration_ns()) * (scatter(random) - 1));
            event.start_ns += shift;
            shift += longer;
            event.end_ns += shift;
            shifts.emplace_back(event.end_ns, shift);
            ran->append(event);
        }
        std::int64_t latest = 0;
        for (MemoryPoint point : played.memory(rank)) {
            for (const auto& [end, by] : shifts)
                if (end <= point.time_ns + by) latest = std::max(latest, point.time_ns + by);
            point.time_ns = latest;
            ran->append(point);
        }
    }
    LessonRun run{.config = config, .report = {}, .ran = ran};
    run.report.provenance = Provenance::Reconstructed;
    run.report.p = config.params.p, run.report.m = config.params.m;
    run.report.costs = costs;
    fillMeasured(run.report, summarize(*ran, 0));
    run.report.tokens_per_s = 1000;
    for (RankReport& rank : run.report.ranks) rank.weight_bytes = 77 + rank.rank;
    return run;
}

LessonRun lasting(const RunConfig& config, double iteration_ms, double loss = 0) {
    LessonRun run;
    run.config = config;
    run.report.iteration_ms = iteration_ms;
    run.report.loss = loss;
    run.report.provenance = Provenance::Measured;
    return run;
}

}  // namespace

class TestLessonCourse : public QObject {
    Q_OBJECT
private slots:
    void runsAlternateAndTheMedianIsKept() {
        LessonCourse course({{configOf("gpipe")}, {configOf("1f1b", 16)}});
        QCOMPARE(course.total(), 12);
        std::string order;
        const double lengths[] = {900, 30, 900, 5, 900, 10, 900, 7, 900, 20, 900, 6};
        for (int i = 0; i < 12; ++i) {
            QVERIFY(!course.finished());
            QCOMPARE(course.done(), i);
            order += runName(course.run());
            QCOMPARE(course.config(), course.run() == 0 ? configOf("gpipe") : configOf("1f1b", 16));
            QCOMPARE(course.kept(0).has_value(), i >= 2);
            QCOMPARE(course.add(lasting(course.config(), lengths[i])), i % 2 == 1);  // the first warms up
        }
        QCOMPARE(order, std::string("AABBAABBAABB"));
        QVERIFY(course.finished());
        QCOMPARE(course.kept(0)->report.iteration_ms, 20.0);
        QCOMPARE(course.keptIndex(0), std::size_t{2});
        QCOMPARE(course.kept(1)->report.iteration_ms, 6.0);
        QCOMPARE(course.kept("T2").at("T2B")->report.iteration_ms, 6.0);
    }

    // Where every run stays ready beside the others; a stream is filled in every turn.
    void runsThatStayReadyWarmUpOnce() {
        constexpr auto kFirst = LessonCourse::WarmUp::FirstTurn;
        LessonCourse course({{configOf("gpipe")}, {configOf("1f1b", 16)}}, kFirst);
        QCOMPARE(course.total(), 8);
        std::string order, counts;
        const double lengths[] = {900, 30, 900, 5, 10, 7, 20, 6};
        for (int i = 0; i < 8; ++i) {
            order += runName(course.run());
            QCOMPARE(course.leftHere(), i < 4 ? 2 - i % 2 : 1);
            counts += course.add(lasting(course.config(), lengths[i])) ? '1' : '0';
        }
        QCOMPARE(order, std::string("AABBABAB"));
        QCOMPARE(counts, std::string("01011111"));
        QVERIFY(course.finished());
        QCOMPARE(course.kept(0)->report.iteration_ms, 20.0);
        QCOMPARE(course.kept(1)->report.iteration_ms, 6.0);
        QCOMPARE(LessonCourse({{configOf("pipedream")}}, kFirst).total(), 6);
        QCOMPARE(LessonCourse({{.config = configOf("1f1b"), .iterations = 5}}, kFirst).total(), 5);
    }

    // Every iteration counts on CPUs; where kernels are loaded, not the first of a run.
    void onlyGpusWarmUp() {
        constexpr auto kOnGpus = LessonCourse::WarmUp::OnGpus;
        for (const bool on_gpus : {false, true}) {
            LessonCourse course({{configOf("gpipe")}, {configOf("1f1b", 16)}}, kOnGpus);
            QCOMPARE(course.total(), 8);
            std::string order, counts;
            while (!course.finished()) {
                order += runName(course.run());
                LessonRun run = lasting(course.config(), 5);
                run.report.timing.source = on_gpus ? TimingSource::Cupti : TimingSource::Host;
                counts += course.add(run) ? '1' : '0';
            }
            QCOMPARE(order, std::string(on_gpus ? "AABBABABAB" : "ABABABAB"));
            QCOMPARE(counts, std::string(on_gpus ? "0101111111" : "11111111"));
            QCOMPARE(course.rounds(), 4);
        }
        QCOMPARE(LessonCourse({{configOf("pipedream")}}, kOnGpus).total(), 8);
        QCOMPARE(LessonCourse({{.config = configOf("1f1b"), .iterations = 5}}, kOnGpus).rounds(), 0);
        QCOMPARE(LessonCourse({{.config = configOf("1f1b"), .latency_of_f = 1}}, kOnGpus).total(), 5);
    }

    // Two rounds that show it clearly are enough; what one of them belies, or what scatters too far, is not
    // settled by them.
    void aCourseEndsWhenItsClaimsAreSettled() {
        struct Case {
            std::vector<double> a, b;  // iteration times by round
            int rounds;                // after which the claim is settled; 0: never
        };
        const Case cases[] = {{{10, 10.1}, {20, 20.2}, 2},
                              {{10, 21, 10.1, 10}, {20, 20, 20.1, 20}, 0},    // the second round belies it
                              {{10, 16, 10.1, 10.2}, {20, 20, 20, 20.1}, 4},  // far apart, far scattered
                              {{10, 10.1, 10}, {10.2, 10.15, 10.2}, 3}};      // 2 %, at last
        for (const Case& each : cases) {
            LessonCourse course({{configOf("gpipe")}, {configOf("1f1b", 16)}}, LessonCourse::WarmUp::OnGpus);
            Claims claims;
            QVERIFY(!areSettled(claims, course));
            claims.Add("A.iteration_ms < B.iteration_ms");
            int settled_after = 0;
            while (!course.finished() && settled_after == 0) {
                const auto round = static_cast<std::size_t>(course.done() / 2);
                course.add(lasting(course.config(), course.run() == 0 ? each.a[round] : each.b[round]));
                if (areSettled(claims, course)) settled_after = course.rounds();
            }
            QCOMPARE(settled_after, each.rounds);
            QVERIFY(!areSettled({}, course));
            if (each.rounds != 2) continue;
            QVERIFY(!course.finished());
            course.finish();
            QVERIFY(course.finished());
            QCOMPARE(course.kept(1)->report.iteration_ms, 20.0);
            QCOMPARE(course.kept(1)->counted->size(), std::size_t{2});
        }
    }

    // Of runs that share their durations each round has its own; a claim may name runs made before, and one
    // of a run that is not there stays open.
    void roundsShareDurationsEachForItself() {
        LessonCourse course({{configOf("gpipe")}, {configOf("1f1b")}}, LessonCourse::WarmUp::OnGpus);
        std::mt19937 random(5);
        for (const double unit_ns : {1e6, 1e6, 3e6, 3e6}) course.add(made(course.config(), random, unit_ns));
        QCOMPARE(course.rounds(), 2);
        const LessonRuns first = course.ofRound(0, "T1"), second = course.ofRound(1, "T1");
        for (const LessonRuns* round : {&first, &second}) {
            QCOMPARE(round->at("T1A")->pooled_over, std::string("A, B"));
            QVERIFY(std::abs(round->at("T1A")->report.iteration_ms / round->at("T1B")->report.iteration_ms -
                             1) < 0.05);
        }
        const double slower = second.at("T1B")->report.iteration_ms / first.at("T1B")->report.iteration_ms;
        QVERIFY(slower > 2.5 && slower < 3.5);
        QVERIFY(course.kept(0)->pooled_over.empty());  // until it is finished
        QCOMPARE(course.soFar().at("A")->pooled_over, std::string("A, B"));

        const LessonRuns before{{"A", lasting(configOf("gpipe"), 1)}, {"B", std::nullopt}};
        Claims claims;
        claims.Add("T1A.iteration_ms ~6% T1B.iteration_ms");
        claims.Add("T1A.iteration_ms > A.iteration_ms");
        QVERIFY(areSettled(claims, course, "T1", before));
        claims.Add("T1A.iteration_ms > B.iteration_ms");
        QVERIFY(!areSettled(claims, course, "T1", before));
    }

    void aLinkIsAsSlowAsItsRunSays() {
        RunConfig linked = configOf("1f1b");
        linked.link.gbps = 3;
        LessonCourse course({{.config = linked, .latency_of_f = 0.5}, {configOf("gpipe")}});
        QCOMPARE(course.total(), 14);
        std::mt19937 random(1);
        for (int i = 0; i < 2; ++i) {  // how long is F?
            QCOMPARE(course.config(), configOf("1f1b"));
            QVERIFY(!course.add(made(course.config(), random, 2e6)));
        }
        QCOMPARE(course.config().link.gbps, 3.0);
        QVERIFY(std::abs(course.config().link.latency_us - 1000) < 200);  // scattered by 20 %
        const LinkModel link = course.config().link;
        bool linked_again = false;
        while (!course.finished()) {
            const bool is_first = course.run() == 0;
            linked_again = linked_again || (is_first && course.done() > 5);
            QCOMPARE(course.config().link, is_first ? link : LinkModel());
            course.add(lasting(course.config(), 1));
        }
        QVERIFY(linked_again);
    }

    void aTrainingGoesFromItsStartToItsLastLoss() {
        LessonCourse course(
            {{.config = configOf("1f1b"), .iterations = 5}, {.config = configOf("gpipe"), .iterations = 4}});
        QCOMPARE(course.total(), 9);
        for (const double ms : {90.0, 4.0, 9.0, 5.0, 6.0}) {
            QCOMPARE(course.run(), std::size_t{0});
            QCOMPARE(course.beginsAnew(), ms == 90);
            course.add(lasting(course.config(), ms, 10 - ms / 10));
        }
        QCOMPARE(course.kept(0)->report.iteration_ms, 5.0);
        QCOMPARE(course.kept(0)->report.loss, 10 - 0.6);
        QCOMPARE(course.run(), std::size_t{1});
        QVERIFY(course.beginsAnew());
    }

    // Every box as long as the median of its kind over both runs, in the order that ran, with the bytes that
    // were measured; the numbers are those of the picture.
    void runsThatComputeTheSameShareTheirDurations() {
        using Both = std::pair<const char*, const char*>;
        for (const Both& both : {Both{"gpipe", "1f1b"}, Both{"zb-h1", "zb-h2"}, Both{"1f1b", "zb-h1"}}) {
            std::mt19937 random(7);
            LessonCourse course({{configOf(both.first)}, {configOf(both.second)}});
            std::map<std::pair<int, Op>, std::vector<std::int64_t>> durations;
            std::map<std::size_t, std::vector<LessonRun>> counted;
            while (!course.finished()) {
                const std::size_t run = course.run();
                LessonRun iteration = made(course.config(), random);
                if (!course.add(iteration)) continue;
                for (int rank = 0; rank < 4; ++rank)
                    for (const Event& event : iteration.ran->compute(rank))
                        if (isCompute(event.op))
                            durations[{event.stage, event.op}].push_back(event.duration_ns());
                counted[run].push_back(iteration);
            }
            for (std::size_t run = 0; run < 2; ++run) {
                const LessonRun& kept = *course.kept(run);
                const LessonRun& was = counted[run][course.keptIndex(run)];
                QCOMPARE(kept.pooled_over, std::string("A, B"));
                for (int rank = 0; rank < 4; ++rank) {
                    const auto events = kept.ran->compute(rank), before = was.ran->compute(rank);
                    QCOMPARE(events.size(), before.size());
                    for (std::size_t i = 0; i < events.size(); ++i) {
                        QVERIFY(events[i].op == before[i].op && events[i].microbatch == before[i].microbatch);
                        if (!isCompute(events[i].op)) continue;
                        const double is = static_cast<double>(events[i].duration_ns());
                        QVERIFY(std::abs(is - median(durations[{events[i].stage, events[i].op}])) <= 1);
                    }
                    const auto memory = kept.ran->memory(rank), bytes = was.ran->memory(rank);
                    QCOMPARE(memory.size(), bytes.size());
                    for (std::size_t i = 0; i < memory.size(); ++i)
                        QVERIFY(memory[i].live_bytes == bytes[i].live_bytes &&
                                memory[i].in_flight == bytes[i].in_flight);
                }
                const IterationSummary summary = summarize(*kept.ran, 0);
                QCOMPARE(kept.report.iteration_ms, static_cast<double>(summary.iteration_ns) / 1e6);
                QCOMPARE(kept.report.bubble_of_total, summary.bubble_of_total);
                for (std::size_t rank = 0; rank < 4; ++rank) {
                    QCOMPARE(kept.report.ranks[rank].bubble_of_total, summary.ranks[rank].bubble_of_total);
                    QCOMPARE(kept.report.ranks[rank].peak_in_flight, was.report.ranks[rank].peak_in_flight);
                    QCOMPARE(kept.report.ranks[rank].weight_bytes, was.report.ranks[rank].weight_bytes);
                }
                QVERIFY(std::abs(kept.report.tokens_per_s * kept.report.iteration_ms -
                                 was.report.tokens_per_s * was.report.iteration_ms) < 1e-6);
            }
        }
    }

    void othersStayAsTheyRan() {
        std::mt19937 random(3);
        RunConfig wider = configOf("gpipe");
        wider.micro_batch = 16;
        RunConfig recomputing = configOf("gpipe");
        recomputing.recompute = Recompute::Full;
        RunConfig split = configOf("gpipe");
        split.layers_per_stage = {3, 2, 2, 1};
        for (const RunConfig& other : {wider, recomputing, split, configOf("pipedream")}) {
            LessonCourse course({{configOf("1f1b")}, {other}});
            while (!course.finished())
                course.add(other.schedule == "pipedream" && course.run() == 1
                               ? lasting(other, 3)
                               : made(course.config(), random));
            QVERIFY(course.kept(0)->pooled_over.empty());
            QVERIFY(course.kept(1)->pooled_over.empty());
        }
    }

    // The tables of popular texts, and how many rules they break.
    void tablesThatShipAreImpossible() {
        for (const auto& [name, problems] :
             {std::pair("48-layers-p4-m4", 10), {"1f1b-p4-m8", 24}, {"gpipe-p4-m4", 12}}) {
            QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/scenarios/files/%1.csv").arg(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            LessonCourse course({{.config = configOf("1f1b", 4), .table = file.readAll().toStdString()}});
            QVERIFY(course.finished());
            QCOMPARE(course.kept(0)->problems, problems);
            QCOMPARE(lessonNumber("A.problems", course.kept()).value, problems);
        }
        LessonCourse run({{configOf("1f1b")}});
        std::mt19937 random(3);
        while (!run.finished()) run.add(made(run.config(), random));
        QVERIFY(std::isnan(lessonNumber("A.problems", run.kept()).value));
    }

    void aPlaceThatCannotBeIsRefused() {
        const auto refusal = [](const auto& change) {
            wire::Scenario scenario;
            scenario.set_id("05-small");
            change(*scenario.mutable_lesson());
            try {
                checkedLesson(scenario, "small.json");
            } catch (const WireError& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        QCOMPARE(refusal([](wire::Lesson& lesson) { lesson.set_minutes(90); }), QString());
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.set_minutes(91); }).contains("1 to 90 minutes"));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.set_minutes(-1); }).contains("not -1"));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.add_after("04-small"); }).contains("on itself"));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.add_tags("M 1"); }).contains("\"M 1\""));
        QVERIFY(refusal([](wire::Lesson& lesson) { lesson.add_tags(""); }).contains("a tag is"));
        QVERIFY(
            refusal([](wire::Lesson& lesson) { lesson.add_references(""); }).contains("reference is empty"));

        wire::Scenario first, second;
        first.set_id("01-first");
        second.set_id("02-second");
        second.mutable_lesson()->add_after("first");
        QVERIFY(orderProblems(std::vector<const wire::Scenario*>{&first, &second}).empty());
        const auto found = orderProblems(std::vector<const wire::Scenario*>{&second, &first});
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(say(found[0], Language::English).starts_with("02-second: builds on \"first\""));
    }
};

BUBBLESCOPE_TEST(TestLessonCourse)

}  // namespace tst_lesson_course

#include "tst_lesson_course.moc"
