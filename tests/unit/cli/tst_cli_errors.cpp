// What is wrong on a command line is reported completely and leads to exit 2; what goes wrong while running,
// to exit 1.
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_cli_errors {

using namespace bscope;

class TestCliErrors : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void everyProblemIsReported() {
        const auto outcome = bscopeRun({"run",   "--iteratoins", "5",       "-p",
                                        "four",  "-m",           "0",       "--hidden",
                                        "100",   "--heads",      "3",       "--recompute",
                                        "ful",   "--clock",      "sundial", "--slow-rank",
                                        "9=0.5", "--seed",       "-1",      "--layers-per-stage",
                                        "3,x",   "--device",     "abacus",  "--iterations",
                                        "0",     "--lr"});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.out.isEmpty());
        for (const char* part : {"no option --iteratoins; did you mean --iterations?", "-p four", "m = 0",
                                 "heads = 3", "--recompute ful", "none, full, selective", "--clock sundial",
                                 "rank 9", "0.5", "--seed -1", "--layers-per-stage 3,x", "--device abacus",
                                 "--iterations 0", "--lr lacks its value", "--help"})
            QVERIFY2(outcome.errors.contains(part),
                     qPrintable(QString("missing: %1 in\n%2").arg(part, QString::fromUtf8(outcome.errors))));
    }

    // The legal ones are listed once, however many options resemble none of them.
    void unlikeOptionsAreReportedTogether() {
        const auto outcome = bscopeRun({"run", "--an-elephant", "3", "--iteratoins", "5", "--of-paper=2"});
        QCOMPARE(outcome.code, 2);
        for (const char* part :
             {"there are no options --an-elephant, --of-paper; legal: ", "did you mean --iterations?"})
            QVERIFY2(outcome.errors.contains(part), outcome.errors);
        QCOMPARE(outcome.errors.count("--slow-rank"), 1);
    }

    void theVersionSaysWhatIsBuiltIn() {
        const auto outcome = bscopeRun({"--version", "--json"});
        QCOMPARE(outcome.code, 0);
        const QJsonObject built = QJsonDocument::fromJson(outcome.out).object();
        QCOMPARE(built["version"].toString(), QStringLiteral(BUBBLESCOPE_VERSION));
        QVERIFY(built["mpi"].isBool() && built["databases"].isBool() && built["stream_version"].toInt() > 0);
    }

    void illegalLinesExitWithTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentioned");
        QTest::newRow("nothing") << QStringList{} << "Usage";
        QTest::newRow("unknown command") << QStringList{"rnu"} << "did you mean run?";
        QTest::newRow("far command") << QStringList{"cook"} << "legal: run, generate, schedule";
        QTest::newRow("stray word") << QStringList{"run", "fast"} << "unexpected argument fast";
        QTest::newRow("unknown schedule") << QStringList{"run", "--schedule", "2f2b"} << "1f1b";
        QTest::newRow("multiple of p")
            << QStringList{"schedule", "interleaved", "-p", "4", "-v", "2", "-m", "6"}
            << "nearest legal values: 4, 8";
        QTest::newRow("no schedule") << QStringList{"schedule"} << "--list";
        QTest::newRow("costs") << QStringList{"schedule", "1f1b", "--costs", "F=-1"} << "F=1,I=1,W=1,C=0";
        QTest::newRow("endless costs")
            << QStringList{"schedule", "1f1b", "--costs", "F=1e308"} << "from 0 to";
        QTest::newRow("no legal m") << QStringList{"sweep", "--m", "0,-1"} << "";
        QTest::newRow("two formats") << QStringList{"schedule", "1f1b", "--csv", "--json"} << "choose one";
        QTest::newRow("no recording") << QStringList{"replay"} << "which recording";
        QTest::newRow("no target") << QStringList{"export", "x.bscope"} << "--chrome";
        QTest::newRow("open to all") << QStringList{"serve", "--listen", "0.0.0.0:0"} << "--token-file";
        QTest::newRow("no address") << QStringList{"serve", "--listen", "here"} << "127.0.0.1:0";
        QTest::newRow("port") << QStringList{"serve", "--listen", "127.0.0.1:70000"} << "127.0.0.1:0";
        QTest::newRow("token file") << QStringList{"serve", "--token-file", "/no/such/file"} << "first line";
        for (const char* special : {"/dev/full", "/dev/null"}) {
            const QString file = special;
            QTest::addRow("record to %s", special)
                << QStringList{"run", "--record", file} << "not a regular file";
            QTest::addRow("save to %s", special)
                << QStringList{"run", "--save", file} << "not a regular file";
            QTest::addRow("keep in %s", special)
                << QStringList{"serve", "--keep-every", "1", "--keep", file} << "not a regular file";
        }
        QTest::newRow("config file") << QStringList{"run", "--config", "/no/such.json"} << "/no/such.json";
        QTest::newRow("scenario") << QStringList{"run", "--scenario", "no-such-lesson"} << "no-such-lesson";
        QTest::newRow("memory cap") << QStringList{"run", "--memory-cap-mb", "0.001"} << "more than the cap";
        QTest::newRow("data") << QStringList{"run", "--data", "/no/such/text"} << "/no/such/text";
        QTest::newRow("sweep list") << QStringList{"sweep", "--m", "1;2"} << "--m 1;2";
        QTest::newRow("verify") << QStringList{"verify", "--schedule", "most"} << "most";
        QTest::newRow("forward only") << QStringList{"verify", "--schedule", "forward-only"} << "forward";
        QTest::newRow("doctor") << QStringList{"doctor", "--cure"} << "--cure";
        QTest::newRow("ranks") << QStringList{"ranks", "-p", "0"} << "p = 0 must lie between 1 and 65536";
        QTest::newRow("ranks, all that is wrong")
            << QStringList{"ranks", "-p", "0", "-d", "-1"} << "d = -1 must lie between 1 and 65536";
        QTest::newRow("too many ranks") << QStringList{"ranks", "-p", "65536", "-d", "65536"}
                                        << "world = 4294967296 must lie between 1 and 65536";
        QTest::newRow("sizes whose product no integer holds")
            << QStringList{"ranks", "-p", "2147483647", "-d", "2147483647", "-t", "2147483647"}
            << "t = 2147483647 must lie between 1 and 65536";
        QTest::newRow("world") << QStringList{"ranks", "-p", "3", "--world", "8"}
                               << "must be p d = 3 x 1 = 3";
        for (const char* option : {"--record", "--save"})
            QTest::newRow(option) << QStringList{"run", option, "/no/such/folder/x"} << option;
        QTest::newRow("--dump") << QStringList{"run", "--dump", BUBBLESCOPE_SOURCE_DIR "/LICENSE/x"}
                                << "--dump";
        QTest::newRow("--keep") << QStringList{"run", "--keep-every", "1", "--keep",
                                               BUBBLESCOPE_SOURCE_DIR "/LICENSE/x"}
                                << "--keep";
        QTest::newRow("a folder") << QStringList{"run", "--save", folder_.path()} << "it is a folder";
        QTest::newRow("one file twice")
            << QStringList{"run", "--save", "a.bscope", "--record", "./a.bscope"} << "both name";
        QTest::newRow("export") << QStringList{"export", "x.bscope", "--csv", "/no/such/folder/x"}
                                << "--csv /no/such/folder/x";
        QTest::newRow("export over itself")
            << QStringList{"export", "x.bscope", "--csv", "x.bscope"} << "both name x.bscope";
    }
    void illegalLinesExitWithTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentioned);
        const auto outcome = bscopeRun(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY(!outcome.crashed);
        QVERIFY2(QString::fromUtf8(outcome.errors).contains(mentioned), outcome.errors);
    }

    void runtimeFailuresExitWithOne_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("mentioned");
        QTest::newRow("no such recording") << QStringList{"replay", "/no/such.bscope"} << "No such file";
        QTest::newRow("not a recording")
            << QStringList{"replay", bscopeProgram()} << "not a Bubblescope recording";
        QTest::newRow("foreign address") << QStringList{"serve", "--listen", "192.0.2.1:7000", "--token-file",
                                                        BUBBLESCOPE_SOURCE_DIR "/LICENSE"}
                                         << "cannot listen on 192.0.2.1:7000";
    }
    void runtimeFailuresExitWithOne() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, mentioned);
        const auto outcome = bscopeRun(arguments[0] == "run" ? arguments + tinyModel() : arguments);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(QString::fromUtf8(outcome.errors).contains(mentioned), outcome.errors);
    }

    // A limit on the size of files stands for the full disk.
    void fullDiskStopsTheRecordingOnly() {
        const QStringList words = QStringList{bscopeProgram(),
                                              "run",
                                              "-p",
                                              "2",
                                              "--iterations",
                                              "40",
                                              "--json",
                                              "--record",
                                              folder_.filePath("full.bscope")} +
                                  tinyModel();
        QProcess process;
        process.start("/bin/sh", QStringList{"-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""} + words);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        QCOMPARE(process.readAllStandardOutput().count('\n'), 40);
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(errors.count("File too large") == 1 && errors.contains("The run goes on"), errors);
        QVERIFY(bscopeRun({"replay", folder_.filePath("full.bscope")}).code == 0);
    }

    // One rule for run and serve: training goes on without the state, and the exit status says so.
    void aStateThatCannotBeKeptEndsNoRun() {
        const QString kept = folder_.filePath("kept.safetensors");
        QVERIFY(QDir().mkpath(kept + ".part"));  // in the way of what is written first
        const auto outcome =
            bscopeRun(QStringList{"run", "--iterations", "4", "--json", "--keep-every", "1", "--keep", kept} +
                      tinyModel());
        QCOMPARE(outcome.code, 1);
        QCOMPARE(outcome.json().size(), 4);
        QCOMPARE(outcome.errors.count("could not be saved"), 1);
    }

    void divergedTrainingEndsWithASentence() {
        const QString kept = folder_.filePath("diverged.safetensors");
        const auto outcome = bscopeRun(QStringList{"run", "--iterations", "8", "--json", "--lr", "1e38",
                                                   "--clip", "0", "--keep-every", "1", "--keep", kept} +
                                       tinyModel());
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains("The training has diverged: "), outcome.errors);
        QVERIFY(outcome.json().size() < 8);
    }

    void whatCannotBePrintedIsAFailure() {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(bscopeProgram(), {"schedule", "1f1b", "--csv"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("No space left"));
    }

    void aRefusedRunLeavesTheOldRecording() {
        const QString recording = folder_.filePath("old.bscope");
        const QStringList run = QStringList{"run", "--iterations", "1", "--record", recording} + tinyModel();
        QCOMPARE(bscopeRun(run).code, 0);
        const auto bytes = [&] {
            QFile file(recording);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = bytes();
        QVERIFY(!before.isEmpty());
        QCOMPARE(bscopeRun(run + QStringList{"--memory-cap-mb", "0.001"}).code, 2);
        QCOMPARE(bscopeRun(run + QStringList{"--load", "/no/such/state"}).code, 1);
        QVERIFY(bytes() == before);
    }

    void aClosedOutputIsNotTheRecording() {
        const QString recording = folder_.filePath("closed.bscope");
        QStringList words =
            QStringList{bscopeProgram(), "run", "--json", "--iterations", "2", "--record", recording} +
            tinyModel();
        QCOMPARE(QProcess::execute("sh", QStringList{"-c", "exec \"$0\" \"$@\" >&- 2>&-"} + words), 0);
        const auto replayed = bscopeRun({"replay", recording, "--json"});
        QVERIFY2(replayed.errors.isEmpty(), replayed.errors);
        QCOMPARE(replayed.json().size(), 2);
    }

    void anExportIsWholeOrNotThere() {
        const QString recording = folder_.filePath("whole.bscope"), table = folder_.filePath("whole.csv");
        QCOMPARE(bscopeRun(QStringList{"run", "--iterations", "1", "--record", recording} + tinyModel()).code,
                 0);
        QCOMPARE(bscopeRun({"export", recording, "--csv", table}).code, 0);
        QVERIFY(QFile::exists(table));
        QVERIFY(!QFile::exists(table + ".part"));
        const auto full = bscopeRun({"export", recording, "--csv", "/dev/full"});
        QCOMPARE(full.code, 1);
        QVERIFY2(full.errors.contains("No space left"), full.errors);
        QVERIFY(QDir().mkpath(table + ".part"));  // in the way of what is written first
        const qint64 bytes = QFileInfo(table).size();
        QCOMPARE(bscopeRun({"export", recording, "--csv", table}).code, 1);
        QCOMPARE(QFileInfo(table).size(), bytes);
    }

    void bytesThatAreNoTextAreReportedAsJson() {
        QFile schedule(folder_.filePath("bytes.csv"));
        QVERIFY(schedule.open(QIODevice::WriteOnly));
        schedule.write("0F0,\xff\xfe\n");
        schedule.close();
        const auto outcome = bscopeRun({"validate", "--json", schedule.fileName()});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(!outcome.json().value(0)["valid"].toBool(true), outcome.errors);
    }

    void everyCommandHasHelpWithAnExample_data() {
        QTest::addColumn<QString>("command");
        for (const char* command : {"run", "schedule", "validate", "sweep", "verify", "replay", "export",
                                    "import", "advise", "compare", "collect", "lesson", "cards", "quiz",
                                    "puzzle", "serve", "doctor", "ranks", "selftest"})
            QTest::newRow(command) << command;
    }
    void everyCommandHasHelpWithAnExample() {
        QFETCH(QString, command);
        const auto outcome = bscopeRun({command, "--help"});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.errors.isEmpty());
        QVERIFY(outcome.out.contains(("Example:\n  bscope " + command).toUtf8()));
        QVERIFY2(!outcome.out.contains("\nbscope "), outcome.out);  // every line of it stands as far in
        QVERIFY(bscopeRun({"--help"}).out.contains(command.toUtf8()));
    }

    void versionIsPrinted() {
        const auto outcome = bscopeRun({"--version"});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.startsWith("bscope "));
    }
};

BUBBLESCOPE_TEST(TestCliErrors)

}  // namespace tst_cli_errors

#include "tst_cli_errors.moc"
