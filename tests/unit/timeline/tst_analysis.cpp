// The numbers of an iteration, on timelines made by hand.
#include <QTest>
#include <cmath>

#include "catalog/catalog.h"
#include "registered_test.h"
#include "schedule/program.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "timelines_by_hand.h"

namespace tst_analysis {

using namespace bscope;

namespace {

// Two ranks, one micro-batch, a link of 2: F 0..10 | F 12..22 B 22..42 | B 44..64.
Timeline twoRanks(std::int64_t offset = 0, std::int32_t iteration = 0) {
    Timeline t(2, Provenance::Reconstructed);
    t.append(computeEvent(0, {0, Op::Forward, 0}, offset, offset + 10, iteration));
    t.append(computeEvent(1, {1, Op::Forward, 0}, offset + 12, offset + 22, iteration));
    t.append(computeEvent(1, {1, Op::Backward, 0}, offset + 22, offset + 42, iteration));
    t.append(computeEvent(0, {0, Op::Backward, 0}, offset + 44, offset + 64, iteration));
    t.append(receiveEvent(1, {1, Op::RecvForward, 0}, offset, offset + 10, offset + 12, iteration));
    t.append(receiveEvent(0, {0, Op::RecvBackward, 0}, offset + 10, offset + 42, offset + 44, iteration));
    t.append(MemoryPoint{offset, 500, iteration, 0, 1});
    t.append(MemoryPoint{offset + 64, 0, iteration, 0, 0});
    return t;
}

std::string describe(const IdleGap& gap) {
    const char* phases[] = {"fill", "drain", "between"};
    return std::to_string(gap.rank) + ":" + std::to_string(gap.start_ns) + ".." + std::to_string(gap.end_ns) +
           " " + phases[static_cast<int>(gap.phase)] + " before " +
           (gap.next ? toText(*gap.next) : "the end");
}

}  // namespace

class TestAnalysis : public QObject {
    Q_OBJECT
private slots:
    void numbersOfAnIteration() {
        const IterationSummary s = summarize(twoRanks(), 0);
        QVERIFY(s.provenance == Provenance::Reconstructed);
        QCOMPARE(s.iteration_ns, 64);
        QCOMPARE(s.span_ns, 64);
        QCOMPARE(s.bubble_of_total, 1 - 60.0 / 128);
        QCOMPARE(s.bubble_of_ideal, 68.0 / 60);
        QVERIFY(std::abs(s.bubble_of_ideal - s.bubble_of_total / (1 - s.bubble_of_total)) < 1e-12);
        QCOMPARE(s.ranks[0].busy_ns, 30);
        QCOMPARE(s.ranks[0].wait_ns, 32);
        QCOMPARE(s.ranks[0].transfer_ns, 2);
        QCOMPARE(s.ranks[0].first_backward_ns, 44);
        QCOMPARE(s.ranks[0].last_forward_end_ns, 10);
        QCOMPARE(s.ranks[0].peak_activation_bytes, 500);
        QCOMPARE(s.ranks[0].peak_in_flight, 1);
        QCOMPARE(s.ranks[1].first_start_ns, 12);
        QCOMPARE(s.ranks[1].last_end_ns, 42);
        QCOMPARE(s.ranks[1].bubble_of_total, 1 - 30.0 / 64);
    }

    void everyGapHasItsPhase() {
        const IterationSummary s = summarize(twoRanks(), 0);
        std::vector<std::string> gaps;
        for (const IdleGap& gap : s.gaps) gaps.push_back(describe(gap));
        QCOMPARE(gaps, (std::vector<std::string>{"0:10..44 fill before 0B0", "1:0..12 fill before 1F0",
                                                 "1:42..64 drain before the end"}));
    }

    void waitingInTheMiddleIsBetween() {
        Timeline t(1, Provenance::Measured);
        t.append(computeEvent(0, {0, Op::Forward, 0}, 0, 10));
        t.append(computeEvent(0, {0, Op::Backward, 0}, 10, 20));
        t.append(computeEvent(0, {0, Op::Forward, 1}, 25, 35));
        t.append(computeEvent(0, {0, Op::Backward, 1}, 38, 40));
        const IterationSummary s = summarize(t, 0);
        QCOMPARE(s.gaps.size(), 2U);
        QVERIFY(s.gaps[0].phase == IdlePhase::Between);
        QVERIFY(s.gaps[1].phase == IdlePhase::Drain);
    }

