// An iteration and its baseline on one time axis: where the boxes stand by each alignment, ranges and gaps,
// and what is said of both, in the window and in exported pictures, against the events.
#include <QTest>

#include "app/window/main_window.h"
#include "paint_recorder.h"
#include "pinned_baseline.h"
#include "registered_test.h"
#include "reported_view.h"
#include "view/gap.h"
#include "watched_window.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/figure/caption.h"
#include "widgets/picture/gap_words.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/alignment_text.h"
#include "widgets/text/format.h"
#include "widgets/text/iteration_name.h"

namespace tst_beside {

using namespace bscope;
using namespace bscope::ui;

class TestBeside : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

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
        QVERIFY(alignmentMeaning(*views[1].beside, {}).contains("no such point"));
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

    // One iteration in two files is two iterations, each called by its file.
    void timesOfTwoFilesAreDistinguished() {
        IterationView base = sampleView(), now = sampleView();
        base.file = "/runs/night.bscope";
        now.file = "/runs/day.bscope";
        const Baseline baseline = pinned(base, Alignment::Start);
        const auto views = baseline.with(now, 0);
        QCOMPARE(views.size(), std::size_t{2});
        QCOMPARE(iterationName(views[0], views[0].beside->other_file), QStringLiteral("day #37"));
        QCOMPARE(iterationName(views[1], views[1].beside->other_file), QStringLiteral("night #37"));
        QVERIFY(baseline.comparedWith(now).startsWith("baseline night #37: "));
        QCOMPARE(baseline.comparedWith(base), QStringLiteral("baseline #37: this iteration"));
        // While the next one runs its numbers stand beside it, but it is not what is seen.
        QCOMPARE(baseline.comparedWith(base, {}, true),
                 QStringLiteral("baseline #37: the last complete iteration"));
        const std::vector<PreparedView> groups(views.begin(), views.end());
        const QString caption = captionText(groups, {}, QDate(2026, 1, 1));
        QVERIFY2(caption.contains("This, day, 1F1B: ") && caption.contains("Baseline, night, 1F1B: "),
                 qPrintable(caption));
        base.file.clear();  // live
        QCOMPARE(pinned(base, Alignment::Start).comparedWith(now).first(14),
                 QStringLiteral("baseline #37: "));
        const QString name = iterationName(3, "/runs/" + std::string(40, 'x') + "end.bscope", {});
        QVERIFY2(name.size() == 24 + 3 && name.endsWith("xend #3"), qPrintable(name));
    }

    // A difference that iterations like these two show by themselves is none.
    void whatIterationsScatterByIsNoDifference() {
        SampleOptions slower;
        slower.pace = 1.02;
        IterationView base = reportedView({}), now = reportedView(slower);
        now.iteration = 50;
        const double base_ms = base.report->iteration_ms, now_ms = now.report->iteration_ms;
        std::vector<IterationBar> bars;
        const auto add = [&](int iteration, double ms, int since) {
            IterationBar bar;
            bar.iteration = iteration;
            bar.iteration_ms = ms;
            bar.bubble_of_total = 0.3 * ms / base_ms;
            bar.since = since;
            bars.push_back(bar);
        };
        for (int i = 0; i < 6; ++i) add(36 + i, base_ms * (i == 0 ? 1 : 0.8 + 0.1 * i), 36);
        for (int i = 0; i < 6; ++i) add(50 + i, now_ms * (i == 0 ? 1 : 0.8 + 0.1 * i), 50);
        Baseline baseline;
        baseline.pin(base, bars);
        const QString noisy = baseline.comparedWith(now, bars);
        QCOMPARE(noisy.count("no difference (within"), 2);  // of the bubble, and of the speed
        // On a busy machine all iterations are disturbed: single durations say nothing of noise then,
        // calibrated ones do.
        for (IterationBar& bar : bars) bar.disturbance = Disturbance::Operations;
        baseline.pin(base, bars);
        QVERIFY(baseline.comparedWith(now, bars).contains("noise unknown"));
        base.config.durations = now.config.durations = Durations::Calibrated;
        baseline.pin(base, bars);
        QCOMPARE(baseline.comparedWith(now, bars).count("no difference (within"), 2);
        baseline.pin(base);
        QVERIFY(!baseline.comparedWith(now).contains("no difference"));  // one of each says nothing of noise
        bars.clear();
        for (int i = 0; i < 6; ++i) add(36 + i, base_ms * (1 + 0.001 * i), 36);
        for (int i = 0; i < 6; ++i) add(50 + i, now_ms * (i == 0 ? 1 : 1.5 + 0.001 * i), 50);
        baseline.pin(base, bars);
        QVERIFY(!baseline.comparedWith(now, bars).contains("no difference"));
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
        const QString reported =
            sentencesText(gapSentences(group, canvas.picture().notation, gaps.front().rank, period));
        QCOMPARE(detail.gap().sentence(), reported);
        // Messages that take no time are steps of [ and ], but no rows.
        const auto takes_none = [](const Reason& reason) {
            return reason.kind == Reason::Kind::Message && reason.end_ns == reason.start_ns;
        };
        const std::ptrdiff_t none = std::ranges::count_if(chain, takes_none);
        QVERIFY(none > 0);
        const std::vector<FigureRow>& rows = detail.gap().chain().rows();
        QCOMPARE(std::ssize(rows), std::ssize(chain) - none);
        state(canvas).setLink(static_cast<int>(std::ranges::find_if(chain, takes_none) - chain.begin()));
        QCOMPARE(std::ranges::count(detail.gap().chain().rows(), FigureRow::Look::Accent, &FigureRow::look), 1);
        state(canvas).setLink(std::nullopt);
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
        // A baseline that was unpinned is not mentioned.
        QTest::keyClick(&canvas, Qt::Key_N);
        QVERIFY(!detail.gap().isVisibleTo(&detail));
    }

    // A box of the pinned iteration is described from its events.
    void boxesOfTheBaselineAreReported() {
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
        before.layers.changes = true;
        WatchedWindow o(book_, before);
        o.config.params.m = 6;
        o.attach(wire::RUNNING);
        o.run(4);
        o.session().select(3);
        const auto views = [&] { return canvasOf(o.window).views(); };
        QTRY_COMPARE(views().front().iteration, 3);
        auto& strip = part<IterationStrip>(o.window);
        QTRY_VERIFY(!strip.barRect(1).isEmpty() && !strip.barRect(3).isEmpty());
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
        QVERIFY2(chip()->toolTip().contains("no rank ends its warm-up earlier"),
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
        QVERIFY(!after.layers.changes);
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

BUBBLESCOPE_WINDOW_TEST(TestBeside)

}  // namespace tst_beside

#include "tst_beside.moc"
