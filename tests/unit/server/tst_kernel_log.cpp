// The kernels of an iteration: a box gets its own, gaps between launches are counted once, and a list with a
// hole says so.
#include <QTest>

#include "registered_test.h"
#include "server/frame_queue.h"
#include "server/stream_observer.h"
#include "timeline/kernel_log.h"
#include "wire/convert.h"

namespace tst_kernel_log {

using namespace bscope;

namespace {

KernelEvent kernel(std::int64_t start_ns, std::int64_t end_ns, int microbatch, Op op = Op::Forward) {
    return {start_ns, end_ns, 0, 0, 2, microbatch, 1, op, KernelEvent::Kind::Kernel, "gemm"};
}

Event box(std::int64_t start_ns, std::int64_t end_ns, int microbatch, Op op = Op::Forward) {
    Event event;
    event.start_ns = start_ns;
    event.end_ns = end_ns;
    event.stage = 2;
    event.microbatch = microbatch;
    event.rank = 1;
    event.op = op;
    return event;
}

}  // namespace

class TestKernelLog : public QObject {
    Q_OBJECT
private slots:
    void aBoxGetsItsOwnKernels() {
        KernelLog log;
        log.append(
            {1,
             0,
             4,
             {kernel(30, 40, 0), kernel(10, 20, 0), kernel(50, 60, 1), kernel(70, 80, 0, Op::Backward)}});
        const auto of_first = log.of(box(10, 40, 0));
        QCOMPARE(of_first.size(), std::size_t{2});
        QCOMPARE(of_first[0].start_ns, 10);
        QCOMPARE(of_first[1].start_ns, 30);
        QCOMPARE(log.of(box(50, 60, 1)).size(), std::size_t{1});
        QVERIFY(log.of(box(50, 60, 7)).empty());
        QVERIFY(log.isWhole(1));
        QVERIFY(!log.isWhole(0));
    }

    void whatWasReportedBeforeIsKnown() {
        KernelLog log;
        const KernelPart first{1, 0, 2, {kernel(10, 20, 0), kernel(30, 40, 0)}};
        QVERIFY(!log.knows(first));
        log.append(first);
        log.append({1, 0, 1, {kernel(70, 80, 1)}});
        QVERIFY(log.knows(first));
        QVERIFY(!log.knows({1, 0, 1, {kernel(90, 95, 1)}}));
        QVERIFY(!log.knows({0, 0, 2, first.kernels}));
        QVERIFY(log.isWhole(1));
    }

    void severalStepsOfAnIterationAreDistinguishedByTime() {
        KernelLog log;
        log.append({1, 0, 2, {kernel(10, 20, -1, Op::OptimizerStep), kernel(50, 60, -1, Op::OptimizerStep)}});
        QCOMPARE(log.of(box(48, 60, -1, Op::OptimizerStep)).size(), std::size_t{1});
    }

    void gapsAreWhatNoKernelCovers() {
        const std::vector kernels{kernel(10, 20, 0), kernel(15, 25, 0), kernel(30, 40, 0)};
        QCOMPARE(launchGap_ns(box(10, 40, 0), kernels), 5);
        QCOMPARE(launchGap_ns(box(0, 50, 0), kernels), 25);
        QCOMPARE(launchGap_ns(box(0, 50, 0), {}), 50);
    }

    void missingPartsAreKnown_data() {
        QTest::addColumn<QList<int>>("arrived");
        QTest::addColumn<bool>("whole");
        QTest::newRow("all") << QList<int>{0, 1, 2} << true;
        QTest::newRow("received twice") << QList<int>{0, 1, 2, 0, 1, 2} << true;
        QTest::newRow("no first") << QList<int>{1, 2} << false;
        QTest::newRow("no middle") << QList<int>{0, 2} << false;
        QTest::newRow("no last") << QList<int>{0, 1} << false;
        QTest::newRow("end and beginning") << QList<int>{0, 1, 1, 2} << false;
        QTest::newRow("no last, then all") << QList<int>{0, 1, 0, 1, 2} << false;
    }

    void missingPartsAreKnown() {
        QFETCH(QList<int>, arrived);
        QFETCH(bool, whole);
        const std::vector<KernelEvent> reported(600, kernel(0, 1, 0));
        KernelLog log;
        for (const int part : arrived)
            log.append(fromWire(toWire(1, reported, static_cast<std::size_t>(part) * kEventsPerBatch)));
        QCOMPARE(log.isWhole(1), whole);
    }

    void kernelsAreTheFirstToGo() {
        std::vector<OutFrame> frames;
        StreamObserver observer([&](OutFrame frame) { frames.push_back(std::move(frame)); });
        observer.kernels(1, std::vector<KernelEvent>(300, kernel(0, 1, 0)));
        observer.events(1, std::vector<Event>(256, box(0, 1, 0)));
        QCOMPARE(frames.size(), std::size_t{3});
        const std::size_t bytes = frames[0].bytes->size() + frames[2].bytes->size();
        FrameQueue queue(bytes + frames[2].bytes->size());
        queue.push(frames[2]);
        queue.push(frames[0]);
        queue.push(frames[2]);
        QCOMPARE(queue.droppedKernels(), std::uint64_t{256});
        QCOMPARE(queue.droppedEvents(), std::uint64_t{0});
    }
};

BUBBLESCOPE_TEST(TestKernelLog)

}  // namespace tst_kernel_log

#include "tst_kernel_log.moc"