    void gapsAndWorkFillTheIteration() {
        for (const CatalogEntry& entry : catalog()) {
            const ScheduleParams params{4, entry.fixed_v > 0 ? entry.fixed_v : entry.min_v, 8, 0};
            const Program program = lower(makeSchedule(entry.name, params));
            const IterationSummary s =
                summarize(predict(program, unitCosts(program.schedule.stageCount(), 1, 1.2, 0.8, 0.3)), 0);
            std::vector<std::int64_t> idle(4, 0);
            for (const IdleGap& gap : s.gaps) {
                QVERIFY(gap.end_ns > gap.start_ns);
                idle[static_cast<std::size_t>(gap.rank)] += gap.end_ns - gap.start_ns;
            }
            for (const RankSummary& rank : s.ranks)
                QCOMPARE(idle[static_cast<std::size_t>(rank.rank)] + rank.busy_ns, s.iteration_ns);
        }
    }

    void iterationsAreKeptApart() {
        Timeline t(2, Provenance::Reconstructed);
        for (int iteration = 0; iteration < 3; ++iteration) {
            const Timeline one = twoRanks(100 * iteration, iteration);
            for (int rank = 0; rank < 2; ++rank) {
                for (const Event& e : one.compute(rank)) t.append(e);
                for (const Event& e : one.receives(rank)) t.append(e);
                for (const MemoryPoint& point : one.memory(rank)) t.append(point);
                t.append(computeEvent(rank, {-1, Op::OptimizerStep, -1}, 100 * iteration + 64,
                                      100 * iteration + 70 + rank, iteration));
            }
        }
        const IterationSummary s = summarize(t, 1);
        QCOMPARE(s.start_ns, 100);
        QCOMPARE(s.iteration_ns, 64);
        QCOMPARE(s.optimizer_ns, 7);
        QCOMPARE(s.gaps.size(), 3U);
        QCOMPARE(s.ranks[0].wait_ns, 32);
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, summarize(t, 3));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, summarize(Timeline(2), 0));
    }

    void bubbleOfARange() {
        const Timeline t = twoRanks();
        QCOMPARE(bubbleOfTotal(t, 0, 64), summarize(t, 0).bubble_of_total);
        QCOMPARE(bubbleOfTotal(t, 0, 10), 0.5);
        QCOMPARE(bubbleOfTotal(t, 42, 44), 1.0);
        QCOMPARE(bubbleOfTotal(t, 5, 5), 0.0);
    }

    void forwardOnlyHasNoBackwardPhase() {
        const Program program = lower(makeSchedule("forward-only", {2, 1, 2, 0}));
        const IterationSummary s = summarize(predict(program, unitCosts(2, 1, 1, 1, 0)), 0);
        std::vector<std::string> gaps;
        for (const IdleGap& gap : s.gaps)
            gaps.push_back(std::to_string(gap.rank) + (gap.phase == IdlePhase::Fill ? " fill" : " drain"));
        QCOMPARE(gaps, (std::vector<std::string>{"0 drain", "1 fill"}));
    }

    void splitBackwardCountsBothWays() {
        Timeline t(1);
        t.append(computeEvent(0, {0, Op::Forward, 0}, 0, 1));
        t.append(computeEvent(0, {0, Op::BackwardInput, 0}, 1, 2));
        t.append(computeEvent(0, {0, Op::Forward, 1}, 2, 3));
        t.append(computeEvent(0, {0, Op::BackwardWeight, 0}, 3, 4));
        t.append(computeEvent(0, {0, Op::Backward, 1}, 4, 5));
        const IterationSummary s = summarize(t, 0);
        QCOMPARE(s.ranks[0].peak_in_flight, 2);
        QCOMPARE(s.ranks[0].peak_in_flight_dgrad, 1);
    }
};

BUBBLESCOPE_TEST(TestAnalysis)

}  // namespace tst_analysis

#include "tst_analysis.moc"
