// What the window writes and reads, of a real engine (bscope serve): recordings, exports, and what they are
// named.
#include <QApplication>
#include <QFileDialog>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>

#include "app/export/figure_exporter.h"
#include "app/lessons/lesson_controller.h"
#include "app/tune/tune_controller.h"
#include "fake_engine.h"
#include "opened_window.h"
#include "registered_test.h"

namespace tst_main_window_files {

using namespace bscope;
using namespace bscope::ui;

class TestMainWindowFiles : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    // A file in which the words can be found.
    static FigureOptions words() {
        FigureOptions options;
        options.svg_text = SvgText::Text;
        return options;
    }

    // Presses the sheet's button and names the file.
    static void saveAs(ExportSheet& sheet, const QString& path) {
        QTimer::singleShot(0, &sheet, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->selectFile(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        for (QPushButton* button : sheet.findChildren<QPushButton*>())
            if (button->isDefault()) return button->click();
    }

    QStringList recentFiles(OpenedWindow& opened) const {
        QStringList names;
        for (QMenu* menu : opened.window.findChildren<QMenu*>()) {
            if (!menu->title().contains(QLatin1String("recent"))) continue;
            emit menu->aboutToShow();
            for (QAction* action : menu->actions()) names << action->text();
        }
        return names;
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void recordsAndReplays() {
        const QString path = folder_.filePath(QStringLiteral("run.bscope"));
        OpenedWindow opened(book_);
        MainWindow& w = opened.window;
        opened.runSmall();
        QVERIFY(part<Session>(w).startRecording(path));
        const int from = part<Session>(w).history().newestComplete();
        QTRY_VERIFY_WITH_TIMEOUT(part<Session>(w).history().newestComplete() >= from + 3, kEngineMs);
        part<Session>(w).stopRecording();
        part<Session>(w).pause();
        QTRY_COMPARE_WITH_TIMEOUT(part<Session>(w).state(), SessionState::Paused, kEngineMs);

        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&w, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&w, &drop);
        QTRY_VERIFY(!canvasOf(w).views().empty() && canvasOf(w).views().front().recording);
        QVERIFY(part<Session>(w).bars().size() >= 2);
        part<Session>(w).pause();
        const int first = part<Session>(w).bars().front().iteration;
        part<Session>(w).select(first);
        QTRY_COMPARE(canvasOf(w).views().front().iteration, first);
        QVERIFY(canvasOf(w).views().front().recording);
        QVERIFY(canvasOf(w).views().front().summary);
        part<Session>(w).closeRecording();
        QTRY_COMPARE(part<Session>(w).state(), SessionState::Paused);
    }

    void exportsWhatIsShown() {
        OpenedWindow opened(book_);
        for (const char* name : {"plan.png", "plan.svg", "plan.pdf"}) {
            const QString path = folder_.filePath(QString::fromLatin1(name));
            QVERIFY(part<FigureExporter>(opened.window).writeTo(path, {}));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(!part<FigureExporter>(opened.window).writeTo(QStringLiteral("/nowhere/plan.png"), {}));
        QVERIFY(part<FailureBar>(opened.window).isVisible());
    }

    // While an iteration runs, the picture is that of the last complete one, with its numbers and parameters.
    void exportsNoHalfIteration() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        RunConfig config;
        config.slow_ranks = {{1, 1.5}};
        part<Session>(opened.window).connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(config, wire::RUNNING);
        engine.start(config, 0, 0);
        const std::int64_t end_ns = engine.iteration(config, 0, 0);
        engine.iteration(config, 1, end_ns, false);
        QTRY_COMPARE(part<Session>(opened.window).shownIteration(), 1);
        QTRY_VERIFY(canvasOf(opened.window).views().front().now_ns >= 0);
        const QString path = folder_.filePath(QStringLiteral("whole.svg"));
        QVERIFY(part<FigureExporter>(opened.window).writeTo(path, words()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("Iteration 1 of a GPT"));
        QVERIFY(text.contains("1.5 times"));
    }

    // Before the first is complete there is no whole one; the picture says how far it came.
    void exportsTheFirstIterationAsIncomplete() {
        FakeEngine engine;
        OpenedWindow opened(book_);
        const RunConfig config;
        part<Session>(opened.window).connectTo({"127.0.0.1", engine.port(), {}}, false);
        QTRY_VERIFY(engine.last(wire::Message::kAttach));
        engine.hello(config, wire::RUNNING);
        engine.start(config, 0, 0);
        engine.iteration(config, 0, 0, false);
        QTRY_VERIFY(canvasOf(opened.window).views().front().now_ns > 0);
        const QString path = folder_.filePath(QStringLiteral("first.svg"));
        QVERIFY(part<FigureExporter>(opened.window).writeTo(path, words()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("incomplete, up to"));
        QVERIFY(text.contains("Incomplete: "));
    }

    // Training goes on behind the dialog: what is written is what was there when it was asked for.
    void exportsWhatItsNameSays() {
        OpenedWindow opened(book_);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QString path = folder_.filePath(QStringLiteral("named.svg"));
        RunConfig later = part<Session>(opened.window).wanted();
        QVERIFY(later.params.m != 5);
        later.params.m = 5;
        auto& exporter = part<FigureExporter>(opened.window);
        FigureChoices choices;
        choices.format = FigureFormat::Svg;
        choices.svg_text = SvgText::Text;
        exporter.setChoices(choices, folder_.path());
        exporter.openSheet();
        QVERIFY(exporter.sheet());
        part<Session>(opened.window).edit(later);
        saveAs(*exporter.sheet(), path);
        QVERIFY(!exporter.sheet() || !exporter.sheet()->isVisible());
        QCOMPARE(part<Session>(opened.window).shown().config, later);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("m=8"));
        QVERIFY(!text.contains("m=5"));
    }

    // What was written is remembered as a folder; what cannot be opened is not offered.
    void picturesAreNoRecentFiles() {
        const QString run = folder_.filePath("recent.bscope"), gone = folder_.filePath("gone.bscope");
        recordPlayed(run, RunConfig(), 2);
        Preferences preferences;
        preferences.recent_files = {run, folder_.filePath("former.pdf"), gone};
        OpenedWindow opened(book_, preferences);
        QCOMPARE(recentFiles(opened), QStringList{"recent.bscope"});
        QVERIFY(part<FigureExporter>(opened.window).writeTo(folder_.filePath("now.svg"), {}));
        QCOMPARE(recentFiles(opened), QStringList{"recent.bscope"});
        opened.window.close();
        QCOMPARE(Preferences::load().exportFolder(), folder_.path());
    }

    // One message, the path in it once, and what is open keeps its name.
    void aPictureIsNoRecording() {
        const QString path = folder_.filePath("w.pdf");
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("%PDF-1.5\n%no recording");
        }
        OpenedWindow opened(book_);
        const auto corner = [&] {
            QStringList texts;
            for (Label* label : opened.window.findChildren<Label*>())
                if (label->text().contains("recording")) texts << label->text();
            return texts;
        };
        const QStringList before = corner();
        QVERIFY(!before.isEmpty());
        opened.window.openFiles({path});
        FailureBar& bar = part<FailureBar>(opened.window);
        QTRY_VERIFY(bar.isVisible());
        QString said;
        for (QLabel* label : bar.findChildren<QLabel*>()) said += label->text() + u' ';
        QCOMPARE(said.count(path), 1);
        QVERIFY2(said.contains("not a Bubblescope recording"), qPrintable(said));
        for (const QString& text : corner()) QVERIFY2(!text.contains("w.pdf ·"), qPrintable(text));
        QCOMPARE(recentFiles(opened), QStringList{"None yet"});
    }

    void theScenarioIsNamedInTheWindowsLanguage() {
        OpenedWindow opened(book_);
        wire::Scenario scenario;
        scenario.mutable_title()->set_en("Four stages");
        scenario.mutable_title()->set_zh("四个阶段");
        opened.window.openScenario(scenario, false);
        const auto named = [&](const QString& title) {
            const QList<Label*> labels = opened.window.findChildren<Label*>();
            return std::ranges::any_of(labels, [&](Label* each) { return each->text().startsWith(title); });
        };
        QVERIFY(named("Four stages"));
        part<Appearance>(opened.window).setLanguage(Language::Chinese);
        QTRY_VERIFY(named(QStringLiteral("四个阶段")));
        part<Appearance>(opened.window).setLanguage(Language::English);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestMainWindowFiles)

}  // namespace tst_main_window_files

#include "tst_main_window_files.moc"
