// The window as a person uses it: real clicks and keys, a real engine (bscope serve), and an engine that
// dies.
#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QStatusBar>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <map>

#include "app/export/figure_exporter.h"
#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/tune/hand_costs_controller.h"
#include "app/tune/tune_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "widgets/controls/focus_ring.h"
#include "widgets/text/format.h"

namespace tst_main_window {

using namespace bscope;
using namespace bscope::ui;

class TestMainWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    // Tool bar, view, side, status line, and once around.
    void tabGoesThroughTheWindowAsItIsRead() {
        OpenedWindow opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const MainView view : {MainView::Timeline, MainView::Improve, MainView::Lessons}) {
            window.showView(view);
            const QList<QWidget*> areas{&part<ControlBar>(window), window.centralWidget(),
                                        window.findChild<QDockWidget*>(), window.statusBar()};
            const auto areaOf = [&](const QWidget* part) {
                return std::ranges::find_if(areas,
                                            [part](QWidget* area) { return area->isAncestorOf(part); }) -
                       areas.begin();
            };
            part<ControlBar>(window).runButton()->setFocus();
            const QWidget* first = QApplication::focusWidget();
            std::ptrdiff_t area = 0;
            int stops = 0;
            do {
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                const QWidget* now = QApplication::focusWidget();
                if (now == first) break;
                QVERIFY2(areaOf(now) >= area, now->metaObject()->className());
                area = areaOf(now);
            } while (++stops < 100);
            QVERIFY2(stops > 10 && stops < 100,
                     qPrintable(QStringLiteral("view %1: %2").arg(int(view)).arg(stops)));
            QCOMPARE(area, areas.size() - 1);
        }
    }

    void largePartsShowThatTabReachedThem() {
        OpenedWindow opened(book_);
        opened.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&opened.window));
        auto* canvas = qobject_cast<GanttView*>(QApplication::focusWidget());
        QVERIFY(canvas != nullptr);
        auto* ring = canvas->findChild<FocusRing*>();
        QVERIFY(ring->isHidden());  // it has the focus from the beginning
        QTest::keyClick(canvas, Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget(), canvas);
        QVERIFY(ring->isVisible());
        QCOMPARE(ring->size(), canvas->size());
        part<ControlBar>(opened.window).runButton()->setFocus();
        QVERIFY(ring->isHidden());
    }

    void opensWithThePlan() {
        OpenedWindow opened(book_);
        QCOMPARE(part<Session>(opened.window).state(), SessionState::Idle);
        QVERIFY(!canvasOf(opened.window).views().empty());
        QCOMPARE(canvasOf(opened.window).views().front().config, RunConfig{});
        QCOMPARE(opened.window.focusWidget(), &canvasOf(opened.window));
    }

    void runsPausesStepsAndGoesBack() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        part<Session>(w).edit(smallRun());
        QTest::mouseClick(part<ControlBar>(w).runButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Running, kEngineMs);
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(w).history().newestComplete() >= 2, kEngineMs);
        QTest::mouseClick(part<ControlBar>(w).runButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        const int paused_at = part<Session>(w).history().newestComplete();
        QTest::mouseClick(part<ControlBar>(w).stepButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).history().newestComplete(), paused_at + 1, kEngineMs);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        canvasOf(w).setFocus();
        QTest::keyClick(&canvasOf(w), Qt::Key_J);
        QCOMPARE(part<Session>(w).shownIteration(), paused_at);
        QVERIFY(!part<Session>(w).following());
        QTest::keyClick(&canvasOf(w), Qt::Key_K);
        QCOMPARE(part<Session>(w).shownIteration(), paused_at + 1);
        const auto view = part<Session>(w).shown();
        QVERIFY(view.summary && view.report);
        QVERIFY(view.report->loss > 0);
        QCOMPARE(view.ran->compute(0).size(), std::size_t{9});
    }

    void changingMShowsItsPlanAtOnceAndTakesEffect() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        part<Session>(w).pause();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        auto* m = part<ControlBar>(w).m();
        m->setFocus();
        m->selectAll();
        QTest::keyClicks(m, QStringLiteral("6"));
        QTest::keyClick(m, Qt::Key_Return);
        QVERIFY(part<Session>(w).pending());
        QCOMPARE(part<Session>(w).pending()->config.params.m, 6);
        QVERIFY(part<PendingStrip>(w).isVisible());
        QVERIFY(part<ControlBar>(w).pendingChip()->isVisible());
        QCOMPARE(part<Session>(w).shown().config.params.m, 4);
        QCOMPARE(w.focusWidget(), &canvasOf(w));  // Enter gives the keys back to the canvas
        QTest::mouseClick(part<ControlBar>(w).stepButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!part<Session>(w).pending(), kEngineMs);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).shown().config.params.m, 6, kEngineMs);
        QVERIFY(!part<PendingStrip>(w).isVisible());
    }

    // The strip of a change that waits has the numbers of the plan on the canvas, that of costs by hand.
    void costsByHandAreThoseOfTheWaitingChange() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        part<Session>(w).pause();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        RunConfig other = smallRun();
        other.params.m = 12;
        part<Session>(w).edit(other);
        auto& hand = part<HandCostsController>(w);
        hand.open();
        for (const auto field : {HandCostsDialog::Forward, HandCostsDialog::Input, HandCostsDialog::Weight})
            hand.dialog()->field(field)->setValue(field == HandCostsDialog::Forward ? 400 : 10);
        hand.dialog()->field(HandCostsDialog::Latency)->setValue(0);
        QVERIFY(hand.plan());
        const QString words = part<PendingStrip>(w).effectText();
        QVERIFY2(words.contains(QStringLiteral("→ ") + shareText(hand.plan()->plan_summary.bubble_of_total)),
                 qPrintable(words));
        const auto ms = static_cast<double>(hand.plan()->plan_summary.iteration_ns) / 1e6;
        QVERIFY2(ms > 4000 && words.contains(msText(ms)), qPrintable(words));
        hand.close();
        QTRY_VERIFY(!part<PendingStrip>(w).effectText().contains(msText(ms)));
    }

    // N pins and unpins, its menu says which, and nothing is pinned before there is something.
    void pinningIsAToggle() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        QAction* pin = opened.action("Pin as baseline");
        QVERIFY(pin != nullptr);
        QTest::keyClick(&canvasOf(w), Qt::Key_N);
        QVERIFY(part<BriefNotice>(w).isVisible());
        QCOMPARE(plainActionText(*pin), QStringLiteral("Pin as baseline"));
        opened.runSmall();
        part<Session>(w).pause();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        const auto baseline = [&w] { return part<StatusLine>(w).parts().filter("baseline #").size(); };
        for (int round = 0; round < 2; ++round) {
            QTest::keyClick(&canvasOf(w), Qt::Key_N);
            QCOMPARE(plainActionText(*pin), QStringLiteral("Unpin the baseline"));
            QCOMPARE(baseline(), 1);
            QTest::keyClick(&canvasOf(w), Qt::Key_X);
            QTest::keyClick(&canvasOf(w), Qt::Key_N);
            QCOMPARE(plainActionText(*pin), QStringLiteral("Pin as baseline"));
            QCOMPARE(baseline(), 0);
        }
    }

    void undoButtonTakesTheChangeBack() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        part<Session>(w).pause();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);
        RunConfig other = smallRun();
        other.schedule = "gpipe";
        part<Session>(w).edit(other);
        QVERIFY(part<PendingStrip>(w).isVisible());
        QTest::mouseClick(part<PendingStrip>(w).undoButton(), Qt::LeftButton);
        QVERIFY(!part<Session>(w).pending());
        QVERIFY(!part<PendingStrip>(w).isVisible());
        QCOMPARE(part<Session>(w).wanted(), smallRun());
    }

    void engineKilledInTheMiddleLeavesTheWindowAlive() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        std::map<int, double> losses;  // by iteration, of the engine that was asked last
        QList<int> reported;
        connect(&part<Session>(w), &Session::iterationFinished, &w, [&](int iteration) {
            for (const IterationBar& bar : part<Session>(w).bars())
                if (bar.iteration == iteration) losses[iteration] = bar.loss;
            reported += iteration;
        });
        opened.runSmall();
        part<Session>(w).keepState();
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(w).states().hasKept(), kEngineMs);
        const int kept = part<Session>(w).history().newestComplete();
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(w).history().newestComplete() > kept + 2, kEngineMs);
        const qint64 pid = part<Session>(w).connection().enginePid();
        QVERIFY(pid > 0);
        QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Failed, kEngineMs);
        const int last = part<Session>(w).history().newestComplete();  // with what was on the way
        const std::map<int, double> before = losses;
        QVERIFY(part<FailureBar>(w).isVisible());
        QVERIFY2(part<FailureBar>(w).sentence().contains(QStringLiteral("SIGKILL")),
                 qPrintable(part<FailureBar>(w).sentence()));
        QVERIFY(part<Session>(w).shown().iteration >= last);  // the picture is kept
        QVERIFY(!part<Session>(w).shown().ran->empty());
        Button* again = part<FailureBar>(w).action(QStringLiteral("run"));
        QVERIFY(again);
        QCOMPARE(again->text(), QStringLiteral("Restart from the saved state"));
        reported.clear();
        QTest::mouseClick(again, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Running, kEngineMs);
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(w).history().newestComplete() > last, kEngineMs);
        QCOMPARE(part<Session>(w).bars().front().iteration, 0);  // training went on from the last state
        QVERIFY(!reported.isEmpty());
        QVERIFY2(reported.front() > 0 && reported.front() <= last,
                 qPrintable(QString::number(reported.front())));
        QCOMPARE(losses.at(reported.front()), before.at(reported.front()));
        QVERIFY(!part<FailureBar>(w).isVisible());
        QVERIFY(part<Session>(w).connection().enginePid() != pid);
    }

    void closingEndsAnOwnEngine() {
        qint64 pid = 0;
        {
            OpenedWindow opened(book_);
            opened.runSmall();
            pid = part<Session>(opened.window).connection().enginePid();
            opened.window.close();
        }
        QVERIFY(pid > 0);
        QTRY_COMPARE_WITH_TIMEOUT(::kill(static_cast<pid_t>(pid), 0), -1, kEngineMs);
    }

    void closingLeavesARemoteEngineAlone() {
        FakeEngine engine;
        {
            OpenedWindow opened(book_);
            opened.window.connectTo({"127.0.0.1", engine.port(), {}}, false);
            QTRY_VERIFY(engine.last(wire::Message::kAttach));
            engine.hello(RunConfig{}, wire::RUNNING);
            QTRY_COMPARE(part<Session>(opened.window).state(), SessionState::Running);
        }
        QVERIFY(!engine.last(wire::Message::kControl));
    }

    void refusedConnectionIsSaidAndTriedAgain() {
        quint16 port = 0;
        { port = FakeEngine().port(); }
        OpenedWindow opened(book_);
        opened.window.connectTo({"127.0.0.1", port, {}}, false);
        QTRY_COMPARE(part<Session>(opened.window).state(), SessionState::Disconnected);
        QVERIFY(part<FailureBar>(opened.window).isVisible());
        QVERIFY(part<FailureBar>(opened.window).sentence().contains(QStringLiteral("refused")));
        QVERIFY(part<FailureBar>(opened.window).action(QStringLiteral("reconnect")));
    }

    // As `mpirun bscope serve` when a process is lost.
    void anEngineThatSaysWhyItEndsIsBelieved() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        opened.window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::RUNNING);
        wire::Message failure;
        failure.mutable_failure()->set_sentence("Rank 0 stopped in 1F0: rank 1 is gone.");
        failure.mutable_failure()->set_what_to_do("Start the processes again with mpirun.");
        failure.mutable_failure()->set_kept_state("/state/kept.safetensors");
        failure.mutable_failure()->set_kept_before(4);
        engine.send(failure);
        engine.status(wire::FAILED);
        engine.hangUp();
        const FailureBar& bar = part<FailureBar>(opened.window);
        QTRY_VERIFY(bar.action(QStringLiteral("reconnect")));
        QCOMPARE(part<Session>(opened.window).state(), SessionState::Failed);
        QCOMPARE(bar.sentence(), QStringLiteral("Rank 0 stopped in 1F0: rank 1 is gone."));
        QVERIFY(bar.accessibleName().contains(QStringLiteral("before iteration 5")));
        QVERIFY(bar.accessibleName().contains(QStringLiteral("--load /state/kept.safetensors")));
    }

    void anotherVersionIsSaid() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        opened.window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::IDLE, true, kProtocolVersion + 1);
        QTRY_COMPARE(part<Session>(opened.window).state(), SessionState::Failed);
        QVERIFY(part<FailureBar>(opened.window).sentence().contains(QStringLiteral("version")));
    }

    void themeScaleAndLanguageChangeWhileItRuns() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        part<Appearance>(w).setThemeChoice(ThemeChoice::Light);
        const QImage light = w.grab().toImage();
        part<Appearance>(w).setThemeChoice(ThemeChoice::Dark);
        QCOMPARE(currentTheme().kind, ThemeKind::Dark);
        QVERIFY(light != w.grab().toImage());
        QTest::keyClick(&w, Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(part<Appearance>(w).scale(), 1.1);
        QTest::keyClick(&w, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(part<Appearance>(w).scale(), 1.0);
        const QString english = part<ControlBar>(w).runButton()->text();
        QTest::mouseClick(part<StatusLine>(w).languageButton(), Qt::LeftButton);
        QCOMPARE(part<Appearance>(w).language(), Language::Chinese);
        QTRY_VERIFY(part<ControlBar>(w).runButton()->text() != english);
        QTest::mouseClick(part<StatusLine>(w).languageButton(), Qt::LeftButton);
        QTRY_COMPARE(part<ControlBar>(w).runButton()->text(), english);
    }

    void keysReachEveryToggle() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        canvasOf(w).setFocus();
        QVERIFY(part<NumbersDock>(w).isVisible());
        QTest::keyClick(&canvasOf(w), Qt::Key_Q);
        QVERIFY(!part<NumbersDock>(w).isVisible());
        QTest::keyClick(&canvasOf(w), Qt::Key_Q);
        QVERIFY(part<NumbersDock>(w).isVisible());
        const Layers before = canvasOf(w).state().layers();
        QTest::keyClick(&canvasOf(w), Qt::Key_B);
        QVERIFY(canvasOf(w).state().layers().bubbles != before.bubbles);
        QTest::keyClick(&canvasOf(w), Qt::Key_C);
        QVERIFY(part<Appearance>(w).scheme() != ColourScheme::Bubblescope);
        QTest::keyClick(&canvasOf(w), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(w.view(), MainView::Improve);
        QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(w.view(), MainView::Timeline);
        QTest::keyClick(&canvasOf(w), Qt::Key_F11);
        QVERIFY(part<Appearance>(w).projector());
        QVERIFY(!part<NumbersDock>(w).isVisible());
        QTest::keyClick(&canvasOf(w), Qt::Key_F11);
        QVERIFY(!part<Appearance>(w).projector());
    }

    void everyKeyHasAnEntryAndNoTwoShareOne() {
        OpenedWindow opened(book_);
        QMap<QString, QString> owner;
        for (const QAction* action : part<WindowActions>(opened.window).all()) {
            QVERIFY(!plainActionText(*action).isEmpty());
            for (const QKeySequence& key : action->shortcuts()) {
                const QString name = key.toString();
                QVERIFY2(!owner.contains(name),
                         qPrintable(name + ": " + owner.value(name) + ", " + action->text()));
                owner.insert(name, action->text());
            }
        }
        for (const char* key : {"W", "S",  "A",      "D",      "Z",
                                "F", "H",  "R",      "B",      "L",
                                "T", "Y",  "U",      "Space",  "Esc",
                                "J", "K",  "N",      "X",      "C",
                                "P", "Q",  "Ctrl+F", "/",      "Ctrl+Shift+P",
                                "?", "F1", "F11",    "Ctrl+E", "Ctrl+Shift+C"})
            QVERIFY2(owner.contains(QString::fromLatin1(key)), key);
    }

    void paletteRunsACommand() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&canvasOf(w), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = w.findChild<CommandPalette*>();
        QVERIFY(palette);
        QTest::keyClicks(palette->field(), QStringLiteral("dark"));
        QVERIFY(palette->list()->count() >= 1);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(part<Appearance>(w).themeChoice() == ThemeChoice::Dark ||
                     opened.action("Dark picture")->isChecked(),
                 true);
    }

    void paletteIsAsHighAsItsRows() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&canvasOf(w), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = w.findChild<CommandPalette*>();
        const int full = palette->height();
        QVERIFY(full <= palette->maximumHeight());
        QTest::keyClicks(palette->field(), QStringLiteral("palette"));
        QVERIFY(palette->list()->count() < 6);
        QVERIFY(palette->height() < full);
        const auto* last = palette->list()->item(palette->list()->count() - 1);
        const int below =
            palette->list()->viewport()->height() - palette->list()->visualItemRect(last).bottom() - 1;
        QVERIFY2(below >= 0 && below <= 2, qPrintable(QString::number(below)));
        QTest::keyClicks(palette->field(), QStringLiteral("qqq"));
        QCOMPARE(palette->list()->count(), 1);  // says that there is none
        QTest::keyClick(palette->field(), Qt::Key_Return);
    }

    void searchFindsABox() {
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&canvasOf(w), Qt::Key_Slash);
        QVERIFY(part<SearchBar>(w).isVisible());
        for (const QWidget* part :
             std::initializer_list<QWidget*>{part<SearchBar>(w).field(), part<SearchBar>(w).answer()})
            QCOMPARE(part->font().families(), Theme::make(ThemeKind::Light).font(12).families());
        QCOMPARE(part<SearchBar>(w).field()->font().pixelSize(), 12);
        QTest::keyClicks(part<SearchBar>(w).field(), QStringLiteral("B3 @2"));
        QTest::keyClick(part<SearchBar>(w).field(), Qt::Key_Return);
        QVERIFY(canvasOf(w).state().selection());
        QCOMPARE(canvasOf(w).state().selection()->rank, 2);
        QCOMPARE(canvasOf(w).state().selection()->action.microbatch, 2);  // pictures count from 1
        QCOMPARE(canvasOf(w).state().selection()->action.op, Op::Backward);
        QTest::keyClick(part<SearchBar>(w).field(), Qt::Key_Escape);
        QVERIFY(!part<SearchBar>(w).isVisible());
        QCOMPARE(w.focusWidget(), &canvasOf(w));
    }

    void searchUnderstandsGapsAndNonsense() {
        const auto gaps = parseSearch(QStringLiteral("bubble > 5ms @1"), false);
        QVERIFY(gaps && gaps->longer_ms == 5.0 && gaps->rank == 1);
        QVERIFY(parseSearch(QStringLiteral("12"), false)->microbatch == 11);
        QVERIFY(parseSearch(QStringLiteral("12"), true)->microbatch == 12);
        QVERIFY(parseSearch(QStringLiteral("f3"), false)->op == Op::Forward);
        QVERIFY(!parseSearch(QStringLiteral("F0"), false));
        QVERIFY(!parseSearch(QStringLiteral("nonsense!"), false));
        Session session;
        QVERIFY(!findAll(*parseSearch(QStringLiteral("bubble>0"), false), session.shown()).empty());
        QCOMPARE(findAll(*parseSearch(QStringLiteral("3"), false), session.shown()).size(), std::size_t{8});
    }

    // What a refused configuration lacks is no more said once a legal one is wanted, and said again when the
    // next one is refused.
    void aRefusalEndsWithALegalChoice() {
        OpenedWindow opened(book_);
        Session& session = part<Session>(opened.window);
        const FailureBar& bar = part<FailureBar>(opened.window);
        const RunConfig legal = session.wanted();
        RunConfig refused = legal;
        refused.params.p = 2 * refused.model.layers;
        session.edit(refused);
        QVERIFY(bar.isVisible());
        session.edit(legal);
        QVERIFY(!bar.isVisible());
        session.edit(refused);
        QVERIFY(bar.isVisible());
        session.edit(legal);
        QVERIFY(!bar.isVisible());
    }

    // The order of a file that is only on the engine's machine comes with the run, and what else is set can
    // be changed; the file is not looked for here.
    void aScheduleFileOfTheEnginesMachineStaysEditable() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        Session& session = part<Session>(opened.window);
        session.connectTo(EngineAddress{"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        RunConfig there = smallRun();
        there.schedule = "file:/only/there/mine.csv";
        IterationStart start = playedStart(smallRun(), 0, 0);
        Schedule order = *start.schedule;
        order.name = start.config.schedule = there.schedule;
        start.schedule = std::make_shared<const Schedule>(order);
        engine.hello(there, wire::RUNNING);
        wire::Message started;
        *started.mutable_iteration_start() = toWire(start);
        engine.send(started);
        QTRY_COMPARE(session.effective().schedule, there.schedule);
        ControlBar& bar = part<ControlBar>(opened.window);
        QTRY_COMPARE(bar.inForce().schedule, there.schedule);
        bar.setupPanel()->number("micro_batch")->setValue(3);
        emit bar.setupPanel()->edited();
        QTRY_COMPARE(session.wanted().micro_batch, 3);
        QVERIFY(session.problems().empty());
        QVERIFY(!bar.problemChip()->isVisible());
        QTRY_VERIFY(engine.last(wire::Message::kConfigure));
    }

    // Refused with one sentence and a way on; said in every view.
    void aWatchingViewerIsInformed() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        part<Session>(w).connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::RUNNING, false);
        QTRY_VERIFY(part<Session>(w).onlyWatches());
        part<LessonController>(w).openFirst();
        QVERIFY(part<FailureBar>(w).isVisible());
        QVERIFY(!engine.last(wire::Message::kConfigure));
        for (const MainView view : {MainView::Lessons, MainView::Improve, MainView::Timeline}) {
            w.showView(view);
            QTRY_VERIFY(part<StatusLine>(w).parts().contains(QStringLiteral("watching only")));
        }
        const std::size_t said = engine.said().size();
        QTest::mouseClick(part<FailureBar>(w).action(QStringLiteral("reconnect")), Qt::LeftButton);
        QTRY_VERIFY(engine.said().size() > said);
        engine.hello(RunConfig{}, wire::RUNNING, true);
        QTRY_VERIFY(part<Session>(w).hello().controller());
    }

    // A drawer: closed while there is no room, and as it was afterwards; Q opens it all the same.
    void aNarrowWindowClosesTheDock() {
        {
            OpenedWindow opened(book_);
            const auto width = [&](int px) {
                opened.window.resize(px, 800);
                QTRY_COMPARE(opened.window.width(), px);
            };
            QTRY_VERIFY(part<NumbersDock>(opened.window).isVisible());
            width(1000);
            QTRY_VERIFY(!part<NumbersDock>(opened.window).isVisible());
            width(1300);
            QTRY_VERIFY(part<NumbersDock>(opened.window).isVisible());
            width(1000);
            opened.action("Numbers")->trigger();
            QVERIFY(part<NumbersDock>(opened.window).isVisible());
            opened.action("Numbers")->trigger();
            opened.window.close();
        }
        QVERIFY(Preferences::load().dock);  // it was open while there was room
    }

    void remembersItsPreferences() {
        {
            OpenedWindow opened(book_);
            part<Appearance>(opened.window).setThemeChoice(ThemeChoice::Dark);
            part<Appearance>(opened.window).setScale(1.5);
            canvasOf(opened.window).state().setBubbleDefinition(BubbleDefinition::OfIdeal);
            opened.window.close();
        }
        const Preferences preferences = Preferences::load();
        QCOMPARE(preferences.theme, ThemeChoice::Dark);
        QCOMPARE(preferences.scale, 1.5);
        QVERIFY(preferences.of_ideal);
    }

    void whatOneStartAskedForIsNotRemembered() {
        Preferences kept = Preferences::load();
        kept.theme = ThemeChoice::Light;
        kept.language = Language::English;
        kept.save();
        QSettings().setValue(QStringLiteral("language"), static_cast<int>(Language::English));
        const auto start = [&](bool changes) {
            Preferences preferences = Preferences::load();
            preferences.theme = *(preferences.theme_of_start = ThemeChoice::Dark);
            preferences.language = *(preferences.language_of_start = Language::Chinese);
            OpenedWindow opened(book_, preferences);
            QCOMPARE(part<Appearance>(opened.window).language(), Language::Chinese);
            if (changes) part<Appearance>(opened.window).setThemeChoice(ThemeChoice::System);
            opened.window.close();
        };
        start(false);
        QCOMPARE(Preferences::load().theme, ThemeChoice::Light);
        QCOMPARE(Preferences::load().language, Language::English);
        start(true);
        QCOMPARE(Preferences::load().theme, ThemeChoice::System);
        QCOMPARE(Preferences::load().language, Language::English);
    }

    // A window that began at a large screen's 150 % has no scale of its own on a small one.
    void followsScreenAndSystemUntilOneChooses() {
        QSettings().remove(QStringLiteral("scale"));
        QSettings().remove(QStringLiteral("language"));
        const Preferences first = Preferences::load();
        {
            OpenedWindow opened(book_, first);
            opened.window.close();
        }
        QVERIFY(!QSettings().contains(QStringLiteral("scale")));
        QVERIFY(!QSettings().contains(QStringLiteral("language")));
        for (const double scale :
             {first.scale + 0.2, first.scale}) {  // the usual one chosen again is a choice
            OpenedWindow opened(book_, Preferences::load());
            part<Appearance>(opened.window).setScale(scale);
            part<Appearance>(opened.window).changeLanguage();
            opened.window.close();
            QCOMPARE(QSettings().value(QStringLiteral("scale")).toDouble(), scale);
            QVERIFY(QSettings().contains(QStringLiteral("language")));
        }
        QCOMPARE(Preferences::load().language, first.language);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMainWindow)

}  // namespace tst_main_window

#include "tst_main_window.moc"
