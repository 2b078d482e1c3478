// What a run pays between its operations: learned from what ran, used by every prediction with its costs, and
// so that a schedule of more, smaller operations is not promised to be faster where handing them over eats
// what it gains. Every recording is played by the test, so that the truth is known.
#include <QTemporaryDir>
#include <QTest>

#include "advice/advisor.h"
#include "analysis/causes.h"
#include "advice/schedule_choice.h"
#include "advice/without_straggler.h"
#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"
#include "timeline/passing_costs.h"
#include "timeline/predict_summary.h"
#include "words/catalog.h"

namespace tst_passing_costs {

using namespace bscope;

class TestPassingCosts : public QObject {
    Q_OBJECT

    // 1 unit = 1e9 ns.
    static Costs costs(int stages, double handover, double latency, double f = 1) {
        Costs of = unitCosts(stages, f, f, f, latency);
        of.handover_ns = handover * 1e9;
        return of;
    }
    static Timeline played(const std::string& name, const ScheduleParams& params, const Costs& of) {
        return predict(lower(makeSchedule(name, params)), of);
    }
    static AdviceRequest requestOf(const ImportedRun& run) {
        RunConfig config;
        config.schedule = run.schedule.name;
        config.params = run.schedule.params;
        return requestOfImport(config, run.origin.costs, std::make_shared<const Schedule>(run.schedule), {});
    }
    static double gainOf(const Advice& advice, const std::string& schedule, const RunConfig& now) {
        for (const Candidate& each : advice.candidates)
            if (changesScheduleAlone(each, now) && each.setting.config.schedule == schedule && each.predicted)
                return each.gain;
        return -2;
    }
    static ImportedRun recorded(const QTemporaryDir& folder, const Timeline& timeline) {
        const std::filesystem::path path = folder.path().toStdString();
        putProbeFiles(path, timeline, true, 0, timeline.ranks());
        return imported(path);
    }

private slots:
    void itPlaysWhatItLearns() {
        const Timeline ran = played("1f1b", {.p = 4, .v = 1, .m = 8}, costs(4, 0.2, 0.3));
        const int iterations[] = {0};
        const PassingCosts found = passingCosts(ran, iterations, true);
        QCOMPARE(found.handover_ns, 0.2e9);
        QCOMPARE(found.message_ns, 0.3e9);
        QVERIFY2(found.handovers >= 10 && found.messages >= 6,
                 qPrintable(QString("%1 %2").arg(found.handovers).arg(found.messages)));
    }

    // Clocks that are apart move one direction up and the other down.
    void shiftedClocksCancel() {
        const Timeline ran = played("1f1b", {.p = 2, .v = 1, .m = 8}, costs(2, 0.2, 0.3));
        Timeline moved(2, Provenance::Imported);
        for (int rank = 0; rank < 2; ++rank) {
            const std::int64_t by_ns = rank == 1 ? 250'000'000 : 0;
            for (const Event& event : ran.compute(rank)) {
                Event later = event;
                later.start_ns += by_ns;
                later.end_ns += by_ns;
                moved.append(later);
            }
            for (const Event& event : ran.receives(rank)) {
                Event later = event;
                later.start_ns += by_ns;
                later.end_ns += by_ns;
                later.transfer_ns += by_ns;
                moved.append(later);
            }
        }
        const int iterations[] = {0};
        const PassingCosts found = passingCosts(moved, iterations, false);
        QVERIFY2(std::abs(found.message_ns - 0.3e9) < 1e6, qPrintable(QString::number(found.message_ns)));
        QCOMPARE(found.handover_ns, 0.2e9);
    }

    void tooFewSayNothing() {
        const Timeline ran = played("1f1b", {.p = 2, .v = 1, .m = 1}, costs(2, 0.2, 0.3));
        const int iterations[] = {0};
        QCOMPARE(passingCosts(ran, iterations, true), PassingCosts());
    }

    // The run's own prediction is what it took.
    void predictionOfARecordingHasThem() {
        QTemporaryDir folder;
        const Timeline ran = played("1f1b", {.p = 4, .v = 1, .m = 8}, costs(4, 0.25, 0.5));
        const ImportedRun run = recorded(folder, ran);
        QVERIFY(run.origin.handovers > 0 && run.origin.messages > 0);
        QCOMPARE(run.origin.costs.handover_ns, 0.25e9);
        QCOMPARE(run.origin.costs.hopNs(), 0.5e9);
        QCOMPARE(run.reports.front().predicted_iteration_ms, run.reports.front().iteration_ms);
        QVERIFY(say(passingWords(run.origin.costs), Language::English).find("from the files") !=
                std::string::npos);
    }

