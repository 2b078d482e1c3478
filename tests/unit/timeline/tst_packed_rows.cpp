// Packed rows give back every event, memory point and gap as it was put in, whatever its numbers are, and are
// as small as they are said to be. Copies of gaps are independent of each other.
#include <QTest>
#include <random>

#include "registered_test.h"
#include "timeline/idle_gaps.h"
#include "timeline/packed_rows.h"

namespace tst_packed_rows {

using namespace bscope;

namespace {

class Numbers {
public:
    // Small ones, ones beyond 32 bits, and some below 0.
    std::int64_t time() {
        const auto bits = static_cast<std::int64_t>(random_());
        switch (random_() % 4) {
            case 0:
                return bits % 1000;
            case 1:
                return bits * 1'000;
            case 2:
                return -bits;
            default:
                return bits * 100'000'000;
        }
    }
    int upTo(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most + 1)); }

    Event event() {
        Event e;
        e.start_ns = time();
        e.end_ns = e.start_ns + time();
        const std::int64_t choices[] = {0, e.start_ns, e.end_ns, e.end_ns - 800, e.start_ns + time()};
        e.transfer_ns = choices[upTo(4)];
        e.bytes = time();
        e.iteration = upTo(5);
        e.stage = upTo(70) - 1;
        e.microbatch = upTo(1'000'000) - 1;
        e.rank = static_cast<std::int16_t>(upTo(3));
        e.op = static_cast<Op>(upTo(kOpCount - 1));
        e.weight_version = upTo(9) - 1;
        e.staleness = static_cast<std::int16_t>(upTo(2));
        e.disturbed = upTo(1) == 1;
        return e;
    }

private:
    std::mt19937 random_{11};
};

}  // namespace

class TestPackedRows : public QObject {
    Q_OBJECT
private slots:
    // Files may say any times.
    void timesAsFarApartAsTheyCanBe() {
        const std::int64_t times[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
        PackedEvents row;
        IdleGaps gaps;
        std::vector<Event> plain;
        std::vector<IdleGap> plain_gaps;
        for (const std::int64_t start : times)
            for (const std::int64_t end : times) {
                for (const std::int64_t transfer : times) {
                    Event event;
                    event.start_ns = start;
                    event.end_ns = end;
                    event.transfer_ns = transfer;
                    row.push_back(event);
                    plain.push_back(event);
                }
                IdleGap gap;
                gap.start_ns = start;
                gap.end_ns = end;
                gaps.push_back(gap);
                plain_gaps.push_back(gap);
            }
        for (std::size_t i = 0; i < plain.size(); ++i) QVERIFY(row[i] == plain[i]);
        for (std::size_t i = 0; i < plain_gaps.size(); ++i) QVERIFY(gaps[i] == plain_gaps[i]);
    }

    void eventsComeBackAsTheyWere() {
        Numbers numbers;
        PackedEvents row;
        std::vector<Event> plain;
        for (int i = 0; i < 5000; ++i) {
            const Event event = numbers.event();
            const auto place = static_cast<std::size_t>(numbers.upTo(static_cast<int>(plain.size())));
            if (i % 3 == 0) {
                row.insert(place, event);
                plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(place), event);
            } else {
                row.push_back(event);
                plain.push_back(event);
            }
        }
        QCOMPARE(row.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) QVERIFY(row[i] == plain[i]);
        const EventSlice all(row, 0, row.size());
        QVERIFY(std::ranges::equal(all, plain));
        QVERIFY(std::ranges::equal(all.subspan(7, 9), std::span(plain).subspan(7, 9)));
        QCOMPARE(all.subspan(7).subspan(2).offset(), 9U);
    }

    void memoryPointsComeBackAsTheyWere() {
        Numbers numbers;
        PackedMemory row;
        std::vector<MemoryPoint> plain;
        for (int i = 0; i < 5000; ++i) {
            plain.push_back({numbers.time(), numbers.time(), numbers.upTo(3),
                             static_cast<std::int16_t>(numbers.upTo(3)),
                             static_cast<std::int16_t>(numbers.upTo(90))});
            row.push_back(plain.back());
        }
        QVERIFY(std::ranges::equal(MemoryPoints(row, 0, row.size()), plain));
    }

    // Planned units last a second each, and a schedule may have millions of them.
    void longRowsHaveAShortTable() {
        PackedEvents events;
        PackedMemory points;
        for (int i = 0; i < 100'000; ++i) {
            Event event;
            event.start_ns = (i + 1) * std::int64_t{1'000'000'000};
            event.end_ns = event.start_ns + 1'000'000'000;
            event.microbatch = i / 2;
            event.op = i % 2 == 0 ? Op::Forward : Op::Backward;
            events.push_back(event);
            points.push_back({event.start_ns, i % 2, 0, 0, static_cast<std::int16_t>(i % 2)});
        }
        QCOMPARE(events.kinds(), 2U);
        QCOMPARE(points.kinds(), 2U);
        QCOMPARE(events[99'999].end_ns, 100'001'000'000'000);
        QCOMPARE(points[99'999].time_ns, 100'000'000'000'000);
    }

    void gapsComeBackAsTheyWere() {
        Numbers numbers;
        IdleGaps gaps;
        std::vector<IdleGap> plain;
        for (int i = 0; i < 3000; ++i) {
            IdleGap gap;
            gap.start_ns = numbers.time();
            gap.end_ns = gap.start_ns + numbers.time();
            gap.phase = static_cast<IdlePhase>(numbers.upTo(2));
            gap.rank = numbers.upTo(70);
            if (numbers.upTo(3) > 0)
                gap.next = Action{numbers.upTo(70), static_cast<Op>(numbers.upTo(4)), numbers.upTo(99'999),
                                  numbers.upTo(1) == 1};
            gaps.push_back(gap);
            plain.push_back(gap);
        }
        QVERIFY(std::ranges::equal(gaps, plain));
    }

    void copiesOfGapsAreIndependent() {
        IdleGaps gaps;
        QVERIFY(gaps.empty() && gaps == IdleGaps());
        gaps.push_back({10, 20, IdlePhase::Fill, 1, std::nullopt});
        const IdleGaps before = gaps;
        QVERIFY(before == gaps);
        gaps.push_back({30, 40, IdlePhase::Drain, 2, Action{3, Op::Forward, 5}});
        QCOMPARE(before.size(), 1U);
        QCOMPARE(gaps.size(), 2U);
        QVERIFY(before[0] == gaps[0] && !(before == gaps));
    }

    void anEventIsNoneOrInARow() {
        PackedEvents row;
        Event event;
        event.start_ns = 5;
        row.push_back(event);
        const EventSlice all(row, 0, 1);
        QVERIFY(!EventRef());
        QVERIFY(all.begin() && all.begin()->start_ns == 5);
        QVERIFY(all.begin() != all.end() && all.end() - all.begin() == 1);
    }
};

BUBBLESCOPE_TEST(TestPackedRows)

}  // namespace tst_packed_rows

#include "tst_packed_rows.moc"
