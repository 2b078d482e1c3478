// What a run pays between its operations: learned from what ran, used by every prediction with its costs, and
// so that a schedule of more, smaller operations is not promised to be faster where handing them over eats
// what it gains. Every recording is played by the test, so that the truth is known.
#include <QTemporaryDir>
#include <QTest>

#include "analysis/advisor.h"
#include "analysis/schedule_choice.h"
#include "analysis/without_straggler.h"
#include "import_files.h"
#include "imported_runs.h"
#include "timeline/passing_costs.h"
#include "timeline/predict_summary.h"
#include "words/catalog.h"

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

    // ZB-V cuts the backward in two and has two chunks: twice to three times as many operations.
    void zbvIsNotPromisedWhereHandingOverEatsIt() {
        const ScheduleParams params{.p = 2, .v = 1, .m = 8};
        for (const double handover : {0.0, 0.8}) {
            QTemporaryDir folder;
            const ImportedRun run = recorded(folder, played("1f1b", params, costs(2, handover, 0.1)));
            const AdviceRequest request = requestOf(run);
            const double gain = gainOf(advise(request), "zb-v", request.config());
            // What it takes with the same work, played: half as long operations of twice as many stages.
            const auto now = predictSummary(lower(makeSchedule("1f1b", params)), costs(2, handover, 0.1));
            const auto then = predictSummary(lower(makeSchedule("zb-v", {.p = 2, .v = 2, .m = 8})),
                                             costs(4, handover, 0.1, 0.5));
            const double truth = 1 - static_cast<double>(then.iteration_ns) / static_cast<double>(now.iteration_ns);
            QVERIFY2(std::abs(gain - truth) < 0.01, qPrintable(QString("%1 %2").arg(gain).arg(truth)));
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
        QVERIFY(!withoutStraggler(request, {.kind = Straggler::Kind::Link, .index = 0, .to = 1, .factor = 2}));
        QVERIFY(!withoutStraggler(request, {.kind = Straggler::Kind::Rank, .index = 9, .factor = 2}));
    }
};

QTEST_APPLESS_MAIN(TestPassingCosts)
#include "tst_passing_costs.moc"
