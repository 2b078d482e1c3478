// How an iteration and its baseline are drawn: boxes tinted by their difference, side by side, swapped; and
// what the card says of both, against the events.
#include <QTest>

#include "app/window/main_window.h"
#include "paint_recorder.h"
#include "pinned_baseline.h"
#include "registered_test.h"
#include "watched_window.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/figure/figure.h"
#include "widgets/picture/change_tint.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/alignment_text.h"

namespace tst_beside_picture {

using namespace bscope;
using namespace bscope::ui;

class TestBesidePicture : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    // Every box of a wide enough picture has the colour of its own difference, in every theme.
    void boxesAreTintedByTheirDifference_data() {
        QTest::addColumn<int>("theme");
        QTest::addRow("light") << int(ThemeKind::Light);
        QTest::addRow("dark") << int(ThemeKind::Dark);
        QTest::addRow("projector") << int(ThemeKind::Projector);
    }

    void boxesAreTintedByTheirDifference() {
        QFETCH(int, theme);
        const auto factor = [](const Event& event) {
            constexpr std::array kFactors{0.5, 0.9, 1.0, 1.02, 1.1, 1.4};
            return kFactors[static_cast<std::size_t>(event.microbatch + event.stage) % kFactors.size()];
        };
        const IterationView base = sampleView();
        IterationView now = slowed(factor);
        now.report->iteration_ms = 1;
        Baseline baseline;
        baseline.pin(base);
        FigureOptions options;
        options.theme = static_cast<ThemeKind>(theme);
        options.layers.changes = true;
        options.size_px = {4000, 700};
        std::set<int> steps;
        const auto views = baseline.with(now, 0);
        QCOMPARE(views.size(), std::size_t{1});
        ViewState state;
        state.setLayers(options.layers);
        GanttView canvas(state);
        canvas.resize(3000, 700);
        canvas.setStacked(views);
        Picture picture = canvas.picture();
        picture.theme = Theme::make(options.theme);
        QImage image(3000, 700, QImage::Format_RGB32);
        image.fill(picture.theme.canvas);
        {
            QPainter painter(&image);
            TimelinePainter(painter, picture).draw();
        }
        for (const Event& event : operations(now)) {
            const double change = factor(event) - 1;
            const auto found = picture.groups.front().changeOf(event);
            QVERIFY(found && std::abs(*found - change) < 1e-6);
            const int step = changeStep(*found);
            QCOMPARE(step, change <= -0.25  ? -2
                           : change < -0.05 ? -1
                           : change < 0.05  ? 0
                           : change < 0.25  ? 1
                                            : 2);
            steps.insert(step);
            const Lane& lane = picture.layout.groups.front()[static_cast<std::size_t>(event.rank)];
            const double left = picture.xOf(picture.groups.front(), event.start_ns),
                         right = picture.xOf(picture.groups.front(), event.end_ns);
            QVERIFY(right - left > 20);
            // Above the number and its kind's strip, right of the triangles.
            const QColor at(image.pixel(static_cast<int>(right - 4), static_cast<int>(lane.box.top() + 3)));
            QCOMPARE(at.name(), picture.theme.change(step).name());
            const QColor foot(
                image.pixel(static_cast<int>((left + right) / 2), static_cast<int>(lane.box.bottom() - 2)));
            QCOMPARE(foot.name(), picture.theme.fill(event.op).name());
        }
        QCOMPARE(steps.size(), std::size_t{5});
        // Without the layer they have the colours of their kinds.
        picture.layers.changes = false;
        PaintRecorder plain(QSize(3000, 700));
        {
            QPainter painter(&plain);
            TimelinePainter(painter, picture).draw();
        }
        for (const PaintRecorder::Shape& shape : plain.shapes)
            for (const int step : {-2, -1, 1, 2}) QVERIFY(shape.fill != picture.theme.change(step));
        // An exported picture shows the same colours.
        const QImage exported = renderFigureImage(views, options);
        std::set<QRgb> colours;
        for (int y = 0; y < exported.height(); y += 2)
            for (int x = 0; x < exported.width(); ++x) colours.insert(exported.pixel(x, y));
        for (const int step : {-2, -1, 0, 1, 2})
            QVERIFY(colours.contains(Theme::make(options.theme).change(step).rgb()));
    }

