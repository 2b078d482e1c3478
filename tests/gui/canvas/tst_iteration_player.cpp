// Playing one iteration: what it shows at a time is what had happened by then, stepping goes from the end of
// one operation to the next, the ruler draws the time, and other iterations end it: of a live history, a
// recording, an import and a plan.
#include <QSignalSpy>
#include <QTest>

#include "app/timeline/iteration_player.h"
#include "fake_engine.h"
#include "registered_test.h"
#include "sample_view.h"
#include "timeline/iteration_events.h"
#include "view/played_view.h"
#include "watched_window.h"
#include "widgets/dock/numbers_dock.h"

namespace tst_iteration_player {

using namespace bscope;
using namespace bscope::ui;

class TestIterationPlayer : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static std::vector<std::int64_t> endsOf(const IterationView& view) {
        std::set<std::int64_t> ends;
        const Timeline& events = view.ran->empty() ? *view.planned : *view.ran;
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& event : ofIteration(events.compute(rank), view.iteration))
                ends.insert(event.end_ns - view.start_ns);
        return {ends.begin(), ends.end()};
    }
    static std::size_t boxesOf(const PreparedView& group) {
        std::size_t boxes = 0;
        for (int rank = 0; rank < group.lanes(); ++rank) boxes += group.ran(rank).size();
        return boxes;
    }
    static std::size_t endedBy(const IterationView& view, std::int64_t time_ns) {
        std::size_t ended = 0;
        const Timeline& events = view.ran->empty() ? *view.planned : *view.ran;
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& event : ofIteration(events.compute(rank), view.iteration))
                ended += event.end_ns - view.start_ns <= time_ns ? 1 : 0;
        return ended;
    }
    // Keys and mouse, as a person would; `whole` is what the canvas showed.
    static void walk(MainWindow& window) {
        GanttView& canvas = canvasOf(window);
        IterationPlayer& player = part<TimelineController>(window).player();
        const IterationView whole = canvas.views().front();
        const std::vector<std::int64_t> ends = endsOf(whole);
        QVERIFY(ends.size() > 4 && !player.active());
        for (std::size_t step = 0; step < 4; ++step) {
            QTest::keyClick(&window, Qt::Key_Period, Qt::AltModifier);
            QVERIFY(player.active() && !player.playing());
            QCOMPARE(player.time_ns(), ends[step]);
            QCOMPARE(boxesOf(canvas.picture().groups.front()), endedBy(whole, ends[step]));
        }
        QTest::keyClick(&window, Qt::Key_Comma, Qt::AltModifier);
        QCOMPARE(player.time_ns(), ends[2]);
        // Drawn along the ruler: up to where the pointer is.
        const QRectF ruler = canvas.picture().layout.ruler;
        const QPoint from(static_cast<int>(ruler.left()) + 20, static_cast<int>(ruler.center().y())),
            to(static_cast<int>(ruler.center().x()), from.y());
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
        const double at = canvas.picture().axis.toNs(to.x());
        QVERIFY(std::abs(static_cast<double>(player.time_ns()) - at) < 2);
        QVERIFY(!canvas.state().measured());
        QCOMPARE(boxesOf(canvas.picture().groups.front()), endedBy(whole, player.time_ns()));
        // Played on from there; at the end all of it is there again.
        QTest::keyClick(&window, Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(player.playing());
        const std::int64_t before = player.time_ns();
        player.advance(IterationPlayer::kWholeTakes_ms / 100);
        QVERIFY(player.time_ns() > before);
        QTest::keyClick(&window, Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(player.active() && !player.playing());
        // Space pauses what is played, not the run, and Esc leaves it.
        const SessionState state = part<Session>(window).state();
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(player.playing());
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(player.active() && !player.playing());
        QCOMPARE(part<Session>(window).state(), state);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(!player.active());
        player.scrub(static_cast<double>(ends[2]));
        QVERIFY(player.active());
        QTest::keyClick(&window, Qt::Key_P, Qt::ShiftModifier);
        player.advance(IterationPlayer::kWholeTakes_ms);
        QVERIFY(!player.active());
        QVERIFY(isSameIteration(canvas.views().front(), whole) && canvas.views().front().now_ns < 0);
        // The chip ends it, too.
        QTest::keyClick(&window, Qt::Key_Comma, Qt::AltModifier);
        QVERIFY(player.active());
        QCOMPARE(player.time_ns(), ends[ends.size() - 2]);
        const std::vector<Button*> chips = canvas.titleChips();
        const auto chip =
            std::ranges::find_if(chips, [](const Button* each) { return each->toolTip().contains("Alt+."); });
        QVERIFY(chip != chips.end());
        QTest::mouseClick(*chip, Qt::LeftButton);
        QVERIFY(!player.active());
        QCOMPARE(boxesOf(canvas.picture().groups.front()),
                 whole.ran->empty() ? 0 : endedBy(whole, ends.back()));
    }

    // The last one of what is being opened.
    static void walkLast(MainWindow& window) {
        Session& session = part<Session>(window);
        QTRY_VERIFY_WITH_TIMEOUT(session.state() == SessionState::Replaying && !session.bars().empty(),
                                 kEngineMs);
        session.replayer().setPlaying(false);
        session.select(session.bars().back().iteration);
        QTRY_VERIFY(canvasOf(window).views().front().report);
        walk(window);
    }
    QString recorded() const {
        const QString path = folder_.filePath(QStringLiteral("run.bscope"));
        recordPlayed(path, {}, 3);
        return path;
    }
    QTemporaryDir folder_;

private slots:
    void initTestCase() {
        OpenedWindow::useTestSettings();
        qputenv("BSCOPE", BUBBLESCOPE_BIN_DIR "/bscope");
    }

    void anIterationOfALiveHistory() {
        WatchedWindow o(book_);
        o.attach(wire::RUNNING);
        o.run(3);
        o.session().select(1);
        QTRY_COMPARE(canvasOf(o.window).views().front().iteration, 1);
        walk(o.window);
        // Training goes on behind it, and does not end it; another iteration does.
        QTest::keyClick(&o.window, Qt::Key_Period, Qt::AltModifier);
        IterationPlayer& player = part<TimelineController>(o.window).player();
        o.engine.iteration(o.config, 3, o.end_ns);
        QTRY_COMPARE(o.session().history().newestComplete(), 3);
        QVERIFY(player.active());
        QCOMPARE(canvasOf(o.window).views().front().iteration, 1);
        QVERIFY(part<NumbersDock>(o.window).shown()->view().report);  // numbers are of the whole
        o.session().select(2);
        QTRY_COMPARE(canvasOf(o.window).views().front().iteration, 2);
        QVERIFY(!player.active());
    }

    void anIterationOfARecording() {
        OpenedWindow o(book_);
        Session& session = part<Session>(o.window);
        session.openRecording(recorded());
        walkLast(o.window);
    }

    void anIterationOfAnImport() {
        OpenedWindow o(book_);
        o.window.openFiles({QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/primus-pp8")});
        walkLast(o.window);
    }

    void aPlan() {
        OpenedWindow o(book_);
        QVERIFY(canvasOf(o.window).views().front().ran->empty());
        walk(o.window);
    }

    // Nothing of it ran: dashed and pale, also up to where it is played.
    void aPlayedPlanIsNotDrawnAsWhatRan() {
        const auto pixelsOf = [](MainWindow& window, const QColor& colour) {
            const QImage image = canvasOf(window).grab().toImage();
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) pixels += image.pixel(x, y) == colour.rgb();
            return pixels;
        };
        const QColor fill = currentTheme().fill(Op::Forward);
        {
            OpenedWindow o(book_);
            part<TimelineController>(o.window).player().scrub(1e18);  // all but its end
            QVERIFY(part<TimelineController>(o.window).player().active());
            QVERIFY(boxesOf(canvasOf(o.window).picture().groups.front()) > 4);
            QTRY_VERIFY(pixelsOf(o.window, mixed(fill, currentTheme().canvas, 0.5)) > 0);
            QCOMPARE(pixelsOf(o.window, fill), 0);
        }
        WatchedWindow ran(book_);
        ran.attach(wire::RUNNING);
        ran.run(2);
        ran.session().select(1);
        QTRY_COMPARE(canvasOf(ran.window).views().front().iteration, 1);
        QTRY_VERIFY(pixelsOf(ran.window, fill) > 0);
    }

    // What still runs cannot be played yet.
    void whatRunsIsNotPlayed() {
        SampleOptions half;
        half.until = 0.5;
        IterationPlayer player(nullptr);
        player.offer(sampleView(half));
        QVERIFY(!player.canPlay());
        player.toggle();
        player.step(+1);
        player.scrub(1e6);
        QVERIFY(!player.active());
        player.offer(sampleView());
        QVERIFY(player.canPlay());
        player.step(+1);
        QVERIFY(player.active());
        player.offer(sampleView(half));  // another took its place
        QVERIFY(!player.active());
    }

    // One micro-batch a beat, smoothly or, with less motion, beat by beat.
    void itPlaysMicrobatchByMicrobatch() {
        IterationPlayer player(nullptr);
        const IterationView whole = sampleView();
        player.offer(whole);
        const std::int64_t end_ns = endsOf(whole).back();
        const std::vector<std::int64_t> beats = microbatchEnds(whole);
        QCOMPARE(beats.size(), std::size_t(8));
        player.beat(+1);
        QCOMPARE(player.time_ns(), beats[0]);
        player.beat(+1);
        player.beat(-1);
        QCOMPARE(player.time_ns(), beats[0]);
        player.leave();
        player.setPace(IterationPlayer::Pace::OneASecond);
        player.scrub(0);
        player.toggle();
        const std::int64_t begun_ns = player.time_ns();
        player.advance(1000);
        QVERIFY(std::abs(player.time_ns() - begun_ns - end_ns / 8) < 2);
        player.setInBeats(true);
        for (int quarter = 0; player.active() && quarter < 80; ++quarter) {
            const std::int64_t before_ns = player.time_ns();
            player.advance(250);
            if (player.active() && player.time_ns() != before_ns)
                QVERIFY(std::ranges::count(beats, player.time_ns()) == 1);
        }
        QVERIFY(!player.active());
    }

    // The view at a time is that of an iteration that ran so far, for every time.
    void theViewIsWhatHadHappened() {
        const IterationView whole = sampleView();
        IterationPlayer player(nullptr);
        player.offer(whole);
        const std::vector<std::int64_t> ends = endsOf(whole);
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            player.scrub(static_cast<double>(ends[i]));
            const PreparedView group(player.view());
            QVERIFY(group.running());
            QCOMPARE(boxesOf(group), endedBy(whole, ends[i]));
            for (int rank = 0; rank < group.lanes(); ++rank)
                for (const MemoryPoint& point : group.memory(rank))
                    QVERIFY(point.time_ns - whole.start_ns <= ends[i]);
            QVERIFY(group.numbers() == nullptr);
        }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestIterationPlayer)

}  // namespace tst_iteration_player

#include "tst_iteration_player.moc"
