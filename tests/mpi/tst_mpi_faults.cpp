// A process that is gone, or that does not answer, ends the run within seconds: with a sentence, a recording
// that can be read, the file to go on from, and nothing left behind.
#include <QtTest>
#include <csignal>

#include "mpirun.h"
#include "wire/recording.h"

using namespace bscope;

class TestMpiFaults : public QObject {
    Q_OBJECT

private slots:
    void aRankThatIsGoneEndsTheRun_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("signal");
        QTest::newRow("rank 1 killed") << 1 << SIGKILL;
        QTest::newRow("rank 0 killed") << 0 << SIGKILL;
        QTest::newRow("rank 1 silent") << 1 << SIGSTOP;
        QTest::newRow("rank 0 silent") << 0 << SIGSTOP;
    }

    void aRankThatIsGoneEndsTheRun() {
        QFETCH(int, rank);
        QFETCH(int, signal);
        QTemporaryDir folder;
        const QString recording = folder.filePath("run.bscope");
        QProcess process;
        prepare(process);
        process.start(MPIRUN,
                      underMpi(3, QStringList{"run"} + smallModel() +
                                      QStringList{"-p", "3", "-m", "6", "--iterations", "1000000", "--json",
                                                  "--record", recording, "--keep-every", "2"}));
        QVERIFY(process.waitForStarted());
        QByteArray seen;
        QTRY_VERIFY_WITH_TIMEOUT((seen += process.readAllStandardOutput()).count("loss") > 4, 60000);
        const QList<qint64> ranks = childrenOf(process.processId());
        QCOMPARE(ranks.size(), 3);
        QElapsedTimer since;
        since.start();
        ::kill(static_cast<pid_t>(ranks[rank]), signal);
        QVERIFY(process.waitForFinished(60000));
        QVERIFY(process.exitCode() != 0);
        const QByteArray err = process.readAllStandardError();
        const QRegularExpression sentence(
            QString("[rR]ank ([0-2]) stopped (in [^:]+|before its first "
                    "operation): rank \\1 waited [0-9.]+ s for (rank "
                    "[012]|all ranks) in [^ ]+"));
        QVERIFY2(sentence.match(err).hasMatch(), err);
        QVERIFY2(err.contains("rank " + QByteArray::number(rank) + " "), err);
        for (const qint64 each : ranks) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), 5000);
        if (rank > 0) {  // the first process closes its recording and says how to go on
            const QString kept = folder.filePath("run.state.safetensors");
            QVERIFY2(err.contains("--load " + kept.toUtf8()), err);
            const Result next = start(bscopeProgram(), QStringList{"run"} + smallModel() +
                                                           QStringList{"-p", "2", "-m", "6", "--iterations",
                                                                       "1", "--json", "--load", kept});
            QVERIFY2(next.code == 0, next.err);
            const double iteration = QJsonDocument::fromJson(next.out)["iteration"].toDouble();
            QVERIFY(iteration >= 2 && static_cast<int>(iteration) % 2 == 0);
        }
        RecordingReader reader(recording.toStdString());
        int reports = 0;
        while (const auto message = reader.next())
            reports += message->body_case() == wire::Message::kIterationReport;
        QVERIFY(reports > 4);
        QCOMPARE(QString::fromStdString(reader.warning()), QString());
    }

    void anInterruptEndsInOrder() {
        QTemporaryDir folder;
        const QString state = folder.filePath("state");
        QProcess process;
        prepare(process);
        process.start(MPIRUN, underMpi(2, QStringList{"run"} + smallModel() +
                                              QStringList{"-p", "2", "-m", "6", "--iterations", "1000000",
                                                          "--json", "--save", state}));
        QVERIFY(process.waitForStarted());
        QByteArray seen;
        QTRY_VERIFY_WITH_TIMEOUT((seen += process.readAllStandardOutput()).count("loss") > 2, 60000);
        const QList<qint64> ranks = childrenOf(process.processId());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(err.contains("interrupted; this is what was complete"), err);
        QVERIFY(QFile::exists(state));
        for (const qint64 each : ranks) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), 5000);
    }
};

QTEST_GUILESS_MAIN(TestMpiFaults)
#include "tst_mpi_faults.moc"