    // ZB-V cuts the backward in two and has two chunks: twice to three times as many operations. A message that
    // takes less than handing over keeps nothing waiting in the run: what it takes is not to be seen, and is left
    // out of the prediction, which is then right to within half a message a phase.
    void zbvIsNotPromisedWhereHandingOverEatsIt() {
        const ScheduleParams params{.p = 2, .v = 1, .m = 8};
        for (const auto& [handover, latency, seen] :
             {std::tuple(0.0, 0.1, true), std::tuple(0.8, 0.1, false), std::tuple(0.8, 0.0, true),
              std::tuple(0.8, 1.2, true)}) {
            QTemporaryDir folder;
            const ImportedRun run = recorded(folder, played("1f1b", params, costs(2, handover, latency)));
            QVERIFY2((run.origin.messages > 0) == seen,
                     qPrintable(QString("%1 %2: %3").arg(handover).arg(latency).arg(run.origin.messages)));
            const AdviceRequest request = requestOf(run);
            const double gain = gainOf(advise(request), "zb-v", request.config());
            // What it takes with the same work, played: half as long operations of twice as many stages.
            const auto now = predictSummary(lower(makeSchedule("1f1b", params)), costs(2, handover, latency));
            const auto then = predictSummary(lower(makeSchedule("zb-v", {.p = 2, .v = 2, .m = 8})),
                                             costs(4, handover, latency, 0.5));
            const double truth = 1 - static_cast<double>(then.iteration_ns) / static_cast<double>(now.iteration_ns);
            const double tolerance = seen ? 1e-9 : 0.01;
            QVERIFY2(std::abs(gain - truth) < tolerance,
                     qPrintable(QString("%1 %2 %3").arg(handover).arg(gain).arg(truth)));
            QCOMPARE(gain > 0, handover == 0.0);
        }
    }

