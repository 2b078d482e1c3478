// What becomes of a run when the window closes: it is asked about where it would be lost, kept in a file of
// bounded size, and offered by the next start where the program ended otherwise; and the next start is where
// one was.
#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QTest>
#include <QTimer>

#include "app/lessons/lesson_controller.h"
#include "app/window/closing.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"
#include "wire/recording.h"

namespace tst_closing {

using namespace bscope;
using namespace bscope::ui;

class TestClosing : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();

    // So many iterations of an engine have come, and are kept.
    static void run(OpenedWindow& opened, FakeEngine& engine, const QString& folder, int iterations) {
        opened.window.keepRuns(folder);
        Session& session = part<Session>(opened.window);
        session.connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        const RunConfig config;
        engine.hello(config, wire::RUNNING);
        engine.start(config, 0, 0);
        std::int64_t end_ns = 0;
        for (int i = 0; i < iterations; ++i) end_ns = engine.iteration(config, i, end_ns);
        QTRY_COMPARE(session.history().newestComplete(), iterations - 1);
    }
    static Closing& closing(OpenedWindow& opened) { return part<Closing>(opened.window); }
    static QStringList files(const QString& folder) {
        return QDir(folder).entryList({"*.bscope"}, QDir::Files, QDir::Name);
    }
    static int iterationsIn(const QString& path) {
        int reports = 0;
        RecordingReader reader(path.toStdString());
        reader.readAll([&](const wire::Message& message) { reports += message.has_iteration_report(); });
        return reports;
    }
    static void press(QMessageBox* question, const char* text) {
        for (QAbstractButton* button : question->buttons())
            if (button->text().remove(u'&') == QString::fromUtf8(text)) return button->click();
        QFAIL(text);
    }
    static void note(OpenedWindow& opened) {
        RunNote note;
        note.id = 1;
        note.text = "the second one is slow";
        part<Session>(opened.window).note(note);
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void aRunIsNotLostWithoutAQuestion() {
        QTemporaryDir folder;
        FakeEngine engine;
        OpenedWindow opened(book_);
        run(opened, engine, folder.path(), Closing::kWorthAsking + 1);
        QVERIFY(!opened.window.close());
        QVERIFY(opened.window.isVisible() && closing(opened).question());
        QVERIFY2(closing(opened).question()->text().contains("(21 iterations)"),
                 qPrintable(closing(opened).question()->text()));
        press(closing(opened).question(), "Cancel");
        QTRY_VERIFY(!closing(opened).question());
        QVERIFY(opened.window.isVisible());
        QCOMPARE(files(folder.path()).size(), 1);
        QVERIFY(!opened.window.close());
        press(closing(opened).question(), "Discard");
        QTRY_VERIFY(!opened.window.isVisible());
        QVERIFY(files(folder.path()).isEmpty());
    }

    // Wherever the window is: lessons are none of what is kept.
    void aRunIsAskedAboutFromTheLessonsToo() {
        QTemporaryDir folder;
        FakeEngine engine;
        OpenedWindow opened(book_);
        run(opened, engine, folder.path(), Closing::kWorthAsking + 1);
        opened.window.showView(MainView::Lessons);
        QVERIFY(!opened.window.close());
        QVERIFY(closing(opened).question());
        press(closing(opened).question(), "Discard");
        QTRY_VERIFY(!opened.window.isVisible());
    }

    // Once answered so, and until the menu takes it back; a note is asked about all the same.
    void theQuestionCanBeAskedForTheLastTime() {
        QTemporaryDir folder;
        const auto asks = [] { return Preferences::load().ask_before_discarding; };
        {
            FakeEngine engine;
            OpenedWindow opened(book_);
            run(opened, engine, folder.path(), Closing::kWorthAsking + 1);
            QVERIFY(!opened.window.close());
            closing(opened).question()->checkBox()->setChecked(true);
            press(closing(opened).question(), "Cancel");
            QTRY_VERIFY(!closing(opened).question());
            QVERIFY(!opened.window.close());  // nothing was answered
            closing(opened).question()->checkBox()->setChecked(true);
            press(closing(opened).question(), "Discard");
            QTRY_VERIFY(!opened.window.isVisible());
            QVERIFY(!asks());
        }
        {
            FakeEngine engine;
            OpenedWindow opened(book_, Preferences::load());
            run(opened, engine, folder.path(), Closing::kWorthAsking + 1);
            note(opened);
            QTRY_COMPARE(part<Session>(opened.window).keeper().notes(), 1);
            QVERIFY(!opened.window.close());
            press(closing(opened).question(), "Discard");
            QTRY_VERIFY(!opened.window.isVisible());
        }
        FakeEngine engine;
        OpenedWindow opened(book_, Preferences::load());
        run(opened, engine, folder.path(), Closing::kWorthAsking + 1);
        QAction* const ask = opened.action("Ask before a run is discarded");
        QVERIFY(ask && !ask->isChecked());
        ask->trigger();
        QVERIFY(asks() && !opened.window.close());
        press(closing(opened).question(), "Cancel");
        ask->trigger();
        QVERIFY(opened.window.close());
        QVERIFY(files(folder.path()).isEmpty());
        ask->trigger();  // as other tests know it
    }

    void aFewIterationsAreNotWorthAQuestionANoteIs() {
        QTemporaryDir folder;
        {
            FakeEngine engine;
            OpenedWindow opened(book_);
            run(opened, engine, folder.path(), 2);
            QVERIFY(opened.window.close());
            QVERIFY(files(folder.path()).isEmpty());
        }
        FakeEngine engine;
        OpenedWindow opened(book_);
        run(opened, engine, folder.path(), 1);
        note(opened);
        QVERIFY(!opened.window.close());
        QVERIFY2(closing(opened).question()->text().contains("(1 iteration, 1 note)"),
                 qPrintable(closing(opened).question()->text()));
    }

    void whatIsKeptCanBeOpened() {
        QTemporaryDir folder, chosen;
        const QString path = chosen.filePath("mine.bscope");
        FakeEngine engine;
        OpenedWindow opened(book_);
        run(opened, engine, folder.path(), 22);
        note(opened);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QVERIFY(!opened.window.close());
        QTimer::singleShot(0, &opened.window, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        press(closing(opened).question(), "Keep…");
        QTRY_VERIFY(!opened.window.isVisible());
        QVERIFY(files(folder.path()).isEmpty());
        QCOMPARE(iterationsIn(path), 22);
        bool has_note = false;
        RecordingReader(path.toStdString()).readAll([&](const wire::Message& message) {
            has_note = has_note || message.has_note();
        });
        QVERIFY(has_note);
    }

    // No one is there to answer; what was kept is offered by the next start.
    void theEndOfASessionAsksNothing() {
        QTemporaryDir folder;
        {
            FakeEngine engine;
            OpenedWindow opened(book_);
            run(opened, engine, folder.path(), 30);
            closing(opened).endOfSession();
            QVERIFY(opened.window.close());
            QVERIFY(!closing(opened).question());
            QVERIFY(RunKeeper::leftOver(folder.path()).isEmpty());  // it is still written to
        }
        QCOMPARE(RunKeeper::leftOver(folder.path()).size(), 1);
        OpenedWindow next(book_);
        next.window.keepRuns(folder.path());
        FailureBar& bar = part<FailureBar>(next.window);
        QVERIFY(bar.isVisible() && bar.sentence().contains("ended without closing"));
        Button* open = bar.action(QStringLiteral("open-left-over"));
        QVERIFY(open);
        open->click();
        QTRY_COMPARE(part<Session>(next.window).bars().size(), std::size_t{30});
        QVERIFY(RunKeeper::leftOver(folder.path()).isEmpty());  // not offered again
        QCOMPARE(files(folder.path()).size(), 1);
    }

    void whatIsLeftOverCanBeDiscarded() {
        QTemporaryDir folder;
        recordPlayed(folder.filePath("run-1.bscope"), RunConfig(), 3);
        OpenedWindow next(book_);
        next.window.keepRuns(folder.path());
        Button* discard = part<FailureBar>(next.window).action(QStringLiteral("discard-left-over"));
        QVERIFY(discard);
        discard->click();
        QVERIFY(files(folder.path()).isEmpty());
        QVERIFY(!part<FailureBar>(next.window).isVisible());
    }

    // In number ...
    void onlyTheNewestStay() {
        QTemporaryDir folder;
        for (int i = 0; i < 6; ++i) {
            const QString path = folder.filePath(QStringLiteral("run-%1.bscope").arg(i));
            recordPlayed(path, RunConfig(), 2);
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::fromSecsSinceEpoch(1'700'000'000 + i),
                                     QFileDevice::FileModificationTime));
        }
        const QStringList left = RunKeeper::leftOver(folder.path());
        QCOMPARE(left.size(), RunKeeper::kMostLeftOver);
        QVERIFY(left.front().endsWith("run-5.bscope"));
        QCOMPARE(files(folder.path()).size(), 3);
    }

    // ... and in size: of a long run the last part, in two pieces that can each be opened.
    void aLongRunIsKeptInTwoPieces() {
        QTemporaryDir folder, chosen;
        FakeEngine engine;
        OpenedWindow opened(book_);
        Session& session = part<Session>(opened.window);
        run(opened, engine, folder.path(), 1);
        const qint64 one = QFileInfo(session.keeper().path()).size();
        session.keeper().keepIn(folder.path(), 5 * one);
        const RunConfig config;
        std::int64_t end_ns = session.history().view(0)->ran->end_ns();
        for (int i = 1; i < 40; ++i) end_ns = engine.iteration(config, i, end_ns);
        QTRY_COMPARE(session.history().newestComplete(), 39);
        QCOMPARE(files(folder.path()).size(), 2);
        qint64 bytes = 0;
        for (const QString& name : files(folder.path())) bytes += QFileInfo(folder.filePath(name)).size();
        QVERIFY2(bytes < 13 * one, qPrintable(QString("%1 %2").arg(bytes).arg(one)));
        const int kept = session.keeper().iterations();
        QVERIFY2(kept >= 5 && kept < 40, qPrintable(QString::number(kept)));
        QCOMPARE(session.keeper().saveAs(chosen.filePath("long.bscope")), QString());
        QCOMPARE(iterationsIn(chosen.filePath("long.bscope")) +
                     iterationsIn(chosen.filePath("long-earlier.bscope")),
                 kept);
        QVERIFY(files(folder.path()).isEmpty());
    }

    void theNextStartIsWhereOneWas_data() {
        QTest::addColumn<MainView>("from");
        QTest::addColumn<bool>("in_a_lesson");
        QTest::newRow("timeline") << MainView::Timeline << false;
        QTest::newRow("list of lessons") << MainView::Lessons << false;
        QTest::newRow("lesson") << MainView::Timeline << true;
    }
    void theNextStartIsWhereOneWas() {
        QFETCH(MainView, from);
        QFETCH(bool, in_a_lesson);
        {
            OpenedWindow opened(book_);
            RunConfig config = part<Session>(opened.window).wanted();
            config.schedule = "gpipe";
            config.params.p = 2;
            config.params.m = 6;
            config.recompute = Recompute::Full;
            part<Session>(opened.window).edit(config);
            ViewState& state = canvasOf(opened.window).state();
            state.setTimeUnit(TimeUnit::MedianForward);
            Layers layers = state.layers();
            layers.critical_path = layers.checkpointing = layers.memory_bands = true;
            layers.bubbles = false;
            state.setLayers(layers);
            opened.window.showView(from);
            if (in_a_lesson) part<LessonController>(opened.window).openFirst();
            QVERIFY(opened.window.close());
        }
        OpenedWindow next(book_, Preferences::load());
        wire::Scenario scenario;
        *scenario.mutable_config() = toWire(RunConfig());
        next.window.startWhereOneWas(scenario);
        const RunConfig& now = part<Session>(next.window).wanted();
        QCOMPARE(now.schedule, std::string("gpipe"));
        QCOMPARE(now.params.p, 2);
        QCOMPARE(now.params.m, 6);
        QCOMPARE(now.recompute, Recompute::Full);
        QCOMPARE(canvasOf(next.window).state().timeUnit(), TimeUnit::MedianForward);
        const Layers& layers = canvasOf(next.window).state().layers();
        QVERIFY(layers.critical_path && layers.checkpointing && layers.memory_bands && !layers.bubbles);
    }

    // Written by hand, or by another version.
    void whatCannotRunIsNotStarted() {
        Preferences preferences;
        preferences.last_run = LastRun{QStringLiteral("interleaved"), 4, 3, 2, Recompute::None};
        OpenedWindow opened(book_, preferences);
        wire::Scenario scenario;
        *scenario.mutable_config() = toWire(RunConfig());
        opened.window.startWhereOneWas(scenario);
        QCOMPARE(part<Session>(opened.window).wanted(), RunConfig());
    }
};

BUBBLESCOPE_WINDOW_TEST(TestClosing)

}  // namespace tst_closing

#include "tst_closing.moc"
