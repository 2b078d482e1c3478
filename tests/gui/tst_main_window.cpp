// The window as a person uses it: real clicks and keys, a real engine (bscope serve), and an engine that
// dies.
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QMimeData>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <map>

#include "app/export/figure_exporter.h"
#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/tune/tune_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "widgets/controls/focus_ring.h"

using namespace bscope;
using namespace bscope::ui;

class TestMainWindow : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    struct Opened : OpenedWindow {
        using OpenedWindow::OpenedWindow;
        void runSmall() {
            window.session().edit(smallRun());
            window.session().run();
            [&] { QTRY_VERIFY_WITH_TIMEOUT(window.session().history().newestComplete() >= 1, kEngineMs); }();
        }
        QAction* action(const QString& words) {
            for (QAction* action : window.actions().all())
                if (plainActionText(*action) == words) return action;
            return nullptr;
        }
    };

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    // Tool bar, view, side, status line, and once around.
    void tabGoesThroughTheWindowAsItIsRead() {
        Opened opened(book_);
        MainWindow& window = opened.window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const MainView view : {MainView::Timeline, MainView::Tune, MainView::Lessons}) {
            window.showView(view);
            const QList<QWidget*> areas{&window.controls(), window.centralWidget(),
                                        window.findChild<QDockWidget*>(), window.statusBar()};
            const auto areaOf = [&](const QWidget* part) {
                return std::ranges::find_if(areas,
                                            [part](QWidget* area) { return area->isAncestorOf(part); }) -
                       areas.begin();
            };
            window.controls().runButton()->setFocus();
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
            QVERIFY(stops > 10 && stops < 100);
            QCOMPARE(area, areas.size() - 1);
        }
    }

    void largePartsShowThatTabReachedThem() {
        Opened opened(book_);
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
        opened.window.controls().runButton()->setFocus();
        QVERIFY(ring->isHidden());
    }

    void opensWithThePlan() {
        Opened opened(book_);
        QCOMPARE(opened.window.session().state(), SessionState::Idle);
        QVERIFY(!opened.window.gantt().views().empty());
        QCOMPARE(opened.window.gantt().views().front().config, RunConfig{});
        QCOMPARE(opened.window.focusWidget(), &opened.window.gantt());
    }

    void runsPausesStepsAndGoesBack() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        w.session().edit(smallRun());
        QTest::mouseClick(w.controls().runButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Running, kEngineMs);
        QTRY_VERIFY_WITH_TIMEOUT(w.session().history().newestComplete() >= 2, kEngineMs);
        QTest::mouseClick(w.controls().runButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);
        const int paused_at = w.session().history().newestComplete();
        QTest::mouseClick(w.controls().stepButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().history().newestComplete(), paused_at + 1, kEngineMs);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);
        w.gantt().setFocus();
        QTest::keyClick(&w.gantt(), Qt::Key_J);
        QCOMPARE(w.session().shownIteration(), paused_at);
        QVERIFY(!w.session().following());
        QTest::keyClick(&w.gantt(), Qt::Key_K);
        QCOMPARE(w.session().shownIteration(), paused_at + 1);
        const auto view = w.session().shown();
        QVERIFY(view.summary && view.report);
        QVERIFY(view.report->loss > 0);
        QCOMPARE(view.ran->compute(0).size(), std::size_t{9});
    }

    void changingMShowsItsPlanAtOnceAndTakesEffect() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        w.session().pause();
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);
        auto* m = w.controls().m();
        m->setFocus();
        m->selectAll();
        QTest::keyClicks(m, QStringLiteral("6"));
        QTest::keyClick(m, Qt::Key_Return);
        QVERIFY(w.session().pending());
        QCOMPARE(w.session().pending()->config.params.m, 6);
        QVERIFY(w.pendingStrip().isVisible());
        QVERIFY(w.controls().pendingChip()->isVisible());
        QCOMPARE(w.session().shown().config.params.m, 4);
        QCOMPARE(w.focusWidget(), &w.gantt());  // Enter gives the keys back to the canvas
        QTest::mouseClick(w.controls().stepButton(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!w.session().pending(), kEngineMs);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().shown().config.params.m, 6, kEngineMs);
        QVERIFY(!w.pendingStrip().isVisible());
    }

    // N pins and unpins, its menu says which, and nothing is pinned before there is something.
    void pinningIsAToggle() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        QAction* pin = opened.action("Pin as baseline");
        QVERIFY(pin != nullptr);
        QTest::keyClick(&w.gantt(), Qt::Key_N);
        QVERIFY(w.briefNotice().isVisible());
        QCOMPARE(plainActionText(*pin), QStringLiteral("Pin as baseline"));
        opened.runSmall();
        w.session().pause();
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);
        const auto baseline = [&w] { return w.statusLine().parts().filter("baseline #").size(); };
        for (int round = 0; round < 2; ++round) {
            QTest::keyClick(&w.gantt(), Qt::Key_N);
            QCOMPARE(plainActionText(*pin), QStringLiteral("Unpin the baseline"));
            QCOMPARE(baseline(), 1);
            QTest::keyClick(&w.gantt(), Qt::Key_X);
            QTest::keyClick(&w.gantt(), Qt::Key_N);
            QCOMPARE(plainActionText(*pin), QStringLiteral("Pin as baseline"));
            QCOMPARE(baseline(), 0);
        }
    }

    void undoButtonTakesTheChangeBack() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        w.session().pause();
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);
        RunConfig other = smallRun();
        other.schedule = "gpipe";
        w.session().edit(other);
        QVERIFY(w.pendingStrip().isVisible());
        QTest::mouseClick(w.pendingStrip().undoButton(), Qt::LeftButton);
        QVERIFY(!w.session().pending());
        QVERIFY(!w.pendingStrip().isVisible());
        QCOMPARE(w.session().wanted(), smallRun());
    }

    void engineKilledInTheMiddleLeavesTheWindowAlive() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        std::map<int, double> losses;  // by iteration, of the engine that was asked last
        QList<int> told;
        connect(&w.session(), &Session::iterationFinished, &w, [&](int iteration) {
            for (const IterationBar& bar : w.session().bars())
                if (bar.iteration == iteration) losses[iteration] = bar.loss;
            told += iteration;
        });
        opened.runSmall();
        w.session().keepState();
        QTRY_VERIFY_WITH_TIMEOUT(w.session().hasKeptState(), kEngineMs);
        const int kept = w.session().history().newestComplete();
        QTRY_VERIFY_WITH_TIMEOUT(w.session().history().newestComplete() > kept + 2, kEngineMs);
        const int last = w.session().history().newestComplete();
        const std::map<int, double> before = losses;
        const qint64 pid = w.session().connection().enginePid();
        QVERIFY(pid > 0);
        QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Failed, kEngineMs);
        QVERIFY(w.failureBar().isVisible());
        QVERIFY2(w.failureBar().sentence().contains(QStringLiteral("SIGKILL")),
                 qPrintable(w.failureBar().sentence()));
        QVERIFY(w.session().shown().iteration >= last);  // the picture is kept
        QVERIFY(!w.session().shown().ran->empty());
        Button* again = w.failureBar().action(QStringLiteral("run"));
        QVERIFY(again);
        QCOMPARE(again->text(), QStringLiteral("Restart from the kept state"));
        told.clear();
        QTest::mouseClick(again, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Running, kEngineMs);
        QTRY_VERIFY_WITH_TIMEOUT(w.session().history().newestComplete() > last, kEngineMs);
        QCOMPARE(w.session().bars().front().iteration, 0);  // training went on from the last state
        QVERIFY2(told.front() > 0 && told.front() <= last, qPrintable(QString::number(told.front())));
        QCOMPARE(losses.at(told.front()), before.at(told.front()));
        QVERIFY(!w.failureBar().isVisible());
        QVERIFY(w.session().connection().enginePid() != pid);
    }

    void closingEndsAnOwnEngine() {
        qint64 pid = 0;
        {
            Opened opened(book_);
            opened.runSmall();
            pid = opened.window.session().connection().enginePid();
            opened.window.close();
        }
        QVERIFY(pid > 0);
        QCOMPARE(::kill(static_cast<pid_t>(pid), 0), -1);
    }

    void closingLeavesARemoteEngineAlone() {
        FakeEngine engine;
        {
            Opened opened(book_);
            opened.window.connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
            QTRY_VERIFY(engine.last(wire::Message::kAttach));
            engine.hello(RunConfig{}, wire::RUNNING);
            QTRY_COMPARE(opened.window.session().state(), SessionState::Running);
        }
        QVERIFY(!engine.last(wire::Message::kControl));
    }

    void refusedConnectionIsSaidAndTriedAgain() {
        quint16 port = 0;
        { port = FakeEngine().port(); }
        Opened opened(book_);
        opened.window.connectTo({QStringLiteral("127.0.0.1"), port, {}}, false);
        QTRY_COMPARE(opened.window.session().state(), SessionState::Disconnected);
        QVERIFY(opened.window.failureBar().isVisible());
        QVERIFY(opened.window.failureBar().sentence().contains(QStringLiteral("refused")));
        QVERIFY(opened.window.failureBar().action(QStringLiteral("reconnect")));
    }

    // As `mpirun bscope serve` when a process is lost.
    void anEngineThatSaysWhyItEndsIsBelieved() {
        FakeEngine engine;
        Opened opened(book_);
        opened.window.connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
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
        const FailureBar& bar = opened.window.failureBar();
        QTRY_VERIFY(bar.action(QStringLiteral("reconnect")));
        QCOMPARE(opened.window.session().state(), SessionState::Failed);
        QCOMPARE(bar.sentence(), QStringLiteral("Rank 0 stopped in 1F0: rank 1 is gone."));
        QVERIFY(bar.accessibleName().contains(QStringLiteral("before iteration 5")));
        QVERIFY(bar.accessibleName().contains(QStringLiteral("--load /state/kept.safetensors")));
    }

    void anotherVersionIsSaid() {
        FakeEngine engine;
        Opened opened(book_);
        opened.window.connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::IDLE, true, kProtocolVersion + 1);
        QTRY_COMPARE(opened.window.session().state(), SessionState::Failed);
        QVERIFY(opened.window.failureBar().sentence().contains(QStringLiteral("version")));
    }

    void recordsAndReplays() {
        const QString path = folder_.filePath(QStringLiteral("run.bscope"));
        Opened opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        QVERIFY(w.session().startRecording(path));
        const int from = w.session().history().newestComplete();
        QTRY_VERIFY_WITH_TIMEOUT(w.session().history().newestComplete() >= from + 3, kEngineMs);
        w.session().stopRecording();
        w.session().pause();
        QTRY_COMPARE_WITH_TIMEOUT(w.session().state(), SessionState::Paused, kEngineMs);

        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&w, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&w, &drop);
        QTRY_VERIFY(!w.gantt().views().empty() && w.gantt().views().front().recording);
        QVERIFY(w.session().bars().size() >= 2);
        w.session().pause();
        const int first = w.session().bars().front().iteration;
        w.session().select(first);
        QTRY_COMPARE(w.gantt().views().front().iteration, first);
        QVERIFY(w.gantt().views().front().recording);
        QVERIFY(w.gantt().views().front().summary);
        w.session().closeRecording();
        QTRY_COMPARE(w.session().state(), SessionState::Paused);
    }

    void themeScaleAndLanguageChangeWhileItRuns() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        w.appearance().setThemeChoice(ThemeChoice::Light);
        const QImage light = w.grab().toImage();
        w.appearance().setThemeChoice(ThemeChoice::Dark);
        QCOMPARE(w.appearance().theme().kind, ThemeKind::Dark);
        QVERIFY(light != w.grab().toImage());
        QTest::keyClick(&w, Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(w.appearance().scale(), 1.1);
        QTest::keyClick(&w, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(w.appearance().scale(), 1.0);
        const QString english = w.controls().runButton()->text();
        QTest::mouseClick(w.statusLine().languageButton(), Qt::LeftButton);
        QCOMPARE(w.appearance().language(), Language::Chinese);
        QTRY_VERIFY(w.controls().runButton()->text() != english);
        QTest::mouseClick(w.statusLine().languageButton(), Qt::LeftButton);
        QTRY_COMPARE(w.controls().runButton()->text(), english);
    }

    void keysReachEveryToggle() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        w.gantt().setFocus();
        QVERIFY(w.numbers().isVisible());
        QTest::keyClick(&w.gantt(), Qt::Key_Q);
        QVERIFY(!w.numbers().isVisible());
        QTest::keyClick(&w.gantt(), Qt::Key_Q);
        QVERIFY(w.numbers().isVisible());
        const Layers before = w.viewState().layers();
        QTest::keyClick(&w.gantt(), Qt::Key_B);
        QVERIFY(w.viewState().layers().bubbles != before.bubbles);
        QTest::keyClick(&w.gantt(), Qt::Key_C);
        QVERIFY(w.appearance().scheme() != ColourScheme::Bubblescope);
        QTest::keyClick(&w.gantt(), Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(w.view(), MainView::Tune);
        QTest::keyClick(&w, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(w.view(), MainView::Timeline);
        QTest::keyClick(&w.gantt(), Qt::Key_F11);
        QVERIFY(w.appearance().projector());
        QVERIFY(!w.numbers().isVisible());
        QTest::keyClick(&w.gantt(), Qt::Key_F11);
        QVERIFY(!w.appearance().projector());
    }

    void everyKeyHasAnEntryAndNoTwoShareOne() {
        Opened opened(book_);
        QMap<QString, QString> owner;
        for (const QAction* action : opened.window.actions().all()) {
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
        Opened opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&w.gantt(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = w.findChild<CommandPalette*>();
        QVERIFY(palette);
        QTest::keyClicks(palette->field(), QStringLiteral("dark"));
        QVERIFY(palette->list()->count() >= 1);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QCOMPARE(
            w.appearance().themeChoice() == ThemeChoice::Dark || opened.action("Dark picture")->isChecked(),
            true);
    }

    void paletteIsAsHighAsItsRows() {
        Opened opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&w.gantt(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
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
        Opened opened(book_);
        MainWindow& w = opened.window;
        QTest::keyClick(&w.gantt(), Qt::Key_Slash);
        QVERIFY(w.searchBar().isVisible());
        for (const QWidget* part :
             std::initializer_list<QWidget*>{w.searchBar().field(), w.searchBar().answer()})
            QCOMPARE(part->font().families(), Theme::make(ThemeKind::Light).font(12).families());
        QCOMPARE(w.searchBar().field()->font().pixelSize(), 12);
        QTest::keyClicks(w.searchBar().field(), QStringLiteral("B3 @2"));
        QTest::keyClick(w.searchBar().field(), Qt::Key_Return);
        QVERIFY(w.viewState().selection());
        QCOMPARE(w.viewState().selection()->rank, 2);
        QCOMPARE(w.viewState().selection()->action.microbatch, 2);  // pictures count from 1
        QCOMPARE(w.viewState().selection()->action.op, Op::Backward);
        QTest::keyClick(w.searchBar().field(), Qt::Key_Escape);
        QVERIFY(!w.searchBar().isVisible());
        QCOMPARE(w.focusWidget(), &w.gantt());
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

    void exportsWhatIsShown() {
        Opened opened(book_);
        for (const char* name : {"plan.png", "plan.svg", "plan.pdf"}) {
            const QString path = folder_.filePath(QString::fromLatin1(name));
            QVERIFY(opened.window.figures().writeTo(path, {}));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(!opened.window.figures().writeTo(QStringLiteral("/nowhere/plan.png"), {}));
        QVERIFY(opened.window.failureBar().isVisible());
    }

    // Refused with one sentence and a way on; said in every view.
    void whoOnlyWatchesIsTold() {
        FakeEngine engine;
        Opened opened(book_);
        MainWindow& w = opened.window;
        w.session().connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(RunConfig{}, wire::RUNNING, false);
        QTRY_VERIFY(w.session().onlyWatches());
        w.lessons().openFirst();
        QVERIFY(w.failureBar().isVisible());
        QVERIFY(!engine.last(wire::Message::kConfigure));
        for (const MainView view : {MainView::Lessons, MainView::Tune, MainView::Timeline}) {
            w.showView(view);
            QTRY_VERIFY(w.statusLine().parts().contains(QStringLiteral("watching only")));
        }
        const std::size_t said = engine.said().size();
        QTest::mouseClick(w.failureBar().action(QStringLiteral("reconnect")), Qt::LeftButton);
        QTRY_VERIFY(engine.said().size() > said);
        engine.hello(RunConfig{}, wire::RUNNING, true);
        QTRY_VERIFY(w.session().mayControl());
    }

    // While an iteration runs, the picture is that of the last complete one, with its numbers and parameters.
    void exportsNoHalfIteration() {
        FakeEngine engine;
        Opened opened(book_);
        RunConfig config;
        config.slow_ranks = {{1, 1.5}};
        opened.window.session().connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(config, wire::RUNNING);
        engine.start(config, 0, 0);
        const std::int64_t end_ns = engine.iteration(config, 0, 0);
        engine.iteration(config, 1, end_ns, false);
        QTRY_COMPARE(opened.window.session().shownIteration(), 1);
        QTRY_VERIFY(opened.window.gantt().views().front().now_ns >= 0);
        const QString path = folder_.filePath(QStringLiteral("whole.svg"));
        QVERIFY(opened.window.figures().writeTo(path, {}));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("Iteration 1 of a GPT"));
        QVERIFY(text.contains("1.5 times"));
    }

    // Before the first is complete there is no whole one; the picture says how far it came.
    void exportsTheFirstIterationAsIncomplete() {
        FakeEngine engine;
        Opened opened(book_);
        const RunConfig config;
        opened.window.session().connectTo({QStringLiteral("127.0.0.1"), engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(config, wire::RUNNING);
        engine.start(config, 0, 0);
        engine.iteration(config, 0, 0, false);
        QTRY_VERIFY(opened.window.gantt().views().front().now_ns > 0);
        const QString path = folder_.filePath(QStringLiteral("first.svg"));
        QVERIFY(opened.window.figures().writeTo(path, {}));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("incomplete, up to"));
        QVERIFY(text.contains("Incomplete: "));
    }

    // Training goes on behind the dialog: what is written is what was there when it was asked for.
    void exportsWhatItsNameSays() {
        Opened opened(book_);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QString path = folder_.filePath(QStringLiteral("named.svg"));
        RunConfig later = opened.window.session().wanted();
        QVERIFY(later.params.m != 5);
        later.params.m = 5;
        QTimer::singleShot(0, &opened.window, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            opened.window.session().edit(later);
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        opened.action("SVG")->trigger();
        QCOMPARE(opened.window.session().shown().config, later);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("m=8"));
        QVERIFY(!text.contains("m=5"));
    }

    void theScenarioIsNamedInTheWindowsLanguage() {
        Opened opened(book_);
        wire::Scenario scenario;
        scenario.mutable_title()->set_en("Four stages");
        scenario.mutable_title()->set_zh("四个阶段");
        opened.window.openScenario(scenario, false);
        const auto named = [&](const QString& title) {
            const QList<Label*> labels = opened.window.findChildren<Label*>();
            return std::ranges::any_of(labels, [&](Label* each) { return each->text().startsWith(title); });
        };
        QVERIFY(named("Four stages"));
        opened.window.appearance().setLanguage(Language::Chinese);
        QTRY_VERIFY(named(QStringLiteral("四个阶段")));
        opened.window.appearance().setLanguage(Language::English);
    }

    // A drawer: closed while there is no room, and as it was afterwards; Q opens it all the same.
    void aNarrowWindowClosesTheDock() {
        {
            Opened opened(book_);
            const auto width = [&](int px) {
                opened.window.resize(px, 800);
                QTRY_COMPARE(opened.window.width(), px);
            };
            QTRY_VERIFY(opened.window.numbers().isVisible());
            width(1000);
            QTRY_VERIFY(!opened.window.numbers().isVisible());
            width(1300);
            QTRY_VERIFY(opened.window.numbers().isVisible());
            width(1000);
            opened.action("Numbers")->trigger();
            QVERIFY(opened.window.numbers().isVisible());
            opened.action("Numbers")->trigger();
            opened.window.close();
        }
        QVERIFY(Preferences::load().dock);  // it was open while there was room
    }

    void remembersItsPreferences() {
        {
            Opened opened(book_);
            opened.window.appearance().setThemeChoice(ThemeChoice::Dark);
            opened.window.appearance().setScale(1.5);
            opened.window.viewState().setBubbleDefinition(BubbleDefinition::OfIdeal);
            opened.window.close();
        }
        const Preferences preferences = Preferences::load();
        QCOMPARE(preferences.theme, ThemeChoice::Dark);
        QCOMPARE(preferences.scale, 1.5);
        QVERIFY(preferences.of_ideal);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
