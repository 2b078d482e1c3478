// WatermarkBoard: what is settled is told as soon as it is, and never more.
#include <QTest>

#include "rank/watermark_board.h"

using namespace bscope;

namespace {

class Told final : public RunObserver {
public:
    void watermark(std::int64_t time_ns) override { times.push_back(time_ns); }
    std::vector<std::int64_t> times;
};

constexpr MessageTag kToFirst{1, 0, Direction::Forward}, kToSecond{2, 0, Direction::Forward};
const auto kNotYet = [] { return false; };

}  // namespace

class TestWatermark : public QObject {
    Q_OBJECT

private slots:
    void theSlowestRankAtWorkCounts() {
        Told told;
        WatermarkBoard board(told, 2);
        board.begin(100);
        board.settle(0, 500);
        QVERIFY(told.times.empty());
        board.settle(1, 300);
        board.settle(1, 900);
        QCOMPARE(told.times, (std::vector<std::int64_t>{300, 500}));
    }

    void aRankThatWaitsHoldsNobodyBack() {
        Told told;
        WatermarkBoard board(told, 3);
        board.begin(0);
        board.wait(1, 0, kToFirst, kNotYet);
        board.wait(2, 1, kToSecond, kNotYet);
        board.settle(0, 700);
        QCOMPARE(told.times, (std::vector<std::int64_t>{700}));
    }

    void oneThatGoesOnCountsFromItsMessage() {
        Told told;
        WatermarkBoard board(told, 3);
        board.begin(0);
        board.wait(1, 0, kToFirst, kNotYet);
        board.wait(2, 1, kToSecond, kNotYet);
        board.settle(0, 400);
        board.sent(kToFirst, 400);
        board.settle(0, 2000);  // far ahead: rank 1 still computes what begins at 400
        QCOMPARE(told.times, (std::vector<std::int64_t>{400}));
        board.settle(1, 1500);
        QCOMPARE(told.times.back(), 1500);
    }

    void aMessageThatIsThereIsNotWaitedFor() {
        Told told;
        WatermarkBoard board(told, 2);
        board.begin(0);
        board.sent(kToFirst, 100);
        board.wait(1, 0, kToFirst, [] { return true; });
        board.settle(0, 600);
        QVERIFY(told.times.empty());
    }

    void aRingOfWaitingRanksEnds() {
        Told told;
        WatermarkBoard board(told, 2);
        board.begin(0);
        board.settle(0, 50);
        board.settle(1, 80);
        board.wait(0, 1, kToFirst, kNotYet);
        board.wait(1, 0, kToSecond, kNotYet);
        QCOMPARE(told.times.back(), 80);
    }
};

QTEST_GUILESS_MAIN(TestWatermark)
#include "tst_watermark.moc"