    // Recomputation belongs to its backward.
    void recomputationIsNotHandedOver() {
        const Schedule schedule = makeSchedule("1f1b", {.p = 1, .v = 1, .m = 3});
        Costs of = costs(1, 0.5, 0);
        of.stages[0].recompute_ns = 1e9;
        const auto plain = predictSummary(lower(schedule), of),
                   full = predictSummary(lower(schedule, Recompute::Full), of);
        QCOMPARE(full.iteration_ns - plain.iteration_ns, std::int64_t{3'000'000'000});
    }

    // Rank 2 takes 1.5 times as long in every iteration.
    void withoutItsStragglerARunIsPredicted() {
        const ScheduleParams params{.p = 4, .v = 1, .m = 8};
        Costs slow = costs(4, 0.1, 0.1);
        for (const DurationField& field : kDurationFields) slow.stages[2].*field.ns *= 1.5;
        RunConfig config;
        config.schedule = "1f1b";
        config.params = params;
        const auto order = std::make_shared<const Schedule>(makeSchedule("1f1b", params));
        const AdviceRequest request = requestOfImport(config, slow, order, {});
        const auto even = predictSummary(lower(*order), costs(4, 0.1, 0.1)),
                   uneven = predictSummary(lower(*order), slow);
        for (const Straggler::Kind kind : {Straggler::Kind::Rank, Straggler::Kind::Stage}) {
            const auto found = withoutStraggler(request, {.kind = kind, .index = 2, .factor = 1.5});
            QVERIFY(found);
            QCOMPARE(found->now.iteration_ns, uneven.iteration_ns);
            QCOMPARE(found->candidate.predicted->iteration_ns, even.iteration_ns);
            QVERIFY(found->candidate.predicted->bubble_of_total < found->now.bubble_of_total);
        }
        QVERIFY(!withoutStraggler(request, {.kind = Straggler::Kind::Rank, .index = 9, .factor = 2}));
    }

    // What ran with a link, or a micro-batch, that is not like the others is found, predicted as it ran, and
    // without it.
    void withoutItsSlowLinkOrLongMicrobatch_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("to");
        QTest::newRow("link forward") << static_cast<int>(Straggler::Kind::Link) << 1 << 2;
        QTest::newRow("link backward") << static_cast<int>(Straggler::Kind::Link) << 2 << 1;
        QTest::newRow("micro-batch") << static_cast<int>(Straggler::Kind::Microbatch) << 3 << -1;
    }
    void withoutItsSlowLinkOrLongMicrobatch() {
        QFETCH(const int, kind);
        QFETCH(const int, index);
        QFETCH(const int, to);
        const bool is_link = kind == static_cast<int>(Straggler::Kind::Link);
        const ScheduleParams params{.p = 4, .v = 1, .m = 8};
        const auto order = std::make_shared<const Schedule>(makeSchedule("1f1b", params));
        const Costs even = costs(4, 0.1, 0.1);
        Costs uneven = even;
        if (is_link)
            uneven.slow_link = {index, to, 0.8e9};
        else
            uneven.long_microbatch = {index, 1.5};
        const Timeline ran = predict(lower(*order), uneven);
        const Outliers outliers = BubbleCauses(ran, 0, factsOf(*order)).usual().outliers();
        const std::optional<Straggler> found = stragglerOf(std::vector<Outliers>(6, outliers));
        QVERIFY(found);
        QCOMPARE(static_cast<int>(found->kind), kind);
        QCOMPARE(found->index, index);
        QCOMPARE(found->to, to);
        RunConfig config;
        config.schedule = "1f1b";
        config.params = params;
        const auto without = withoutStraggler(requestOfImport(config, even, order, {}), *found);
        QVERIFY(without);
        QCOMPARE(without->now.iteration_ns, predictSummary(lower(*order), uneven).iteration_ns);
        QCOMPARE(without->candidate.predicted->iteration_ns, predictSummary(lower(*order), even).iteration_ns);
        QVERIFY(without->candidate.predicted->iteration_ns < without->now.iteration_ns);
        QVERIFY(!without->candidate.setting.isConfiguration());
        Straggler nowhere = *found;
        nowhere.index = 99;
        QVERIFY(!withoutStraggler(requestOfImport(config, even, order, {}), nowhere));
    }

    // What this program measured of itself: its operations, with the handing over and the messages that its
    // costs do not hold.
    void ownRecordingsHaveThem() {
        RunConfig config;
        config.schedule = "1f1b";
        config.params = {.p = 2, .v = 1, .m = 8};
        config.link.latency_us = 200;
        const auto order = std::make_shared<const Schedule>(makeSchedule("1f1b", config.params));
        const Costs own = estimateCosts(config, nullptr);
        const double forward_ns = own.stages.front().forward_ns;
        for (const double share : {0.0, 0.1, 1.5}) {
            Costs ran_with = own;
            ran_with.handover_ns = std::round(share * forward_ns);
            ran_with.link.latency_us += 3e-3 * forward_ns;
            const Timeline played = predict(lower(*order), ran_with);
            Timeline ran(2, Provenance::Measured);
            for (int rank = 0; rank < 2; ++rank) {
                for (const Event& event : played.compute(rank)) ran.append(event);
                for (const Event& event : played.receives(rank)) ran.append(event);
            }
            AdviceRequest request;
            request.known = {config, own, order};
            request.known.learnPassing(played, 0);  // of what is predicted nothing is learned
            QCOMPARE(request.known.costs.handover_ns, 0.0);
            request.known.learnPassing(ran, 0);
            QCOMPARE(request.known.costs.handover_ns, ran_with.handover_ns);
            const Costs found = estimateCosts(config, &request.known);
            QCOMPARE(found.handover_ns, ran_with.handover_ns);
            if (share > 1) {  // no rank waits for a message: what it takes is hidden
                QCOMPARE(gainOf(advise(request), "zb-v", config) < 0, true);
                continue;
            }
            QVERIFY2(std::abs(found.link.latency_us - ran_with.link.latency_us) < 0.01,
                     qPrintable(QString::number(found.link.latency_us)));
            const auto truth = predictSummary(lower(*order), ran_with);
            const auto said = predictSetting(request, {.config = config, .order = order});
            QVERIFY(std::abs(said.iteration_ns - truth.iteration_ns) < 1000);
        }
    }
};

BUBBLESCOPE_TEST(TestPassingCosts)

}  // namespace tst_passing_costs

#include "tst_passing_costs.moc"
