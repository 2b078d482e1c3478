// An iteration and its baseline on one time axis: where the boxes stand by each alignment, what their tint
// and their words say of the difference, in the window and in exported pictures, against the events.
#include <QSignalSpy>
#include <QTest>

#include "app/timeline/baseline.h"
#include "app/window/main_window.h"
#include "paint_recorder.h"
#include "sample_view.h"
#include "timeline/iteration_events.h"
#include "watched_window.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/figure/figure.h"
#include "widgets/picture/change_tint.h"
#include "widgets/picture/describe.h"
#include "widgets/picture/gap_words.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/prepared/gap.h"
#include "widgets/text/alignment_text.h"
#include "widgets/text/format.h"

using namespace bscope;
using namespace bscope::ui;

class TestBeside : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    // The sample, each of its operations longer by a factor.
    static IterationView slowed(const std::function<double(const Event&)>& factor,
                                SampleOptions options = {}) {
        IterationView view = sampleView(options);
        auto ran = std::make_shared<Timeline>(view.ran->ranks(), view.ran->provenance());
        for (int rank = 0; rank < view.ran->ranks(); ++rank) {
            std::int64_t later_ns = 0;
            for (Event event : view.ran->compute(rank)) {
                const auto longer_ns =
                    static_cast<std::int64_t>(static_cast<double>(event.duration_ns()) * (factor(event) - 1));
                event.start_ns += later_ns;
                later_ns += longer_ns;
                event.end_ns += later_ns;
                ran->append(event);
            }
        }
        view.ran = ran;
        view.summary = summarize(*ran, view.iteration);
        return view;
    }
    static IterationView another(SampleOptions options = {}) {
        IterationView view = sampleView(options);
        view.report->iteration_ms = 1;  // another one than the baseline
        return view;
    }
    static Baseline pinned(const IterationView& view, Alignment alignment) {
        Baseline baseline;
        baseline.pin(view);
        baseline.setLook({BaselinePlace::Below, alignment});
        return baseline;
    }
    static std::vector<Event> operations(const IterationView& view) {
        std::vector<Event> all;
        for (int rank = 0; rank < view.ran->ranks(); ++rank)
            for (const Event& event : ofIteration(view.ran->compute(rank), view.iteration))
                if (isCompute(event.op)) all.push_back(event);
        return all;
    }
    static double instant(const IterationView& view, Alignment alignment, int microbatch) {
        double found = alignment == Alignment::LastForward ? 0 : 1e30;
        for (const Event& event : operations(view)) {
            const auto start = static_cast<double>(event.start_ns - view.start_ns),
                       end = static_cast<double>(event.end_ns - view.start_ns);
            if (alignment == Alignment::LastForward && event.op == Op::Forward) found = std::max(found, end);
            if (alignment == Alignment::FirstBackward && event.op != Op::Forward)
                found = std::min(found, start);
            if (alignment == Alignment::Microbatch && event.microbatch == microbatch)
                found = std::min(found, start);
        }
        return found;
    }
    static Picture shown(GanttView& canvas, const std::vector<IterationView>& views) {
        canvas.resize(1156, 690);
        canvas.setStacked(views);
        return canvas.picture();
    }

    static ViewState& state(GanttView& canvas) { return canvas.state(); }

