// Reduced motion: what the desktop says of it, and that recordings wait and whole iterations follow each
// other. Pictures of two runs without a window.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/export/export_job.h"
#include "app/session/session.h"
#include "app/settings/motion.h"
#include "fake_engine.h"
#include "registered_test.h"

namespace tst_still_pictures {

using namespace bscope;
using namespace bscope::ui;

class TestStillPictures : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    void put(const char* name, const char* text) const {
        const QString path = folder_.filePath(QLatin1String(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QString recorded(const char* name, int m, int iterations) const {
        const QString path = folder_.filePath(QLatin1String(name));
        RunConfig config;
        config.params.m = m;
        recordPlayed(path, config, iterations);
        return path;
    }
    static std::pair<bool, QString> exported(const ProgramOptions& options) {
        ExportJob job(options, RunConfig(), 1);
        QSignalSpy finished(&job, &ExportJob::finished);
        job.start();
        if (finished.isEmpty() && !finished.wait(20'000)) return {false, QStringLiteral("nothing came")};
        return {finished[0][0].toBool(), finished[0][1].toString()};
    }

private slots:
    void whatTheDesktopSays_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("reduced");
        QTest::newRow("nothing") << QByteArray("a/none") << QByteArray() << false;
        QTest::newRow("kde, none") << QByteArray("b/kdeglobals")
                                   << QByteArray("[KDE]\nAnimationDurationFactor=0\n") << true;
        QTest::newRow("kde, slower") << QByteArray("c/kdeglobals")
                                     << QByteArray("[KDE]\nAnimationDurationFactor=1.5\n") << false;
        QTest::newRow("gtk, none") << QByteArray("d/gtk-3.0/settings.ini")
                                   << QByteArray("[Settings]\ngtk-enable-animations=false\n") << true;
        QTest::newRow("gtk 4, none") << QByteArray("e/gtk-4.0/settings.ini")
                                     << QByteArray("[Settings]\ngtk-enable-animations=0\n") << true;
        QTest::newRow("gtk, all") << QByteArray("f/gtk-3.0/settings.ini")
                                  << QByteArray("[Settings]\ngtk-enable-animations=true\n") << false;
    }
    void whatTheDesktopSays() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, text);
        QFETCH(bool, reduced);
        put(file.constData(), text.constData());
        QCOMPARE(desktopReducesMotion(folder_.filePath(QString::fromLatin1(file.left(1)))), reduced);
    }

    void aRecordingWaits() {
        const QString path = recorded("waits.bscope", 8, 3);
        for (const bool reduced : {false, true}) {
            Session session;
            session.setReducedMotion(reduced);
            QSignalSpy loaded(&session.replayer(), &Replayer::loaded);
            session.openRecording(path);
            QTRY_COMPARE(loaded.size(), 1);
            QCOMPARE(session.replayer().playing(), !reduced);
            if (reduced) QCOMPARE(session.shownIteration(), 2);
            if (reduced) QVERIFY(session.shown().report);  // whole
        }
    }

    void twoRunsInOnePicture() {
        ProgramOptions options;
        options.files = {recorded("a.bscope", 8, 2)};
        options.beside = recorded("b.bscope", 4, 3);
        options.export_path = folder_.filePath(QStringLiteral("both.svg"));
        options.export_format = FigureFormat::Svg;
        options.figure.svg_text = SvgText::Text;
        for (const Alignment alignment : {Alignment::Start, Alignment::LastForward}) {
            options.alignment = alignment;
            const auto [written, sentence] = exported(options);
            QVERIFY2(written && sentence.contains(QStringLiteral("iteration a #2, and b #3 below it")),
                     qPrintable(sentence));
            QFile file(options.export_path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray picture = file.readAll();
            QVERIFY(picture.contains("This a #2") && picture.contains("Baseline b #3"));
        }
        options.side_by_side = true;
        const auto [in_columns, said] = exported(options);
        QVERIFY2(in_columns && said.contains(QStringLiteral("iteration a #2, and b #3 beside it")),
                 qPrintable(said));
        // The same iteration twice is drawn once, and that is said.
        options.beside = options.files.front();
        const auto [once, why] = exported(options);
        QVERIFY2(once && why.contains(QStringLiteral("iteration 2, drawn once")), qPrintable(why));
        options.beside = folder_.filePath(QStringLiteral("none.bscope"));
        const auto [written, sentence] = exported(options);
        QVERIFY2(!written && sentence.contains(QStringLiteral("none.bscope")), qPrintable(sentence));
    }

    // Plans below each other from the command line, with costs by hand, on one time axis; nothing runs.
    void plansBelowEachOther() {
        QStringList problems;
        ProgramOptions options =
            parseOptions({"bubblescope", "--predicted", "--costs", "1,1,1", "--below", "gpipe,zb-h1",
                          "--width", "85", "--plan", "solid", "--boxes-only", "--arrows", "2", "--svg-text",
                          "text", "--export", folder_.filePath("plans.svg")},
                         problems);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u' ')));
        QCOMPARE(options.figure.arrows_of, 1);
        const auto [written, sentence] = exported(options);
        QVERIFY2(written && sentence.contains("the plan of 1F1B"), qPrintable(sentence));
        QFile file(options.export_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        for (const char* word : {"1F1B", "GPipe", "ZB-H1", "F = 1", "I = 1", "W = 1"})
            QVERIFY2(svg.contains(word), word);
        QVERIFY(svg.count(">PREDICTED") >= 3);
        options.below = {"dualpipe"};
        options.predicted = true;
        RunConfig odd;
        odd.params.m = 3;
        ExportJob job(options, odd, 1);
        QSignalSpy finished(&job, &ExportJob::finished);
        job.start();
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(!finished[0][0].toBool());
        QVERIFY2(finished[0][1].toString().contains("DualPipe cannot be drawn below"),
                 qPrintable(finished[0][1].toString()));
    }

