// Ranks that are processes under mpirun compute bit for bit what threads compute, through every change of the
// pipeline; and their clocks agree.
#include <QTest>

#include "changes.h"
#include "mpirun.h"
#include "registered_test.h"

namespace tst_mpi {

using namespace bscope;

class TestMpi : public QObject {
    Q_OBJECT

private slots:
    void processesComputeWhatThreadsCompute_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QString>("schedule");
        QTest::newRow("2, gpipe") << 2 << "gpipe";
        QTest::newRow("4, zb-h1") << 4 << "zb-h1";
    }

    void processesComputeWhatThreadsCompute() {
        QFETCH(int, p);
        QFETCH(QString, schedule);
        QTemporaryDir folder;
        const QString threads = folder.filePath("threads"), processes = folder.filePath("processes");
        const QStringList common =
            QStringList{"run"} + smallModel() +
            QStringList{"--schedule", schedule,       "-p", QString::number(p), "-m",
                        "6",          "--iterations", "3",  "--json",           "--dump"};
        const Result one = start(bscopeProgram(), common + QStringList{threads});
        const Result many = startMpi(p, common + QStringList{processes});
        QVERIFY2(one.code == 0, one.err);
        QVERIFY2(many.code == 0, many.err);
        QCOMPARE(losses(one.out).size(), 3);
        QCOMPARE(losses(many.out), losses(one.out));
        for (const char* file : {"/initial.safetensors", "/gradients.safetensors", "/final.safetensors"}) {
            QVERIFY(!content(threads + file).isEmpty());
            QVERIFY2(content(threads + file) == content(processes + file), file);
        }
    }

    void strangersAreReported() {
        const QStringList arguments = QStringList{"run"} + smallModel() + QStringList{"--iterations", "1"};
        qputenv("SLURM_STEP_NUM_TASKS", "4");
        const Result alone = start(bscopeProgram(), arguments);
        const Result ranks = startMpi(2, arguments + QStringList{"-p", "2"});
        qunsetenv("SLURM_STEP_NUM_TASKS");
        QVERIFY2(alone.err.contains("srun started 4 processes that are not connected"), alone.err);
        QVERIFY2(ranks.code == 0 && !ranks.err.contains("srun"), ranks.err);
    }

    void everyChangeGoesOnWithTheSameBits_data() {
        QTest::addColumn<int>("processes");
        QTest::newRow("2") << 2;
        QTest::newRow("4") << 4;
    }

    void everyChangeGoesOnWithTheSameBits() {
        QFETCH(int, processes);
        QTemporaryDir folder;
        const QString expected_state = folder.filePath("threads"), state = folder.filePath("processes");
        const std::string expected = runChanges(processes, nullptr, expected_state.toStdString());
        const Result result =
            startMpi(processes, {"changes", state, QString::number(processes)}, RANK_PROGRAM);
        QVERIFY2(result.code == 0, result.err);
        QCOMPARE(result.out, QByteArray::fromStdString(expected));
        QVERIFY(!content(state).isEmpty());
        QVERIFY(content(state) == content(expected_state));
    }

    // PipeDream and its kin too, however late the processes hear how far the stream may run.
    void streamsComputeWhatThreadsCompute_data() {
        QTest::addColumn<int>("processes");
        QTest::addColumn<QString>("mode");
        QTest::newRow("2") << 2 << "streams";
        QTest::newRow("4") << 4 << "streams";
        QTest::newRow("3, late") << 3 << "late";
    }

    void streamsComputeWhatThreadsCompute() {
        QFETCH(int, processes);
        QFETCH(QString, mode);
        QTemporaryDir folder;
        const QString expected_state = folder.filePath("threads"), state = folder.filePath("processes");
        const std::string expected = runStreams(processes, nullptr, expected_state.toStdString());
        const Result result = startMpi(processes, {mode, state, QString::number(processes)}, RANK_PROGRAM);
        QVERIFY2(result.code == 0, result.err);
        QCOMPARE(result.out, QByteArray::fromStdString(expected));
        for (const char* file : {"", ".half", ".dump/initial.safetensors", ".dump/gradients.safetensors",
                                 ".dump/final.safetensors"}) {
            QVERIFY(!content(state + file).isEmpty());
            QVERIFY2(content(state + file) == content(expected_state + file), file);
        }
    }

    void ranksBeyondPIdle() {
        QTemporaryDir folder;
        const QString state = folder.filePath("state");
        const QStringList common =
            QStringList{"run"} + smallModel() + QStringList{"-p", "2", "-m", "4", "--json", "--iterations"};
        const Result whole = start(bscopeProgram(), common + QStringList{"4"});
        const Result first = startMpi(4, common + QStringList{"2", "--save", state});
        QVERIFY2(first.code == 0, first.err);
        QVERIFY2(first.out.contains("4 processes, ranks 2, 3 idle"), first.out);
        const Result second = startMpi(2, common + QStringList{"2", "--load", state});
        QVERIFY2(second.code == 0, second.err);
        QCOMPARE(losses(first.out) + losses(second.out), losses(whole.out));
    }

