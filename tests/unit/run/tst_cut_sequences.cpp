// Sequences that are cut into segments train what whole ones do, at one number of segments with the same bits
// whatever the pipeline; their memory, messages and losses.
#include <QTest>
#include <algorithm>
#include <sstream>

#include "analysis/cost_estimate.h"
#include "export/csv_export.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "shard_fixture.h"
#include "timeline/predict_summary.h"
#include "wire/convert.h"

namespace tst_cut_sequences {

using namespace bscope;

namespace {

RunConfig cut(int p, int m, int segments, int t = 1, int d = 1) {
    RunConfig config = sharded("seq1f1b", p, m, t, d);
    config.params.segments = segments;
    return config;
}

}  // namespace

class TestCutSequences : public QObject {
    Q_OBJECT

private slots:
    void verifiesAgainstOneRank_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("segments");
        QTest::addColumn<int>("t");
        QTest::addColumn<int>("d");
        QTest::addRow("one rank") << 1 << 2 << 4 << 1 << 1;
        QTest::addRow("two ranks") << 2 << 3 << 2 << 1 << 1;
        QTest::addRow("more segments than tokens of a sample allow to be long") << 4 << 4 << 8 << 1 << 1;
        QTest::addRow("shards") << 2 << 3 << 4 << 2 << 1;
        QTest::addRow("replicas") << 2 << 2 << 2 << 1 << 2;
    }
    void verifiesAgainstOneRank() {
        QFETCH(int, p);
        QFETCH(int, m);
        QFETCH(int, segments);
        QFETCH(int, t);
        QFETCH(int, d);
        const VerifyResult result = verify(cut(p, m, segments, t, d));
        QVERIFY2(result.within_tolerance, qPrintable(QString::number(result.largest_difference)));
        QVERIFY(result.replicas_equal);
        QCOMPARE(result.bitwise_at_same_cut.has_value(), d == 1);
        if (d == 1) QVERIFY(*result.bitwise_at_same_cut);
    }

    // The losses of segments are weighted by their tokens; the first one's is of the weights both start with.
    void firstLossIsThatOfWholeSequences() {
        const double whole = lossesOf(sharded("1f1b", 2, 4, 1), 1).front();
        for (const int segments : {1, 2, 4, 8})
            QVERIFY(std::abs(lossesOf(cut(2, 4, segments), 1).front() - whole) < 1e-6 * whole);
    }

    void sameBitsForEveryPipeline() {
        const std::vector<double> expected = lossesOf(cut(1, 4, 4), 3);
        QCOMPARE(lossesOf(cut(2, 4, 4), 3), expected);
        QCOMPARE(lossesOf(cut(4, 4, 4), 3), expected);
        RunConfig config = cut(2, 4, 4);
        config.recompute = Recompute::Selective;
        QCOMPARE(lossesOf(config, 3), expected);
    }

    void memoryIsWhatWasPredicted() {
        for (const int p : {1, 2})
            for (const int t : {1, 2})
                for (const bool sequence_parallel : {false, true})
                    for (const Recompute recompute : {Recompute::None, Recompute::Selective}) {
                        if (sequence_parallel && t == 1) continue;
                        RunConfig config = cut(p, 3, 4, t);
                        config.recompute = recompute;
                        config.sequence_parallel = sequence_parallel;
                        EventCollector observer;
                        Run run(config, observer);
                        run.iterate();
                        const IterationReport report = run.iterate();
                        const std::vector<std::int64_t> peaks = predictedPeakBytes(makePlan(config));
                        QCOMPARE(report.segments, 4);
                        for (std::size_t rank = 0; rank < peaks.size(); ++rank) {
                            QCOMPARE(report.ranks[rank].peak_activation_bytes, peaks[rank]);
                            const int stage = static_cast<int>(rank) / t;
                            QCOMPARE(report.ranks[rank].peak_in_flight, std::min(p - stage - 1 + 4, 12));
                        }
                    }
    }

    // But for the sums of LayerNorms, which each has of its own.
    void aSegmentHoldsItsShare() {
        const Plan whole = makePlan(cut(4, 4, 1)), quarter = makePlan(cut(4, 4, 4));
        const std::size_t norm_sums = 2 * 4 * 32 * sizeof(float);  // (4, C) of each of two blocks
        QCOMPARE(4 * (quarter.activations[1].held - norm_sums), whole.activations[1].held - norm_sums);
        QCOMPARE(4 * quarter.messageBytes(), whole.messageBytes());
    }

    void eventsNameTheirSegment() {
        const RunConfig config = cut(2, 2, 2);
        EventCollector observer;
        Run run(config, observer);
        run.iterate();
        const Plan plan = makePlan(config);
        Timeline timeline(2, Provenance::Reconstructed);
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<Action> ran;
            for (const Event& event : observer.by_rank[rank]) {
                if (isCompute(event.op)) ran.push_back(event.action());
                if (isReceive(event.op)) QVERIFY(event.segment >= 0);
                timeline.append(event);
            }
            QCOMPARE(ran, plan.program.schedule.orders[static_cast<std::size_t>(rank)]);
        }
        std::ostringstream csv;
        writeEventsCsv(csv, timeline);
        QVERIFY(csv.str().find("staleness,segment\n") != std::string::npos);
    }

    void streamsKeepTheSegments() {
        const RunConfig config = cut(2, 2, 4);
        QCOMPARE(fromWire(toWire(config)), config);
        const Schedule schedule = makeSchedule(config.schedule, config.params);
        QCOMPARE(fromWire(toWire(schedule), schedule.params).orders, schedule.orders);
        Event event;
        event.setAction({1, Op::Backward, 3, false, 2});
        QCOMPARE(event.action(), Action(1, Op::Backward, 3, false, 2));
        QCOMPARE(fromWire(toWire(0, std::vector{event})), std::vector{event});
    }

    void predictedShorterThanWhole() {
        RunConfig config = sharded("1f1b", 4, 4, 1);
        const auto length = [](const RunConfig& of) {
            const Plan plan = makePlan(of);
            return predictSummary(plan.program, estimateCosts(of, plan.program.schedule, nullptr)).iteration_ns;
        };
        QVERIFY(length(cut(4, 4, 4)) < length(config));
    }
};

BUBBLESCOPE_TEST(TestCutSequences)

}  // namespace tst_cut_sequences

#include "tst_cut_sequences.moc"
