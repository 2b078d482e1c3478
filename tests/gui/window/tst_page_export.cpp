// Pages: the window's menu, its command line and `bscope export --html` write the same file.
#include <QSignalSpy>
#include <QTest>

#include "app/export/figure_exporter.h"
#include "bscope_process.h"
#include "opened_window.h"
#include "played_run.h"
#include "registered_test.h"

namespace tst_page_export {

using namespace bscope;
using namespace bscope::ui;

class TestPageExport : public QObject {
    Q_OBJECT
    LessonBook book_ = LessonBook::embedded();
    QTemporaryDir folder_;

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static Outcome windowRun(const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment environment = inEnglish();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(BUBBLESCOPE_BIN_DIR "/bubblescope"), arguments);
        process.waitForFinished(120'000);
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError(), false};
    }
    QString recorded(const char* name) {
        const QString path = folder_.filePath(QString::fromLatin1(name));
        RunConfig config = smallRun();
        recordPlayed(path, config, 3);
        return path;
    }

private slots:
    void initTestCase() { OpenedWindow::useBuiltEngine(); }

    void theProgramWritesWhatBscopeWrites() {
        const QString run = recorded("run.bscope"), other = recorded("other.bscope");
        for (const QStringList& files : {QStringList{run}, QStringList{run, other}})
            for (const char* language : {"en", "zh"}) {
                const QString of_engine = folder_.filePath("engine.html"),
                              of_window = folder_.filePath("window.html");
                QCOMPARE(
                    bscopeRun(QStringList{"export", "--html", of_engine, "--lang", language} + files).code,
                    0);
                const Outcome made =
                    windowRun(QStringList{"--export", of_window, "--lang", language} + files);
                QVERIFY2(made.code == 0, made.errors);
                QVERIFY(contentOf(of_engine).size() > 10'000);
                QCOMPARE(contentOf(of_window), contentOf(of_engine));
            }
    }

    void theMenuWritesTheShownIteration() {
        const QString run = recorded("shown.bscope"), of_engine = folder_.filePath("shown-engine.html"),
                      of_window = folder_.filePath("shown-window.html");
        OpenedWindow opened(book_);
        Session& session = part<Session>(opened.window);
        session.openRecording(run, Replayer::Show::Whole);
        QTRY_COMPARE(session.bars().size(), std::size_t(3));
        session.select(1);
        QTRY_COMPARE(canvasOf(opened.window).views().front().iteration, 1);
        auto& exporter = part<FigureExporter>(opened.window);
        QSignalSpy written(&exporter, &FigureExporter::written);
        QSignalSpy failed(&exporter, &FigureExporter::failed);
        exporter.writePage(of_window);
        QTRY_COMPARE_WITH_TIMEOUT(written.size() + failed.size(), 1, 60'000);
        QVERIFY2(failed.isEmpty(),
                 qPrintable(failed.isEmpty() ? QString() : failed.front().front().toString()));
        QCOMPARE(bscopeRun({"export", "--html", of_engine, "--iteration", "2", "--lang", "en", run}).code, 0);
        QVERIFY(contentOf(of_engine).contains("iteration 2"));
        QCOMPARE(contentOf(of_window), contentOf(of_engine));
    }

    // As far as it has come; it goes on, and what it is kept in stays.
    void aRunThatIsNotSavedBecomesAPage() {
        OpenedWindow opened(book_);
        opened.window.keepRuns(folder_.filePath("kept"));
        opened.trainAndPause(smallRun());
        Session& session = part<Session>(opened.window);
        session.select(1);
        QTRY_COMPARE(canvasOf(opened.window).views().front().iteration, 1);
        auto& exporter = part<FigureExporter>(opened.window);
        QSignalSpy written(&exporter, &FigureExporter::written);
        QSignalSpy failed(&exporter, &FigureExporter::failed);
        const QString page = folder_.filePath("unsaved.html"), kept = session.keeper().path();
        exporter.writePage(page);
        QTRY_COMPARE_WITH_TIMEOUT(written.size() + failed.size(), 1, 60'000);
        QVERIFY2(failed.isEmpty(),
                 qPrintable(failed.isEmpty() ? QString() : failed.front().front().toString()));
        const QByteArray text = contentOf(page);
        QVERIFY(text.contains("iteration 2") && text.contains("RECONSTRUCTED"));
        QVERIFY(text.contains("1f1b_p2_m4") || text.contains("1F1B_p2_m4"));  // its name, not that of a copy
        QCOMPARE(session.keeper().path(), kept);
        QVERIFY(QFileInfo::exists(kept));
        session.keeper().discard();
    }

    void whatIsNotRecordedIsRefusedInWords() {
        OpenedWindow opened(book_);
        auto& exporter = part<FigureExporter>(opened.window);
        QSignalSpy failed(&exporter, &FigureExporter::failed);
        exporter.writePage(folder_.filePath("none.html"));
        QCOMPARE(failed.size(), 1);
        QVERIFY(part<FailureBar>(opened.window).isVisible());
        const Outcome refused = windowRun({"--export", folder_.filePath("none.html"), "--width", "85"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.errors.contains("needs recordings or a training to import"), refused.errors);
        QVERIFY2(refused.errors.contains("--width cannot be used for a page"), refused.errors);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestPageExport)

}  // namespace tst_page_export

#include "tst_page_export.moc"
