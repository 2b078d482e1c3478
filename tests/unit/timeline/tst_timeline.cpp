// Timeline: order of appending, busy time of any range against brute force.
#include <QTest>
#include <random>

#include "registered_test.h"
#include "timeline/timeline.h"

namespace tst_timeline {

using namespace bscope;

namespace {

Event compute(int rank, Op op, std::int64_t start, std::int64_t end) {
    Event e;
    e.rank = static_cast<std::int16_t>(rank);
    e.op = op;
    e.start_ns = start;
    e.end_ns = end;
    return e;
}

std::int64_t bruteForce(const Timeline& timeline, int rank, Op op, std::int64_t from, std::int64_t to) {
    std::int64_t busy = 0;
    for (const Event& e : timeline.compute(rank))
        if (e.op == op)
            busy += std::max<std::int64_t>(0, std::min(e.end_ns, to) - std::max(e.start_ns, from));
    return busy;
}

}  // namespace

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    // Two of the operations are first seen when half of the row is there.
    void busyTimeOfAnyRangeEqualsBruteForce() {
        std::mt19937 random(7);
        const Op ops[] = {Op::Forward,        Op::Backward,  Op::BackwardInput,
                          Op::BackwardWeight, Op::Recompute, Op::OptimizerStep};
        Timeline timeline(2, Provenance::Measured);
        for (int rank = 0; rank < 2; ++rank) {
            std::int64_t now = 5;
            for (int i = 0; i < 200; ++i) {
                now += static_cast<std::int64_t>(random() % 4);
                const std::int64_t end = now + static_cast<std::int64_t>(random() % 6);
                timeline.append(compute(rank, ops[random() % (i < 100 ? 4 : 6)], now, end));
                now = end;
            }
        }
        for (int trial = 0; trial < 4000; ++trial) {
            const int rank = trial % 2;
            const auto from = static_cast<std::int64_t>(random() % 900) - 20;
            const auto to = from + static_cast<std::int64_t>(random() % 60);
            std::int64_t all = 0;
            for (Op op : ops) {
                QCOMPARE(timeline.busy_ns(rank, op, from, to), bruteForce(timeline, rank, op, from, to));
                if (op != Op::OptimizerStep) all += bruteForce(timeline, rank, op, from, to);
            }
            QCOMPARE(timeline.busy_ns(rank, from, to), all);
        }
    }

    void emptyAndReversedRangesAreIdle() {
        Timeline timeline(1);
        timeline.append(compute(0, Op::Forward, 10, 20));
        QCOMPARE(timeline.busy_ns(0, 15, 15), 0);
        QCOMPARE(timeline.busy_ns(0, 18, 12), 0);
        QCOMPARE(timeline.busy_ns(0, 20, 30), 0);
        QCOMPARE(timeline.busy_ns(0, 0, 10), 0);
        QCOMPARE(timeline.busy_ns(0, 12, 13), 1);
    }

    void findsTheFirstEventEndingAfterATime() {
        Timeline timeline(1);
        timeline.append(compute(0, Op::Forward, 10, 20));
        timeline.append(compute(0, Op::Backward, 20, 40));
        QCOMPARE(timeline.firstEndingAfter(0, 0), 0U);
        QCOMPARE(timeline.firstEndingAfter(0, 19), 0U);
        QCOMPARE(timeline.firstEndingAfter(0, 20), 1U);
        QCOMPARE(timeline.firstEndingAfter(0, 40), 2U);
    }

    void knowsItsExtent() {
        Timeline timeline(2);
        QVERIFY(timeline.empty());
        QCOMPARE(timeline.begin_ns(), 0);
        QCOMPARE(timeline.end_ns(), 0);
        timeline.append(compute(1, Op::Forward, 30, 40));
        timeline.append(compute(0, Op::Forward, 25, 26));
        Event receive = compute(1, Op::RecvForward, 27, 50);
        timeline.append(receive);
        QVERIFY(!timeline.empty());
        QCOMPARE(timeline.begin_ns(), 25);
        QCOMPARE(timeline.end_ns(), 50);
        QCOMPARE(timeline.receives(1).size(), 1U);
        QCOMPARE(timeline.compute(1).size(), 1U);
    }

    void lateReceivesArePutInTheirPlace() {
        Timeline timeline(1);
        for (std::int64_t start : {5, 9, 2, 9, 7})
            timeline.append(compute(0, Op::RecvForward, start, start + 1));
        std::vector<std::int64_t> starts;
        for (const Event& e : timeline.receives(0)) starts.push_back(e.start_ns);
        QCOMPARE(starts, (std::vector<std::int64_t>{2, 5, 7, 9, 9}));
    }

    void refusesWhatCannotBe() {
        Timeline timeline(2);
        timeline.append(compute(0, Op::Forward, 10, 20));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(compute(0, Op::Forward, 9, 12)));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(compute(2, Op::Forward, 30, 31)));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(compute(-1, Op::Forward, 30, 31)));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(compute(0, Op::SendForward, 30, 31)));
        timeline.append(MemoryPoint{10, 1, 0, 1, 1});
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(MemoryPoint{9, 1, 0, 1, 1}));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, timeline.append(MemoryPoint{9, 1, 0, 5, 1}));
        QCOMPARE(timeline.compute(0).size(), 1U);
    }
};

BUBBLESCOPE_TEST(TestTimeline)

}  // namespace tst_timeline

#include "tst_timeline.moc"
