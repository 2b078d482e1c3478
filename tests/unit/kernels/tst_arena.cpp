// The arena: what is taken and given back is recorded, and memory is used again.
#include <QTest>
#include <algorithm>
#include <set>

#include "kernels/cpu/cpu_device.h"
#include "model/arena.h"
#include "registered_test.h"

namespace tst_arena {

using namespace bscope;

class ArenaTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Device> device = makeCpuDevice();

private slots:
    void recordsEveryTakeAndReturn() {
        Arena arena(*device);
        std::int64_t now = 0;
        arena.setClock([&] { return now += 10; });
        {
            const Slot first = arena.take(3);
            Slot second = arena.take(100);
            second.reset();
            second.reset();
        }
        const std::vector<ArenaRecord> records = arena.drainRecords();
        const ArenaRecord expected[] = {{10, 12, 12}, {20, 400, 412}, {30, -400, 12}, {40, -12, 0}};
        QCOMPARE(records.size(), std::size(expected));
        for (std::size_t i = 0; i < records.size(); ++i) {
            QCOMPARE(records[i].time_ns, expected[i].time_ns);
            QCOMPARE(records[i].bytes, expected[i].bytes);
            QCOMPARE(records[i].live_bytes, expected[i].live_bytes);
        }
        QVERIFY(arena.drainRecords().empty());
        QCOMPARE(arena.peakBytes(), std::size_t{412});
        arena.resetPeak();
        QCOMPARE(arena.peakBytes(), std::size_t{0});
    }

    void slotsAreAlignedAndApart() {
        Arena arena(*device);
        std::vector<Slot> slots_;
        for (std::size_t i = 1; i < 50; ++i) {
            slots_.push_back(arena.take(i));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(slots_.back().data()) % 64, std::uintptr_t{0});
            std::fill_n(slots_.back().data(), i, static_cast<float>(i));
        }
        for (std::size_t i = 1; i < 50; ++i)
            for (std::size_t k = 0; k < i; ++k) QCOMPARE(slots_[i - 1].data()[k], static_cast<float>(i));
    }

    void memoryIsUsedAgain() {
        Arena arena(*device);
        const float* data = arena.take(1000).data();
        QCOMPARE(arena.take(1000).data(), data);
        const std::size_t reserved = arena.reservedBytes();
        for (int i = 0; i < 100000; ++i) arena.take(1000);
        QCOMPARE(arena.reservedBytes(), reserved);
        Slot large = arena.take(std::size_t{1} << 24);
        QVERIFY(arena.reservedBytes() >= reserved + (std::size_t{1} << 26));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, arena.releaseMemory());
        large.reset();
        arena.releaseMemory();
        QCOMPARE(arena.reservedBytes(), std::size_t{0});
        QVERIFY(arena.take(1000));
    }

    // What is reserved is little more than what was needed at once, and came in few pieces.
    void memoryGrowsWithTheNeed() {
        Arena arena(*device);
        std::vector<Slot> slots_;
        constexpr std::size_t kFloats = 10'000;
        std::set<std::size_t> reserved;
        for (int i = 0; i < 2000; ++i) {
            slots_.push_back(arena.take(kFloats));
            reserved.insert(arena.reservedBytes());
            const std::size_t live = arena.liveBytes();
            QVERIFY(arena.reservedBytes() <= std::max<std::size_t>(2 * live + (1 << 20), live + (33 << 20)));
        }
        QCOMPARE(*reserved.begin(), std::size_t{1} << 20);
        QVERIFY2(reserved.size() <= 8, qPrintable(QString::number(reserved.size())));
    }

    void slotsMove() {
        Arena arena(*device);
        Slot a = arena.take(8), b = arena.take(16);
        float* data = a.data();
        b = std::move(a);
        QCOMPARE(b.data(), data);
        QCOMPARE(arena.liveBytes(), std::size_t{32});
        float mine = 0;
        b = Slot::view(&mine);
        QCOMPARE(b.data(), &mine);
        QCOMPARE(arena.liveBytes(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, arena.take(0));
    }
};

BUBBLESCOPE_TEST(ArenaTest)

}  // namespace tst_arena

#include "tst_arena.moc"
