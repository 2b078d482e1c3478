// TimeAxis both ways, and LaneLayout: nothing overlaps, everything has its least height, what does not fit
// scrolls.
#include <QTest>
#include <random>

#include "registered_test.h"
#include "view/range_maximum.h"
#include "view/gallop.h"
#include "widgets/picture/lane_layout.h"
#include "widgets/picture/time_axis.h"

namespace tst_time_axis {

using namespace bscope;
using namespace bscope::ui;

class TestTimeAxis : public QObject {
    Q_OBJECT
private slots:
    void convertsBothWays() {
        for (const TimeRange range :
             {TimeRange{0, 3e8}, TimeRange{1.5e8, 1.5e8 + 1}, TimeRange{0, 1e13}, TimeRange{-5e6, 7e6}}) {
            const TimeAxis axis{range, 96, 948};
            QCOMPARE(axis.toPx(range.from_ns), 96.0);
            QVERIFY(std::abs(axis.toPx(range.to_ns) - 1044) < 1e-6);
            for (const double x : {96.0, 97.5, 500.0, 1043.9})
                QVERIFY(std::abs(axis.toPx(axis.toNs(x)) - x) < 1e-4);
        }
    }

    void zoomKeepsTheTimeUnderThePointer() {
        const TimeAxis before{{1e6, 3e8}, 96, 948};
        TimeAxis after = before;
        const double at = before.toNs(300);
        for (const double factor : {0.8, 0.5, 1.7}) {
            after = {zoomed(after.range(), factor, at), 96, 948};
            QVERIFY(std::abs(after.toPx(at) - 300) < 1e-6);
        }
        QVERIFY(std::abs(after.range().width() - before.range().width() * 0.8 * 0.5 * 1.7) < 1e-3);
    }

    void zoomStopsAtOneNanosecond() {
        TimeRange range{0, 1e9};
        for (int i = 0; i < 500; ++i) range = zoomed(range, 0.8, 123456789.0);
        QCOMPARE(range.width(), kLeastVisibleNs);
        QVERIFY(range.from_ns <= 123456789.0 && range.to_ns >= 123456789.0);
    }

    void staysInsideItsLimits() {
        const TimeRange limits{0, 1000};
        QCOMPARE(clamped({-50, 50}, limits), (TimeRange{0, 100}));
        QCOMPARE(clamped({950, 1100}, limits), (TimeRange{850, 1000}));
        QCOMPARE(clamped({-500, 5000}, limits), limits);
        QCOMPARE(clamped({10, 10.1}, limits).width(), 1.0);
        QCOMPARE(panned({10, 20}, 5), (TimeRange{15, 25}));
    }

    void ticksAreRoundAndApart() {
        for (double width = 10; width < 1e12; width *= 3.7) {
            const TimeAxis axis{{0.13 * width, 1.13 * width}, 0, 948};
            const Ticks ticks = niceTicks(axis, 1e6, 90);
            QVERIFY(ticks.step * 1e6 * axis.pxPerNs() >= 89.999);
            QVERIFY(ticks.values.size() >= 2 && ticks.values.size() <= 11);
            const double mantissa = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
            QVERIFY(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 ||
                    std::abs(mantissa - 5) < 1e-6);
            const QString printed = QString::number(ticks.step, 'f', ticks.decimals);
            QVERIFY(std::abs(printed.toDouble() - ticks.step) < 1e-9 * ticks.step + 1e-15);
        }
    }

    void rulerNumberShowsWhatAPixelIsWorth() {
        QCOMPARE(rulerNumber({{0, 285e6}, 0, 948}, 177.94e6), QStringLiteral("177.9"));
        QCOMPARE(rulerNumber({{0, 1e3}, 0, 1000}, 177'940'123.0), QStringLiteral("177.940123"));
    }

    // Both walks against the plain way, on rows with and without regular steps.
    void gallopFindsWhatASearchFinds() {
        std::mt19937 random(7);
        for (int round = 0; round < 500; ++round) {
            std::vector<int> row(random() % 200);
            int value = 0;
            for (int& each : row) each = (value += static_cast<int>(random() % 4));
            bscope::Gallop gallop;
            std::size_t from = 0;
            for (int limit = -1; limit < value + 8; limit += 1 + static_cast<int>(random() % 20)) {
                const auto before = [limit](int each) { return each <= limit; };
                const std::size_t expected =
                    static_cast<std::size_t>(std::ranges::upper_bound(row, limit) - row.begin());
                from = gallop.next(std::span<const int>(row), std::min(from, expected), before);
                QCOMPARE(from, expected);
            }
        }
    }