    // A picture of an imported run whose operations contradict each other says so, as an exported one does.
    void contradictionsOfAnImportAreSaid() {
        for (const bool aligned : {true, false}) {
            IterationView view = sampleView({.provenance = Provenance::Imported});
            auto origin = std::make_shared<ImportOrigin>();
            origin->aligned = aligned;
            view.import = std::move(origin);
            ViewState state;
            GanttView canvas(state);
            canvas.resize(1600, 700);
            canvas.setStacked({view});
            PaintRecorder drawn(QSize(1600, 700));
            {
                QPainter painter(&drawn);
                TimelinePainter(painter, canvas.picture()).draw();
            }
            const bool said = std::ranges::any_of(drawn.texts, [](const PaintRecorder::Text& each) {
                return each.text.contains(QStringLiteral("operations contradict each other"));
            });
            QCOMPARE(said, !aligned);
        }
    }

    // Boxes too narrow to be drawn: of those in one column the one that differs most.
    void ofNarrowBoxesTheGreatestDifferenceIsSeen() {
        SampleOptions many;
        many.m = 2000;
        const IterationView base = sampleView(many);
        const auto odd = [](const Event& event) {
            return event.op == Op::Forward && event.microbatch == 1000;
        };
        IterationView now = slowed([&](const Event& event) { return odd(event) ? 1.5 : 1.0; }, many);
        now.report->iteration_ms = 1;
        Baseline baseline;
        baseline.pin(base);
        ViewState state;
        Layers layers;
        layers.changes = true;
        state.setLayers(layers);
        GanttView canvas(state);
        const Picture picture = shown(canvas, baseline.with(now, 0));
        QImage image(1156, 690, QImage::Format_RGB32);
        {
            QPainter painter(&image);
            TimelinePainter(painter, picture).draw();
        }
        int seen = 0;
        for (const Event& event : operations(now)) {
            if (!odd(event)) continue;
            const Lane& lane = picture.layout.groups.front()[static_cast<std::size_t>(event.rank)];
            const double x = std::floor(picture.xOf(picture.groups.front(), event.start_ns));
            QCOMPARE(QColor(image.pixel(static_cast<int>(x), static_cast<int>(lane.box.center().y()))).name(),
                     picture.theme.change(2).name());
            ++seen;
        }
        QCOMPARE(seen, 4);
    }

    void theCardSaysWhatTheBaselineTook() {
        const auto factor = [](const Event& event) { return event.microbatch == 2 ? 1.5 : 1.0; };
        IterationView now = slowed(factor);
        now.report->iteration_ms = 1;
        Baseline baseline;
        baseline.pin(sampleView());
        ViewState state;
        GanttView canvas(state);
        const Picture picture = shown(canvas, baseline.with(now, 0));
        const auto card = [&](int rank, int microbatch) {
            for (const Event& event : operations(now))
                if (event.rank == rank && event.microbatch == microbatch && event.op == Op::Forward) {
                    Hit hit;
                    hit.group = 0;
                    hit.rank = rank;
                    hit.part = Hit::Part::Box;
                    hit.event = event;
                    return describe(picture, hit).lines.join('\n');
                }
            return QString();
        };
        for (const Event& event : operations(sampleView()))
            if (event.rank == 1 && event.microbatch == 2 && event.op == Op::Forward)
                QVERIFY2(card(1, 2).contains(
                             QStringLiteral("in the baseline #37 %1: here +50.0")
                                 .arg(picture.notation.duration(static_cast<double>(event.duration_ns())))),
                         qPrintable(card(1, 2)));
        QVERIFY2(card(1, 3).contains("in the baseline #37: the same length"), qPrintable(card(1, 3)));
    }

