// WatermarkBoard: what is settled is published as soon as it is, and never more.
#include <QTest>

#include "rank/watermark_board.h"
#include "registered_test.h"

namespace tst_watermark {

using namespace bscope;

namespace {

class Watermarks final : public RunObserver {
public:
    void watermark(std::int64_t time_ns) override { times.push_back(time_ns); }
    std::vector<std::int64_t> times;
};

constexpr MessageTag kToFirst = MessageTag::activation(1, 0), kToSecond = MessageTag::activation(2, 0);
const auto kNotYet = [] { return false; };

}  // namespace

class TestWatermark : public QObject {
    Q_OBJECT

private slots:
    void theSlowestRankAtWorkCounts() {
        Watermarks reported;
        WatermarkBoard board(reported, 2);
        board.begin(100);
        board.settle(0, 500);
        QVERIFY(reported.times.empty());
        board.settle(1, 300);
        board.settle(1, 900);
        QCOMPARE(reported.times, (std::vector<std::int64_t>{300, 500}));
    }

    void aRankThatWaitsHoldsNoRankBack() {
        Watermarks reported;
        WatermarkBoard board(reported, 3);
        board.begin(0);
        board.wait(1, 0, kToFirst, kNotYet);
        board.wait(2, 1, kToSecond, kNotYet);
        board.settle(0, 700);
        QCOMPARE(reported.times, (std::vector<std::int64_t>{700}));
    }

    void oneThatGoesOnCountsFromItsMessage() {
        Watermarks reported;
        WatermarkBoard board(reported, 3);
        board.begin(0);
        board.wait(1, 0, kToFirst, kNotYet);
        board.wait(2, 1, kToSecond, kNotYet);
        board.settle(0, 400);
        board.sent(kToFirst, 400);
        board.settle(0, 2000);  // far ahead: rank 1 still computes what begins at 400
        QCOMPARE(reported.times, (std::vector<std::int64_t>{400}));
        board.settle(1, 1500);
        QCOMPARE(reported.times.back(), 1500);
    }

    void aMessageThatIsThereIsNotWaitedFor() {
        Watermarks reported;
        WatermarkBoard board(reported, 2);
        board.begin(0);
        board.sent(kToFirst, 100);
        board.wait(1, 0, kToFirst, [] { return true; });
        board.settle(0, 600);
        QVERIFY(reported.times.empty());
    }

    void aRingOfWaitingRanksEnds() {
        Watermarks reported;
        WatermarkBoard board(reported, 2);
        board.begin(0);
        board.settle(0, 50);
        board.settle(1, 80);
        board.wait(0, 1, kToFirst, kNotYet);
        board.wait(1, 0, kToSecond, kNotYet);
        QCOMPARE(reported.times.back(), 80);
    }
};

BUBBLESCOPE_TEST(TestWatermark)

}  // namespace tst_watermark

#include "tst_watermark.moc"