    // mpirun gives its programs a terminal even where its own output goes into a pipe.
    void coloursAreForcedOrNone() {
        const QStringList run =
            QStringList{"run"} + smallModel() + QStringList{"-p", "2", "-m", "2", "--iterations", "1"};
        const Result plain = startMpi(2, run);
        QVERIFY2(plain.code == 0 && plain.out.contains("rank 1 "), plain.err);
        QVERIFY(!plain.out.contains('\x1b'));
        const Result forced = startMpi(2, QStringList{"CLICOLOR_FORCE=1", bscopeProgram()} + run, "env");
        QVERIFY2(forced.out.contains('\x1b'), forced.err);
    }

    void whatProcessesCannotIsRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("too many ranks")
            << QStringList{"-p", "4", "-m", "4"} << QByteArray("p = 4, but mpirun started 2 processes");
        QTest::newRow("too many of a stream") << QStringList{"-p", "3", "-m", "4", "--schedule", "pipedream"}
                                              << QByteArray("p = 3, but mpirun started 2 processes");
    }

    void whatProcessesCannotIsRefused() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, sentence);
        const Result result = startMpi(2, QStringList{"run"} + smallModel() + arguments);
        QVERIFY(result.code != 0);
        QCOMPARE(result.err.count(sentence), 1);  // the first process says it, once
    }

    void wrongClocksAreSeenThrough() {
        const Result result = startMpi(3, {"clocks"}, RANK_PROGRAM);
        QVERIFY2(result.code == 0, result.err);
        int seen = 0;
        for (const QByteArray& line : result.out.split('\n')) {
            if (line.isEmpty()) continue;
            const QJsonDocument of_rank = QJsonDocument::fromJson(line);
            const double rank = of_rank["rank"].toDouble(), residual = of_rank["residual_ns"].toDouble();
            QVERIFY2(qAbs(of_rank["error_ns"].toDouble()) <= 2 * residual, line);
            QVERIFY2(residual < 5e9 / 100, line);  // of the offset
            // Bursts lie 600 ms apart, each right within the residual.
            QVERIFY2(qAbs(of_rank["drift"].toDouble() - rank * 2e-4) <= 2 * residual / 600e6, line);
            ++seen;
        }
        QCOMPARE(seen, 2);
    }

    // In a stream clocks are not aligned; how far they may have got off is known all the same.
    void linesThatAreKeptAreWatched() {
        const Result result = startMpi(2, {"kept"}, RANK_PROGRAM);
        QVERIFY2(result.code == 0, result.err);
        const QJsonDocument said = QJsonDocument::fromJson(result.out);
        const double error = said["error_us"].toDouble(), residual = said["residual_us"].toDouble();
        QVERIFY2(error > 15e3, result.out);
        QVERIFY2(residual > 0.9 * error, result.out);  // the last answer is some milliseconds old
    }

    void measuredTimesAreOnOneClock_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("iterations");
        QTest::newRow("1f1b") << "1f1b" << 20;
        QTest::newRow("a stream that runs on while clocks drift") << "pipedream" << 400;
    }

    void measuredTimesAreOnOneClock() {
        QFETCH(QString, schedule);
        QFETCH(int, iterations);
        const Result result = startMpi(2, {"measured", schedule, QString::number(iterations)}, RANK_PROGRAM);
        if (result.err.contains("the measured clock runs all ranks at the same time"))
            QSKIP("fewer than 2 cores");
        QVERIFY2(result.code == 0, result.err);
        const QJsonDocument said = QJsonDocument::fromJson(result.out);
        QCOMPARE(said["events"].toInt(), iterations * 2 * 2 * 4);
        QVERIFY2(said["residual_us"].toDouble() > 0, result.out);
        QVERIFY2(said["before_its_cause_ns"].toDouble() <= 2e3 * said["residual_us"].toDouble(), result.out);
        QVERIFY2(said["iteration_ms"].toDouble() < 4000, result.out);  // a wrong clock makes others wait 5 s
    }

    void aSweepIsMadeOnce() {
        const Result result = startMpi(
            2, QStringList{"sweep", "--m", "1,2", "--iterations", "1", "--json", "-p", "2"} + smallModel());
        QVERIFY2(result.code == 0, result.err);
        QCOMPARE(result.out.count("best_m"), 1);
        QVERIFY2(result.err.contains("the first process works alone"), result.err);
    }

    void theLayoutIsMegatrons() {
        const Result result = start(bscopeProgram(), {"ranks", "--world", "8", "-p", "4", "-d", "2"});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("pipeline-parallel groups (2): [0, 2, 4, 6] [1, 3, 5, 7]"), result.out);
        QVERIFY2(result.out.contains("data-parallel groups (4): [0, 1] [2, 3] [4, 5] [6, 7]"), result.out);
        const Result wrong = start(bscopeProgram(), {"ranks", "--world", "7", "-p", "4", "-d", "2"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("world = 7 must be p d = 4 x 2 = 8"), wrong.err);
    }
};

BUBBLESCOPE_TEST(TestMpi)

}  // namespace tst_mpi

#include "tst_mpi.moc"