    // Side by side every box stands in its own half where the same axis has it; drags, the wheel and clicks
    // there mean the times of that half.
    void sideBySideEachHalfHasTheAxis() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        Baseline baseline = pinned(sampleView(gpipe), Alignment::FirstBackward);
        baseline.setLook({BaselinePlace::SideBySide, Alignment::FirstBackward});
        const auto views = baseline.with(another(), 0);
        QVERIFY(views[1].shift_ns() != 0);
        ViewState state;
        GanttView canvas(state);
        const Picture picture = shown(canvas, views);
        const LaneLayout& layout = picture.layout;
        QCOMPARE(layout.columns, 2);
        for (std::size_t group = 0; group < 2; ++group)
            for (const Event& event : operations(views[group])) {
                const auto start = static_cast<double>(event.start_ns - views[group].start_ns),
                           end = static_cast<double>(event.end_ns - views[group].start_ns),
                           shift = group == 1 ? static_cast<double>(views[1].shift_ns()) : 0;
                const Lane& lane = layout.groups[group][static_cast<std::size_t>(event.rank)];
                const QPointF at(
                    layout.leftOf(static_cast<int>(group)) + picture.axis.toPx((start + end) / 2 + shift),
                    lane.box.center().y());
                const Hit hit = hitTest(picture, at);
                QCOMPARE(hit.group, static_cast<int>(group));
                QVERIFY(hit.event == event);
                QVERIFY(hit.place.contains(at));  // on the screen, where the card is put
                QVERIFY((at.x() < canvas.width() / 2.0) == (group == 0));
            }
        // The same stretch of time is measured in either half.
        std::optional<TimeRange> first;
        for (const int column : {0, 1}) {
            const double left = layout.leftOf(column) + layout.plot.left();
            const QPoint from(static_cast<int>(left) + 40, 300), to(static_cast<int>(left) + 120, 300);
            QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
            QTest::mouseMove(&canvas, to);
            QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
            QVERIFY(state.measured());
            if (!first) first = state.measured();
            QVERIFY(std::abs(state.measured()->from_ns - first->from_ns) < 1.5 / picture.axis.pxPerNs());
            QVERIFY(std::abs(state.measured()->to_ns - first->to_ns) < 1.5 / picture.axis.pxPerNs());
        }
        // Zooming at a point of the second half keeps the time under it there.
        const double x = layout.leftOf(1) + layout.plot.left() + 100;
        const double before = picture.axis.toNs(layout.inColumn({x, 0}).x());
        canvas.zoomAt(0.5, x);
        QVERIFY(std::abs(canvas.picture().axis.toNs(layout.inColumn({x, 0}).x()) - before) < 1);
        QVERIFY(state.range().width() < 0.6 * picture.axis.range().width());
    }

    // Swapped, the pinned one comes first and has the times of the axis; the instant still stands at one
    // place.
    void swappedThePinnedOneComesFirst_data() {
        QTest::addColumn<int>("place");
        QTest::addRow("below") << int(BaselinePlace::Below);
        QTest::addRow("side by side") << int(BaselinePlace::SideBySide);
    }

    void swappedThePinnedOneComesFirst() {
        QFETCH(int, place);
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        const IterationView base = sampleView(gpipe), now = another();
        Baseline baseline = pinned(base, Alignment::FirstBackward);
        baseline.setLook({static_cast<BaselinePlace>(place), Alignment::FirstBackward});
        const auto before = baseline.with(now, 0);
        baseline.swap();
        QVERIFY(!baseline.onCanvas());  // both are
        const auto after = baseline.with(now, 0);
        QVERIFY(isSameIteration(after[0], base) && isSameIteration(after[1], now));
        QVERIFY(after[0].beside->is_baseline && !after[1].beside->is_baseline);
        QCOMPARE(after[0].shift_ns(), 0);
        QCOMPARE(after[1].shift_ns(), -before[1].shift_ns());
        QVERIFY(after[1].shift_ns() != 0);
        QVERIFY(after[1].compared && !after[0].compared);
        const QString meaning = alignmentMeaning(*after[1].beside, {});
        QVERIFY2(meaning.contains("the ruler has the times of the baseline"), qPrintable(meaning));
        baseline.setLook({BaselinePlace::Hidden, Alignment::Start});
        QVERIFY(baseline.onCanvas());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestBesidePicture)

}  // namespace tst_beside_picture

#include "tst_beside_picture.moc"
