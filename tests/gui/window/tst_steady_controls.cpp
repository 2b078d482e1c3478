// While a configuration is set anew (start, lesson, restart, connection) nothing flashes: whatever is painted
// of the tool bar, the legend, the strips and the bars has its place and room for its words, no button shows
// a state between two others, and nothing appears for a moment.
#include <QLayout>
#include <QTest>
#include <QToolButton>

#include "app/lessons/lesson_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "paint_recorder.h"
#include "registered_test.h"
#include "watched_window.h"

namespace tst_steady_controls {

using namespace bscope;
using namespace bscope::ui;

namespace {

// Looks at every widget of a window when it is painted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(MainWindow& window) : window_(window) { qApp->installEventFilter(this); }

    QStringList cut;         // painted with less room than its words need
    QStringList run_button;  // its words as they were painted, each change once
    QStringList appeared;    // strips, bars and chips that were painted
    bool step_enabled = false;

    bool eventFilter(QObject* object, QEvent* event) override {
        auto* widget = event->type() == QEvent::Paint ? qobject_cast<QWidget*>(object) : nullptr;
        if (widget == nullptr || widget->window() != &window_) return false;
        look(widget);
        return false;
    }

private:
    void look(QWidget* widget) {
        ControlBar& bar = part<ControlBar>(window_);
        const QWidget* parent = widget->parentWidget();
        auto* button = qobject_cast<QAbstractButton*>(widget);
        const bool in_legend = parent != nullptr && parent->objectName() == u"legendBar";
        const bool whole = button != nullptr && button != bar.setupButton() && (in_legend || parent == &bar);
        if (whole && widget->width() < widget->sizeHint().width())
            cut << QStringLiteral("%1: %2 of %3")
                       .arg(button->text())
                       .arg(widget->width())
                       .arg(widget->sizeHint().width());
        if (whole && in_legend && widget->x() < parent->layout()->contentsMargins().left())
            cut << button->text() + QStringLiteral(" has no place yet");
        if (button == bar.runButton() && (run_button.isEmpty() || run_button.last() != button->text()))
            run_button << button->text();
        if (button == bar.stepButton()) step_enabled = step_enabled || button->isEnabled();
        for (const auto& [part, name] : std::initializer_list<std::pair<QWidget*, const char*>>{
                 {&part<PendingStrip>(window_), "pending strip"},
                 {&part<FailureBar>(window_), "failure bar"},
                 {bar.pendingChip(), "pending chip"},
                 {bar.problemChip(), "problem chip"}})
            if (widget == part) appeared << QString::fromLatin1(name);
    }

    MainWindow& window_;
};

}  // namespace