    void rangeMaximumIsTheMaximum() {
        std::mt19937 random(8);
        bscope::PackedMemory row;
        for (int i = 0; i < 1000; ++i) {
            bscope::MemoryPoint point;
            point.live_bytes = static_cast<std::int64_t>(random() % 10'000);
            row.push_back(point);
        }
        const bscope::MemoryPoints points(row, 0, row.size());
        const RangeMaximum maximum(points);
        for (int round = 0; round < 500; ++round) {
            const std::size_t first = random() % points.size(),
                              past = first + 1 + random() % (points.size() - first);
            std::int64_t expected = 0;
            for (std::size_t i = first; i < past; ++i) expected = std::max(expected, points[i].live_bytes);
            QCOMPARE(maximum.over(points, first, past), expected);
        }
    }

    void lanesDoNotOverlap_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<double>("scale");
        QTest::newRow("main window") << QSize(1156, 690) << 4 << 1.0;
        QTest::newRow("eight ranks") << QSize(1156, 690) << 8 << 1.0;
        QTest::newRow("sixteen ranks") << QSize(1156, 690) << 16 << 1.0;
        QTest::newRow("small window") << QSize(1024, 494) << 4 << 1.0;
        QTest::newRow("projector") << QSize(1440, 850) << 4 << 1.4;
        QTest::newRow("4K at 200 %") << QSize(3272, 1830) << 4 << 2.0;
        QTest::newRow("4K at 100 %") << QSize(3556, 1930) << 4 << 1.0;
        QTest::newRow("one rank") << QSize(1156, 690) << 1 << 1.0;
    }

    void lanesDoNotOverlap() {
        QFETCH(QSize, size);
        QFETCH(int, lanes);
        QFETCH(double, scale);
        const LaneLayout layout = LaneLayout::make(
            {double(size.width()), double(size.height()), {lanes}, LayoutUse::Window, scale});
        const auto& group = layout.groups.front();
        QCOMPARE(static_cast<int>(group.size()), lanes);
        for (std::size_t i = 0; i < group.size(); ++i) {
            const Lane& lane = group[i];
            QVERIFY(lane.box.height() >= 28 * scale - 1 && lane.box.height() <= 96 * scale + 1);
            QVERIFY(lane.memory.height() >= 24 * scale - 1 && lane.memory.height() <= 240 * scale + 1);
            QVERIFY(lane.communication.height() >= 8 * scale - 1 &&
                    lane.communication.height() <= 14 * scale + 1);
            QVERIFY(lane.ghost_top < lane.box.top());
            QVERIFY(lane.box.bottom() <= lane.communication.top());
            QVERIFY(lane.communication.bottom() <= lane.memory.top());
            QVERIFY(lane.memory.bottom() <= lane.all.bottom() + 1);
            QCOMPARE(lane.box.height(), group.front().box.height());
            if (i > 0) QVERIFY(lane.all.top() >= group[i - 1].memory.bottom());
        }
        if (layout.max_scroll == 0) QVERIFY(group.back().memory.bottom() <= size.height() + 1);
        QCOMPARE(layout.max_scroll > 0, lanes == 16);
        QVERIFY(layout.plot.width() > 0.75 * size.width());
    }

    void fewLanesUseALargeScreen() {
        for (const bool memory : {true, false}) {
            const LaneLayout layout = LaneLayout::make(
                {.width = 1640, .height = 860, .lanes = {4}, .use = LayoutUse::Window, .memory = memory});
            QVERIFY(layout.content_height > 0.9 * layout.view.height());
            QVERIFY(layout.metrics.box > 56);
        }
        QVERIFY(LaneLayout::make({3556, 1930, {4}}).content_height > 0.85 * 1930);
    }

    void comfortableAtTheDesignedSize() {
        const LaneLayout layout = LaneLayout::make({1156, 682, {4}});
        QCOMPARE(layout.metrics.box, 46.0);
        QCOMPARE(layout.metrics.memory, 56.0);
        QCOMPARE(layout.metrics.communication, 9.0);
        QCOMPARE(layout.title.height(), 38.0);
        QCOMPARE(layout.ruler.height(), 24.0);
        QCOMPARE(layout.plot.left(), 96.0);
    }

    void scrollingMovesLanesUnderTheRuler() {
        LayoutRequest request{1156, 690, {16}};
        const LaneLayout top = LaneLayout::make(request);
        request.scroll = 1e9;
        const LaneLayout bottom = LaneLayout::make(request);
        QVERIFY(std::abs(bottom.groups[0].back().all.bottom() - 690) <= 2);
        QVERIFY(bottom.groups[0].front().all.top() < top.view.top());
        QCOMPARE(bottom.laneAt(bottom.view.top() - 1).lane, -1);
        QVERIFY(bottom.laneAt(bottom.view.top() + 1).lane > 0);
    }

    void hidingMemoryGivesRoomToTheBoxes() {
        LayoutRequest request{1156, 690, {8}};
        const double with_memory = LaneLayout::make(request).metrics.box;
        request.memory = false;
        const LaneLayout without = LaneLayout::make(request);
        QVERIFY(without.metrics.box > with_memory);
        QCOMPARE(without.groups[0][0].memory.height(), 0.0);
    }

