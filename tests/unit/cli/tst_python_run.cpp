// bubblescope.Run, the module of the wheel: a run as Python values is what the program prints of it. The
// package is laid out as an installation has it; pandas is stood in for by a list of rows.
#include <QDir>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_python_run {

using namespace bscope;

namespace {

const QString kImported =
    QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs/kineto-interleaved-p2-v2-m4");

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    file.write(text);
}

}  // namespace

class TestPythonRun : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    // What Python prints of the lines; `run` is the recording, `imported` the folder of another program's
    // run.
    QString python(const QByteArray& lines) {
        QProcess process;
        QProcessEnvironment environment = inEnglish();
        environment.insert("PYTHONPATH", folder_.path());
        environment.insert("PYTHONDONTWRITEBYTECODE", "1");
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder_.path());
        process.start("python3", {"-c", "import json, bubblescope\nfrom bubblescope import Run\n" + lines});
        process.waitForFinished(300'000);
        const QString failed = QString::fromUtf8(process.readAllStandardError());
        return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
                                       : failed;
    }

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is missing");
        const QDir package(folder_.filePath("bubblescope"));
        QVERIFY(QDir().mkpath(package.filePath("bin")) &&
                QDir().mkpath(folder_.filePath("bubblescope-1.dist-info")));
        const QDir sources(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/integrations/python/bubblescope"));
        for (const QString& source : sources.entryList({"*.py"}))
            QVERIFY(QFile::copy(sources.filePath(source), package.filePath(source)));
        QVERIFY(QFile::link(bscopeProgram(), package.filePath("bin/bscope")));
        write(folder_.filePath("bubblescope-1.dist-info/METADATA"),
              "Metadata-Version: 2.1\nName: bubblescope\nVersion: 1\n");
        write(folder_.filePath("pandas.py"), "def DataFrame(rows): return rows\n");
        const Outcome ran =
            bscopeRun(QStringList{"run", "--schedule", "1f1b", "-p", "2", "-m", "4", "--iterations", "2",
                                  "--record", folder_.filePath("run.bscope")} +
                      tinyModel());
        QVERIFY2(ran.code == 0, ran.errors.constData());
    }

    void numbersAreThoseOfTheProgram() {
        const Outcome replayed = bscopeRun({"replay", "--json", folder_.filePath("run.bscope")});
        const QString printed = python(
            "for each in Run('run.bscope').iterations:\n"
            "  print(json.dumps([each.iteration, each.iteration_ms, each.bubble_of_total, "
            "each.bubble_of_ideal,\n"
            "                    each.provenance, [rank.peak_in_flight for rank in each.ranks]]))");
        const QStringList rows = printed.split('\n');
        const QList<QJsonObject> lines = replayed.json();
        QCOMPARE(rows.size(), lines.size());
        for (int at = 0; at < rows.size(); ++at) {
            const QJsonArray row = QJsonDocument::fromJson(rows[at].toUtf8()).array();
            QVERIFY2(row.size() == 6, qPrintable(printed));
            const char* const names[] = {"iteration", "iteration_ms", "bubble_of_total", "bubble_of_ideal",
                                         "provenance"};
            for (int column = 0; column < 5; ++column) QCOMPARE(row[column], lines[at][names[column]]);
            const QJsonArray ranks = lines[at]["ranks"].toArray();
            for (int rank = 0; rank < ranks.size(); ++rank)
                QCOMPARE(row[5].toArray()[rank], ranks[rank].toObject()["peak_in_flight"]);
        }
    }

    void ordersEventsAndCausesAreThere() {
        QCOMPARE(python("run = Run('run.bscope')\nprint(*run.iterations[-1].order(1)[:4])"),
                 "1F0 1B0 1F1 1B1");
        QCOMPARE(
            python("run = Run('run.bscope')\nlast = run.iterations[-1]\n"
                   "busy = sum(e.end_ns - e.start_ns for e in last.events if e.rank == 0 and e.op in 'FBR')\n"
                   "print(abs(busy / 1e6 - last.ranks[0].busy_ms) < 1e-6)"),
            "True");
        QCOMPARE(python("causes = Run('run.bscope').iterations[-1].causes\n"
                        "print(abs(sum(causes.causes_ms.values()) - causes.idle_ms) < 1e-6, "
                        "bool(causes.gaps[0].words))"),
                 "True True");
        QCOMPARE(
            python(
                "run = Run('run.bscope')\n"
                "print(len(run.events_frame()) == len(run.events), run.iterations_frame()[-1]['schedule'])"),
            "True 1f1b");
    }

    void anImportIsARun() {
        QCOMPARE(python("run = Run('" + kImported.toUtf8() +
                        "')\nlast = run.iterations[-1]\nprint(last.schedule, last.provenance, last.p, "
                        "last.v, last.m)"),
                 "interleaved IMPORTED 2 2 4");
    }

    void aNotebookShowsThePage() {
        QCOMPARE(python("page = Run('run.bscope')._repr_html_()\n"
                        "print(page.startswith('<iframe srcdoc='), '&lt;svg' in page, '<svg' in page)"),
                 "True True False");
    }

    void whatIsNoRunIsRefusedInTheProgramsWords() {
        QVERIFY(python("try: Run('missing.bscope')\nexcept bubblescope.RunError as error: print(error)")
                    .contains("missing.bscope"));
        QVERIFY(python("try: Run()\nexcept bubblescope.RunError as error: print(error)")
                    .contains("name a recording"));
    }
};

BUBBLESCOPE_TEST(TestPythonRun)

}  // namespace tst_python_run

#include "tst_python_run.moc"