class TestSteadyControls : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    static void widths() {
        QTest::addColumn<int>("width");
        for (const int width : {1024, 1280, 1440, 1920}) QTest::addRow("%d", width) << width;
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void startLessonAndRestart() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        window.resize(1280, 800);
        session.edit(smallRun());
        QTRY_VERIFY(window.width() == 1280 &&
                    !part<ControlBar>(window).runButton()->visibleRegion().isEmpty());
        {
            PaintWatch start(window);
            session.run();
            QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() >= 2, kEngineMs);
            QVERIFY2(start.cut.isEmpty(), qPrintable(start.cut.join(" | ")));
            QVERIFY2(start.appeared.isEmpty(), qPrintable(start.appeared.join(" | ")));
            QVERIFY(!start.step_enabled);
            QVERIFY2(!start.run_button.contains("Run"), qPrintable(start.run_button.join(" | ")));
        }
        {
            PaintWatch lesson(window);
            window.showView(MainView::Lessons);
            part<LessonController>(window).openFirst();
            QTRY_VERIFY_WITH_TIMEOUT(session.effective() == session.wanted() && !session.pending() &&
                                         !(session.wanted() == smallRun()),
                                     kEngineMs);
            const int now = session.history().newestComplete();
            QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() != now, kEngineMs);
            QVERIFY2(lesson.cut.isEmpty(), qPrintable(lesson.cut.join(" | ")));
            QVERIFY2(lesson.appeared.isEmpty(), qPrintable(lesson.appeared.join(" | ")));
            QVERIFY(!lesson.step_enabled);
            QCOMPARE(lesson.run_button, QStringList{"Pause"});
        }
        {
            PaintWatch back(window);
            window.showView(MainView::Timeline);
            QTRY_VERIFY_WITH_TIMEOUT(
                session.effective() == smallRun() && session.state() == SessionState::Running, kEngineMs);
            const int now = session.history().newestComplete();
            QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() > now, kEngineMs);
            QVERIFY2(back.cut.isEmpty(), qPrintable(back.cut.join(" | ")));
            QVERIFY2(back.appeared.isEmpty(), qPrintable(back.appeared.join(" | ")));
        }
        {
            PaintWatch restart(window);  // from the state that was set aside for the lesson
            session.startEngine(true);
            QTRY_COMPARE_WITH_TIMEOUT(session.state(), SessionState::Running, kEngineMs);
            const int now = session.history().newestComplete();
            QTRY_VERIFY_WITH_TIMEOUT(session.history().newestComplete() > now, kEngineMs);
            QVERIFY2(restart.cut.isEmpty(), qPrintable(restart.cut.join(" | ")));
            QVERIFY2(restart.appeared.isEmpty(), qPrintable(restart.appeared.join(" | ")));
            QVERIFY(!restart.step_enabled);
            QVERIFY2(!restart.run_button.contains("Run"), qPrintable(restart.run_button.join(" | ")));
        }
    }

    // An engine that was requested to run is starting until it reports that it runs.
    void anEngineThatIsStartingIsNotReady() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        FakeEngine engine;
        session.connectTo(EngineAddress{"127.0.0.1", engine.port(), {}}, false);
        session.run();
        QTRY_VERIFY(engine.hasViewer());
        PaintWatch watch(window);
        engine.hello(smallRun());
        QTRY_VERIFY(engine.last(wire::Message::kControl) != nullptr);
        QCOMPARE(engine.last(wire::Message::kControl)->control().verb(), wire::Control::RUN);
        QCOMPARE(session.state(), SessionState::Starting);
        engine.status(wire::IDLE);
        engine.status(wire::STARTING);
        engine.status(wire::RUNNING);
        QTRY_COMPARE(session.state(), SessionState::Running);
        QTRY_VERIFY(!watch.run_button.isEmpty() && watch.run_button.last() == "Pause");
        QVERIFY2(!watch.run_button.contains("Run"), qPrintable(watch.run_button.join(" | ")));
        QVERIFY(!watch.step_enabled);

        // The strip has no bar for an iteration that has not begun, and numbers from 1.
        PaintRecorder strip(part<IterationStrip>(window).size());
        part<IterationStrip>(window).render(&strip);
        QVERIFY(!strip.texts.empty());
        for (const PaintRecorder::Text& text : strip.texts) QVERIFY(text.text != "0");

        engine.status(wire::PAUSED);
        QTRY_COMPARE(session.state(), SessionState::Paused);
    }

    // What the hand aims at stands still: three clicks at one place of the screen are three steps of m, while
    // the first of them already waits for its iteration.
    void threeClicksAtOnePlaceAreThreeSteps_data() { widths(); }
    void threeClicksAtOnePlaceAreThreeSteps() {
        QFETCH(int, width);
        WatchedWindow watched(book_);
        watched.window.resize(width, 800);
        watched.config.params.m = 9;
        watched.attach(wire::RUNNING);
        watched.run(2);
        const ControlBar& bar = part<ControlBar>(watched.window);
        QTRY_COMPARE(bar.m()->number(), 9);
        const QPoint arrow = bar.m()->mapTo(&watched.window, QPoint(bar.m()->width() - 8, 7));
        for (int click = 1; click <= 3; ++click) {
            QWidget* there = watched.window.childAt(arrow);
            QVERIFY(there != nullptr);
            QTest::mouseClick(there, Qt::LeftButton, {}, there->mapFrom(&watched.window, arrow));
            QTRY_COMPARE(watched.session().wanted().params.m, 9 + click);
            QTRY_VERIFY(watched.engine.last(wire::Message::kConfigure) != nullptr &&
                        watched.engine.last(wire::Message::kConfigure)->configure().config().m() ==
                            9 + click);
            watched.engine.accept(watched.engine.last(wire::Message::kConfigure)->configure().request(), 3);
            QTRY_VERIFY(bar.pendingChip()->isVisible());
        }
        QCOMPARE(bar.m()->number(), 12);
        QCOMPARE(bar.v()->number(), 1);
        QCOMPARE(bar.p()->number(), 4);
    }

    // No part of the bar, and nothing below it, has another place while it runs, stands, waits for a change
    // or is illegal.
    void everyPartOfTheBarKeepsItsPlace_data() { widths(); }
    void everyPartOfTheBarKeepsItsPlace() {
        QFETCH(int, width);
        WatchedWindow watched(book_);
        watched.window.resize(width, 800);
        watched.attach(wire::IDLE);
        ControlBar& bar = part<ControlBar>(watched.window);
        const auto places = [&] {
            QStringList all{QStringLiteral("canvas %1")
                                .arg(canvasOf(watched.window).mapTo(&watched.window, QPoint()).y())};
            for (const QWidget* child : bar.findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
                if (child->isWindow() || child == bar.problemChip()) continue;
                const QRect at = child->geometry();
                all << QStringLiteral("%1 at %2, %3, %4 x %5")
                           .arg(child->metaObject()->className())
                           .arg(at.x())
                           .arg(at.y())
                           .arg(at.width())
                           .arg(at.height());
            }
            return all;
        };
        watched.run(2);
        QTRY_COMPARE(bar.runButton()->text(), QStringLiteral("Pause"));
        const QStringList running = places();
        QVERIFY(running.size() > 15);
        watched.engine.status(wire::PAUSED);
        QTRY_COMPARE(watched.session().state(), SessionState::Paused);
        QCOMPARE(places(), running);
        watched.engine.status(wire::RUNNING);
        QTRY_COMPARE(watched.session().state(), SessionState::Running);

        bar.m()->setValue(128);
        QTRY_VERIFY(bar.pendingChip()->isVisible());
        QCOMPARE(places(), running);
        bar.chooseSchedule(QStringLiteral("interleaved-pytorch"));
        QTRY_VERIFY(watched.session().wanted().schedule == "interleaved-pytorch");
        QCOMPARE(places(), running);

        bar.p()->setValue(99);
        QTRY_VERIFY(bar.problemChip()->isVisible());
        QCOMPARE(places(), running);
        const ProblemChip* chip = bar.problemChip();
        const QRect on_window(chip->mapTo(&watched.window, QPoint()), chip->size());
        QVERIFY(watched.window.rect().contains(on_window));
        QVERIFY(chip->height() >= chip->heightForWidth(chip->width()));
        // What the picture is called stays readable.
        QVERIFY(!on_window.contains(canvasOf(watched.window).mapTo(&watched.window, QPoint(24, 20))));
        // Where the reason lies over the title line, that ends before it.
        const GanttView& canvas = canvasOf(watched.window);
        const QRectF title = canvas.picture().layout.title,
                     over(canvas.mapFrom(&watched.window, on_window.topLeft()), QSizeF(on_window.size()));
        QCOMPARE(canvas.picture().title_covered, over.intersects(title));
        if (over.intersects(title)) QVERIFY(title.right() - canvas.picture().title_end <= over.left());
        QTest::mouseClick(chip->fix(), Qt::LeftButton);
        QVERIFY(!chip->isVisible());
        QVERIFY(!canvas.picture().title_covered);
        QCOMPARE(places(), running);
        watched.session().undoPending();
        QTRY_VERIFY(!bar.pendingChip()->isVisible());
        QCOMPARE(places(), running);
    }

    // Why a value is illegal lies over the picture, never over the numbers beside it, whether these come or
    // go meanwhile.
    void anIllegalValueCoversNoNumbers_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("chinese");
        for (const int width : {1024, 1280, 1440})
            for (const bool chinese : {false, true})
                QTest::addRow("%d %s", width, chinese ? "zh" : "en") << width << chinese;
    }
    void anIllegalValueCoversNoNumbers() {
        QFETCH(int, width);
        QFETCH(bool, chinese);
        Preferences preferences;
        preferences.language = chinese ? Language::Chinese : Language::English;
        OpenedWindow opened(book_, preferences);
        opened.window.resize(width, 800);
        QTRY_COMPARE(opened.window.width(), width);
        ControlBar& bar = part<ControlBar>(opened.window);
        bar.v()->setValue(2);
        const ProblemChip* chip = bar.problemChip();
        QTRY_VERIFY(chip->isVisible());
        const QWidget& numbers = part<NumbersDock>(opened.window);
        const auto onWindow = [&](const QWidget& widget) {
            return QRect(widget.mapTo(&opened.window, QPoint()), widget.size());
        };
        for (int times = 0; times < 2; ++times) {
            const bool shown = numbers.isVisible();
            QVERIFY(opened.window.rect().contains(onWindow(*chip)));
            if (shown) QVERIFY(!onWindow(*chip).intersects(onWindow(numbers)));
            QTest::keyClick(&canvasOf(opened.window), Qt::Key_Q);
            QTRY_COMPARE(numbers.isVisible(), !shown);
        }
    }

    // A change that waits has its room: whatever the hand may aim at or the eye reads keeps its place and
    // size before, while and after it waits, and its strip covers none of it.
    void aChangeThatWaitsMovesNothing_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1440, 900)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void aChangeThatWaitsMovesNothing() {
        QFETCH(QSize, size);
        WatchedWindow watched(book_);
        watched.window.resize(size);
        watched.attach(wire::IDLE);
        watched.run(2);
        ControlBar& bar = part<ControlBar>(watched.window);
        QTRY_COMPARE(bar.runButton()->text(), QStringLiteral("Pause"));
        const auto onWindow = [&](const QWidget& widget) {
            return QRect(widget.mapTo(&watched.window, QPoint()), widget.size());
        };
        const auto places = [&] {
            QStringList all;
            const auto add = [&](const QWidget& widget) {
                const QRect at = onWindow(widget);
                all << QStringLiteral("%1 at %2, %3, %4 x %5")
                           .arg(widget.metaObject()->className())
                           .arg(at.x())
                           .arg(at.y())
                           .arg(at.width())
                           .arg(at.height());
            };
            add(canvasOf(watched.window));
            add(part<IterationStrip>(watched.window));
            for (const QWidget* child : bar.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
                if (!child->isWindow()) add(*child);
            for (const Section* section : part<NumbersDock>(watched.window).findChildren<Section*>())
                if (section->isVisible()) add(*section);
            return all;
        };
        const QStringList before = places();
        QVERIFY(before.size() > 15);
        for (const bool paused : {false, true}) {
            if (paused) {
                watched.engine.status(wire::PAUSED);
                QTRY_COMPARE(watched.session().state(), SessionState::Paused);
            }
            bar.m()->setValue(17);
            const PendingStrip& strip = part<PendingStrip>(watched.window);
            QTRY_VERIFY(strip.isVisible());
            QCoreApplication::sendPostedEvents();
            QCOMPARE(places(), before);
            QList<const QWidget*> others{&canvasOf(watched.window), &part<IterationStrip>(watched.window)};
            for (const LegendBar* legend : watched.window.findChildren<LegendBar*>())
                if (legend->isVisible()) others << legend;
            QCOMPARE(others.size(), 3);
            for (const QWidget* other : others) QVERIFY(!onWindow(strip).intersects(onWindow(*other)));
            QVERIFY(watched.window.rect().contains(onWindow(strip)));
            QVERIFY(onWindow(strip).contains(onWindow(*strip.undoButton())));
            watched.session().undoPending();
            QTRY_VERIFY(!strip.isVisible());
            QCOMPARE(places(), before);
        }
    }

    // The line breaks while it runs, and is there again: nothing was asked for, nothing is announced.
    void reconnection() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        Session& session = part<Session>(window);
        FakeEngine engine;
        session.connectTo(EngineAddress{"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.hasViewer());
        engine.hello(smallRun(), wire::RUNNING);
        engine.start(smallRun(), 0, 0);
        engine.iteration(smallRun(), 0, 0);
        QTRY_COMPARE(session.history().newestComplete(), 0);
        engine.hangUp();
        QTRY_COMPARE(session.state(), SessionState::Disconnected);
        QTRY_VERIFY(part<FailureBar>(window).isVisible());
        PaintWatch watch(window);
        session.reconnect();
        QTRY_VERIFY(engine.hasViewer());
        engine.hello(smallRun(), wire::RUNNING);
        QTRY_COMPARE(session.state(), SessionState::Running);
        QTRY_VERIFY(!watch.run_button.isEmpty() && watch.run_button.last() == "Pause");
        QVERIFY(!part<FailureBar>(window).isVisible());
        QVERIFY2(watch.cut.isEmpty(), qPrintable(watch.cut.join(" | ")));
        QVERIFY(!watch.appeared.contains("pending strip") && !watch.appeared.contains("pending chip"));
        QVERIFY2(!watch.run_button.contains("Run"), qPrintable(watch.run_button.join(" | ")));
        QVERIFY(!watch.step_enabled);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestSteadyControls)

}  // namespace tst_steady_controls

#include "tst_steady_controls.moc"