    void theRunsCostsMakeThePlansBelow() {
        ProgramOptions options;
        options.files = {recorded("costs.bscope", 8, 2)};
        options.below = {"gpipe"};
        options.export_path = folder_.filePath("below.svg");
        options.export_format = FigureFormat::Svg;
        options.figure.svg_text = SvgText::Text;
        const auto [written, sentence] = exported(options);
        QVERIFY2(written, qPrintable(sentence));
        QFile file(options.export_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("GPipe") && svg.contains("PREDICTED"));
    }

    void illegalFigureOptionsAreAllNamed() {
        QStringList problems;
        parseOptions({"bubblescope", "--width", "3", "--caption", "tiny", "--plan", "dotted", "--arrows", "x",
                      "--svg-text", "curves", "--costs", "1,2", "--below", "gpip", "--export", "a.svg"},
                     problems);
        QCOMPARE(problems.size(), 7);
        problems.clear();
        parseOptions({"bubblescope", "--no-legend", "--width", "85"}, problems);
        QCOMPARE(problems.size(), 2);
    }

    void optionsThatGoTogether() {
        QStringList problems;
        parseOptions({QStringLiteral("bubblescope"), QStringLiteral("--beside"), QStringLiteral("b.bscope")},
                     problems);
        QCOMPARE(problems.size(), 1);
        problems.clear();
        parseOptions({QStringLiteral("bubblescope"), QStringLiteral("--side-by-side")}, problems);
        QCOMPARE(problems, QStringList{QStringLiteral("--side-by-side is for --beside.")});
        problems.clear();
        const ProgramOptions options =
            parseOptions({QStringLiteral("bubblescope"), QStringLiteral("a.bscope"),
                          QStringLiteral("--beside"), QStringLiteral("b.bscope"), QStringLiteral("--align"),
                          QStringLiteral("cool-down"), QStringLiteral("--export"), QStringLiteral("c.svg")},
                         problems);
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u' ')));
        QVERIFY(options.alignment == Alignment::LastForward);
    }
};

BUBBLESCOPE_WINDOW_TEST(TestStillPictures)

}  // namespace tst_still_pictures

#include "tst_still_pictures.moc"