private slots:
    void initTestCase() { OpenedWindow::useTestSettings(); }

    // The instant stands at one x in both, to the pixel; every box lies where its time and the shift say.
    void theInstantStandsAtOnePlace_data() {
        QTest::addColumn<int>("alignment");
        for (int i = 1; i < 4; ++i) QTest::addRow("%d", i) << i;
    }
    void theInstantStandsAtOnePlace() {
        QFETCH(int, alignment);
        const auto by = static_cast<Alignment>(alignment);
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        const IterationView base = sampleView(gpipe), now = another();
        const std::vector<IterationView> views = pinned(base, by).with(now, 5);
        QCOMPARE(views.size(), std::size_t{2});
        QVERIFY(!views[0].beside->is_baseline && views[1].beside->is_baseline);
        const double own = instant(now, by, 5), its = instant(base, by, 5);
        QVERIFY(own != its);
        QCOMPARE(static_cast<double>(views[1].beside->shift_ns), own - its);
        ViewState state;
        GanttView canvas(state);
        const Picture picture = shown(canvas, views);
        const auto x = [&](std::size_t group, double relative_ns) {
            return picture.xOf(picture.groups[group],
                               views[group].start_ns + static_cast<std::int64_t>(relative_ns));
        };
        QVERIFY(std::abs(x(0, own) - x(1, its)) < 1e-3);
        QVERIFY(std::abs(x(0, own) - picture.axis.toPx(own)) < 1e-3);  // the ruler is this iteration's
        const TimeRange all = canvas.fitRange();
        for (std::size_t group = 0; group < 2; ++group)
            for (const Event& event : operations(views[group])) {
                const double start = picture.groups[group].onAxis(event.start_ns),
                             end = picture.groups[group].onAxis(event.end_ns);
                QVERIFY(start >= all.from_ns && end <= all.to_ns);
                // A click there is on this very box.
                const Lane& lane = picture.layout.groups[group][static_cast<std::size_t>(event.rank)];
                const Hit hit =
                    hitTest(picture, {picture.axis.toPx((start + end) / 2), lane.box.center().y()});
                QCOMPARE(hit.part, Hit::Part::Box);
                QCOMPARE(hit.group, static_cast<int>(group));
                QVERIFY(hit.event == event);
            }
        const QString meaning = alignmentMeaning(*views[1].beside, picture.notation);
        QVERIFY2(meaning.contains(picture.notation.duration(std::abs(own - its))), qPrintable(meaning));
        QVERIFY(meaning.contains(own > its ? "later" : "earlier"));
    }

    void byTimeBothBeginAtNought() {
        const auto views = pinned(sampleView(), Alignment::Start).with(another(), 0);
        QCOMPARE(views.size(), std::size_t{2});
        QCOMPARE(views[1].shift_ns(), 0);
    }

    // A micro-batch that only one of them has.
    void whatHasNoInstantIsAlignedByItsStart() {
        SampleOptions few;
        few.m = 4;
        const auto views = pinned(sampleView(few), Alignment::Microbatch).with(another(), 6);
        QVERIFY(!views[1].beside->has_anchor);
        QCOMPARE(views[1].shift_ns(), 0);
        QVERIFY(alignmentMeaning(*views[1].beside, {}).contains("no such instant"));
    }

    // Of an iteration that runs the plan says when it will come so far.
    void aRunningIterationIsAlignedByItsPlan() {
        SampleOptions begun;
        begun.until = 0.1;
        const IterationView now = sampleView(begun);
        const auto views = pinned(sampleView(), Alignment::LastForward).with(now, 0);
        std::int64_t planned = 0;
        for (int rank = 0; rank < now.planned->ranks(); ++rank)
            for (const Event& event : now.planned->compute(rank))
                if (event.op == Op::Forward) planned = std::max(planned, event.end_ns);
        QCOMPARE(
            static_cast<double>(views[1].shift_ns()),
            static_cast<double>(planned - now.start_ns) - instant(sampleView(), Alignment::LastForward, 0));
    }

    void nothingIsComparedWithItselfOrWithOtherStages() {
        const Baseline baseline = pinned(sampleView(), Alignment::Start);
        const auto itself = baseline.with(sampleView(), 0);
        QCOMPARE(itself.size(), std::size_t{1});
        QVERIFY(!itself.front().compared);
        SampleOptions wide;
        wide.p = 8;
        const auto other = baseline.with(another(wide), 0);
        QCOMPARE(other.size(), std::size_t{2});
        QVERIFY(!other.front().compared);
        QVERIFY(baseline.with(another(), 0).front().compared);
        QVERIFY(!Baseline().with(another(), 0).front().compared);
    }

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
        QVERIFY2(card(1, 3).contains("in the baseline #37 as long"), qPrintable(card(1, 3)));
    }

    // A measured range is the same stretch of the axis in both: of the baseline, what lies there.
    void aRangeIsReadWhereItLies() {
        SampleOptions gpipe;
        gpipe.schedule = "gpipe";
        const IterationView base = sampleView(gpipe);
        const auto views = pinned(base, Alignment::FirstBackward).with(another(), 0);
        const double shift = static_cast<double>(views[1].shift_ns());
        QVERIFY(shift != 0);
        ViewState state;
        GanttView canvas(state);
        shown(canvas, views);
        state.setMeasured(TimeRange{40e6, 90e6});
        const auto beside = canvas.picture().readings[1];
        canvas.setStacked({base});
        state.setMeasured(TimeRange{40e6 - shift, 90e6 - shift});
        const auto alone = canvas.picture().readings[0];
        QVERIFY(beside && alone);
        QVERIFY(beside->numbers == alone->numbers);
        QVERIFY(alone->numbers.all.busy_ns > 0);
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
        QVERIFY(state.range().width() < 0.6 * picture.axis.range.width());
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

    // A gap of the pinned iteration is a thing like the others: a click selects it, the numbers tell its
    // causes and its chain, keys walk them, in either place and order.
    void gapsOfTheBaselineHaveReasons_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<bool>("swapped");
        for (const bool swapped : {false, true}) {
            QTest::addRow("below %d", swapped) << int(BaselinePlace::Below) << swapped;
            QTest::addRow("side by side %d", swapped) << int(BaselinePlace::SideBySide) << swapped;
        }
    }
    void gapsOfTheBaselineHaveReasons() {
        QFETCH(int, place);
        QFETCH(bool, swapped);
        Preferences before;
        before.baseline = {static_cast<BaselinePlace>(place), Alignment::LastForward};
        WatchedWindow o(book_, before);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(3);
        o.session().select(2);
        GanttView& canvas = canvasOf(o.window);
        QTRY_COMPARE(canvas.views().front().iteration, 2);
        part<TimelineController>(o.window).baselines().layBeside(0);
        if (swapped) QTest::keyClick(&canvas, Qt::Key_X);
        QCOMPARE(canvas.views().size(), std::size_t{2});
        const std::size_t of = swapped ? 0 : 1;
        const PreparedView& group = canvas.picture().groups[of];
        QVERIFY(group.isBaseline() && group.view().iteration == 0);
        const std::vector<GapSelection> gaps = gapsBySize(group);
        QVERIFY(gaps.size() > 1);
        const IdlePeriod period = *gapOf(group, gaps.front());
        const Gap expected = *group.gapOf(period);
        const LaneLayout& layout = canvas.picture().layout;
        const double middle = (group.onAxis(period.start_ns) + group.onAxis(period.end_ns)) / 2;
        const QPointF at(
            layout.leftOf(layout.columnOf(static_cast<int>(of))) + canvas.picture().axis.toPx(middle),
            layout.groups[of][static_cast<std::size_t>(gaps.front().rank)].box.center().y());
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
        QVERIFY(state(canvas).gap() == gaps.front());
        QCOMPARE(canvas.picture().selected_group, of);
        const std::vector<Reason> chain = group.causes()->reasons(expected);
        QCOMPARE(canvas.picture().chain.size(), chain.size());
        DetailSection& detail = part<NumbersDock>(o.window).detail();
        QVERIFY(detail.gap().isVisibleTo(&detail));
        QVERIFY2(detail.aside()->text().contains("baseline #1"), qPrintable(detail.aside()->text()));
        const QString told =
            sentencesText(gapSentences(group, canvas.picture().notation, gaps.front().rank, period));
        QCOMPARE(detail.gap().sentence(), told);
        QCOMPARE(detail.gap().chain().rows().size(), chain.size());
        // To the next smaller gap of the same iteration, and back along its chain.
        QTest::keyClick(&canvas, Qt::Key_Semicolon);
        QVERIFY(state(canvas).gap() == gaps[1]);
        QTest::keyClick(&canvas, Qt::Key_BracketLeft);
        QCOMPARE(state(canvas).link(), std::optional(0));
        // Measured where it lies on the axis.
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
        QTest::keyClick(&canvas, Qt::Key_R);
        QVERIFY(state(canvas).measured());
        QCOMPARE(state(canvas).measured()->from_ns, canvas.picture().groups[of].onAxis(period.start_ns));
        // Of a baseline that is none any more nothing is told.
        QTest::keyClick(&canvas, Qt::Key_N);
        QVERIFY(!detail.gap().isVisibleTo(&detail));
    }

    // A box of the pinned iteration is told from its events.
    void boxesOfTheBaselineAreTold() {
        Preferences before;
        before.baseline = {BaselinePlace::SideBySide, Alignment::Start};
        WatchedWindow o(book_, before);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(3);
        o.session().select(2);
        GanttView& canvas = canvasOf(o.window);
        QTRY_COMPARE(canvas.views().front().iteration, 2);
        part<TimelineController>(o.window).baselines().layBeside(0);
        const PreparedView& group = canvas.picture().groups[1];
        const Event box = group.ran(1)[2];
        const LaneLayout& layout = canvas.picture().layout;
        const QPointF at(
            layout.leftOf(1) + canvas.picture().axis.toPx(group.onAxis((box.start_ns + box.end_ns) / 2)),
            layout.groups[1][1].box.center().y());
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
        QVERIFY(state(canvas).selection() == selectionOf(box, true));
        const DetailSection& detail = part<NumbersDock>(o.window).detail();
        const QString from = canvas.picture().notation.number(group.relative(box.start_ns));
        QVERIFY2(detail.sentence().contains(from), qPrintable(detail.sentence()));
    }

    void theSameIterationTwiceIsSaidSo() {
        WatchedWindow o(book_);
        o.attach(wire::RUNNING);
        o.run(2);
        o.session().select(1);
        QTRY_COMPARE(canvasOf(o.window).views().front().iteration, 1);
        part<TimelineController>(o.window).baselines().layBeside(1);
        QCOMPARE(canvasOf(o.window).views().size(), std::size_t{1});
        const QString said = part<BriefNotice>(o.window).text();
        QVERIFY2(said.contains("is the baseline, and the one on the canvas"), qPrintable(said));
    }

    // Two iterations of one run, chosen in the strip; keys, chip and menu; kept for the next start.
    void twoIterationsOfOneRun() {
        Preferences before;
        before.baseline = {BaselinePlace::Hidden, Alignment::FirstBackward};
        before.changes = true;
        WatchedWindow o(book_, before);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(4);
        o.session().select(3);
        const auto views = [&] { return canvasOf(o.window).views(); };
        QTRY_COMPARE(views().front().iteration, 3);
        auto& strip = part<IterationStrip>(o.window);
        QTest::mouseClick(&strip, Qt::LeftButton, Qt::ControlModifier, strip.barRect(1).center().toPoint());
        QCOMPARE(views().size(), std::size_t{2});
        QCOMPARE(views()[0].iteration, 3);
        QCOMPARE(views()[1].iteration, 1);
        QCOMPARE(views()[1].beside->alignment, Alignment::FirstBackward);
        QVERIFY(views()[0].compared);
        QVERIFY(canvasOf(o.window).state().layers().changes);
        QCOMPARE(part<TimelineController>(o.window).viewsToExport().size(), std::size_t{2});
        // Each alignment says by which instant, and the chip goes on to the next one.
        const auto chip = [&] { return canvasOf(o.window).titleChips().front(); };
        QVERIFY(chip()->isVisible());
        QVERIFY2(chip()->toolTip().contains("no rank ends its warm-up before"),
                 qPrintable(chip()->toolTip()));
        QTest::mouseClick(chip(), Qt::LeftButton);
        QCOMPARE(views()[1].beside->alignment, Alignment::LastForward);
        QVERIFY(chip()->toolTip().contains("no rank begins its cool-down later"));
        // Zoom and selection are those of both.
        canvasOf(o.window).zoomBy(0.5);
        QCOMPARE(views().size(), std::size_t{2});
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X, Qt::ShiftModifier);
        QCOMPARE(views().size(), std::size_t{1});
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X, Qt::ShiftModifier);
        QCOMPARE(views().size(), std::size_t{2});
        // Side by side, in place of below.
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(canvasOf(o.window).picture().layout.columns, 2);
        QCOMPARE(part<TimelineController>(o.window).viewsToExport()[1].beside->in_columns, true);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X);
        QCOMPARE(views()[0].iteration, 1);
        QCOMPARE(views()[1].iteration, 3);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_X, Qt::ShiftModifier);
        QCOMPARE(canvasOf(o.window).picture().layout.columns, 1);
        QCOMPARE(views().size(), std::size_t{2});
        QTest::keyClick(&canvasOf(o.window), Qt::Key_T, Qt::ShiftModifier);
        QVERIFY(!canvasOf(o.window).state().layers().changes);
        QTest::keyClick(&canvasOf(o.window), Qt::Key_N);
        QCOMPARE(views().size(), std::size_t{1});
        o.window.close();
        const Preferences after = Preferences::load();
        QVERIFY((after.baseline == BaselineLook{BaselinePlace::Below, Alignment::LastForward}));
        QVERIFY(!after.changes);
    }

    // Of the selected micro-batch, and of the last one when nothing is selected any more.
    void theSelectedMicrobatchIsAligned() {
        Preferences before;
        before.baseline = {BaselinePlace::Below, Alignment::Microbatch};
        WatchedWindow o(book_, before);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(2);
        o.session().select(1);
        GanttView& canvas = canvasOf(o.window);
        QTRY_COMPARE(canvas.views().front().iteration, 1);
        part<TimelineController>(o.window).baselines().layBeside(0);
        QCOMPARE(canvas.views().size(), std::size_t{2});
        for (const Event& event : operations(canvas.views()[0]))
            if (event.microbatch == 4) {
                canvas.state().select(selectionOf(event));
                break;
            }
        QCOMPARE(canvas.views()[1].beside->microbatch, 4);
        canvas.state().select(std::nullopt);
        QCOMPARE(canvas.views()[1].beside->microbatch, 4);
    }
};

QTEST_MAIN(TestBeside)
#include "tst_beside.moc"