    // Three runs of four ranks, as a lesson compares them, at the canvas of a window of 1440 x 900 and of
    // 1280 x 800; where there is no room at all for the curves, the layout says so.
    void stackedGroupsKeepTheirMemoryWhileBoxesCanBeRead() {
        for (const double height : {770.0, 670.0}) {
            const LaneLayout layout = LaneLayout::make({1070, height, {4, 4, 4}});
            QVERIFY2(!layout.memory_left_out, qPrintable(QString::number(height)));
            QVERIFY(layout.metrics.memory >= 20);
            QVERIFY(layout.metrics.box >= 16);
            QVERIFY(layout.scroll_bar.isEmpty());
        }
        const LaneLayout low = LaneLayout::make({1070, 500, {4, 4, 4}});
        QVERIFY(low.memory_left_out);
        QCOMPARE(low.metrics.memory, 0.0);
        LayoutRequest without{1070, 500, {4, 4, 4}};
        without.memory = false;
        QVERIFY(!LaneLayout::make(without).memory_left_out);
    }

    void stackedGroupsShareOneAxis() {
        const LaneLayout layout = LaneLayout::make({1070, 774, {4, 4}});
        QVERIFY(layout.stacked);
        QCOMPARE(layout.group_titles.size(), std::size_t(2));
        QVERIFY(layout.groups[0].back().memory.bottom() <= layout.group_titles[1].top() + 1);
        QCOMPARE(layout.groups[0][0].box.left(), layout.groups[1][0].box.left());
        QVERIFY(layout.groups[1].back().memory.bottom() <= 775);
        const LaneLayout::Hit hit = layout.laneAt(layout.groups[1][2].box.center().y());
        QCOMPARE(hit.group, 1);
        QCOMPARE(hit.lane, 2);
    }

    // A figure of a given height cannot scroll: as on the canvas boxes get lower, then memory gives way.
    void figuresHoldAllTheirLanes() {
        for (const std::vector<int>& lanes : {std::vector{4}, {4, 4}, {4, 4, 4}, {8, 8}, {8, 8, 8}})
            for (const double height : {265 / 0.65, 560.0, 810.0, 1600.0}) {
                const LaneLayout layout = LaneLayout::make(
                    {.width = 1366, .height = height, .lanes = lanes, .use = LayoutUse::Figure});
                if (lanes.size() * static_cast<std::size_t>(lanes[0]) > 12 && height < 800) continue;
                const QByteArray where =
                    QByteArray::number(height) + " px, runs: " + QByteArray::number(qsizetype(lanes.size()));
                QVERIFY2(layout.max_scroll == 0, where);
                const Lane& last = layout.groups.back().back();
                QVERIFY2(std::max(last.box.bottom(), last.memory.bottom()) <= height + 1, where);
            }
        LaneLayout low = LaneLayout::make(
            {.width = 1366, .height = 265 / 0.65, .lanes = {4, 4, 4}, .use = LayoutUse::Figure});
        QVERIFY(low.memory_left_out && low.groups[0][0].memory.height() == 0);
        QVERIFY(low.groups[0][0].box.height() >= 11);
    }

    // All columns alike, inside the width and apart; a lane is found in its own column alone.
    void columnsAreAlike() {
        for (const LayoutUse use : {LayoutUse::Window, LayoutUse::Figure})
            for (const double width : {600.0, 997.0, 1600.0, 3840.0}) {
                LayoutRequest request{width, 774, {4, 6}, use};
                request.columns = true;
                const LaneLayout layout = LaneLayout::make(request);
                QCOMPARE(layout.columns, 2);
                QVERIFY(!layout.low() && layout.width() <= width && layout.width() > width - 2);
                QVERIFY(layout.leftOf(1) >= layout.all.right());
                QCOMPARE(layout.groups[0][0].box, layout.groups[1][0].box);
                QCOMPARE(layout.group_titles[0], layout.group_titles[1]);
                QVERIFY(layout.groups[1].back().memory.bottom() <= 775);
                QVERIFY(layout.plot.right() < layout.all.right() && layout.plot.width() > 100);
                for (int column : {0, 1}) {
                    const QPointF at(layout.leftOf(column) + layout.plot.left() + 5, 0);
                    QCOMPARE(layout.columnAt(at.x()), column);
                    QCOMPARE(layout.inColumn(at).x(), layout.plot.left() + 5);
                    const double y = layout.groups[1][5].box.center().y();
                    QCOMPARE(layout.laneAt(y, column).lane, column == 1 ? 5 : -1);
                }
                QCOMPARE(layout.columnAt(-5), 0);
                QCOMPARE(layout.columnAt(width + 5), 1);
            }
    }
};

BUBBLESCOPE_TEST(TestTimeAxis)

}  // namespace tst_time_axis

#include "tst_time_axis.moc"
