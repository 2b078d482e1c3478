// Ranks that are processes under mpirun compute bit for bit what threads compute; a rank that is killed ends
// the run with a sentence and leaves nothing behind.
#include <QtTest>
#include <csignal>
#include <fstream>

#include "bscope_process.h"

using namespace bscope;

namespace {

const QStringList kModel = {"run", "--layers", "4",  "--hidden", "64",           "--heads",
                            "2",   "--seq",    "32", "--clock",  "reconstructed"};

QStringList underMpi(int processes, const QStringList& arguments) {
    return QStringList{"--oversubscribe",          "--bind-to",    "none", "-n",
                       QString::number(processes), bscopeProgram()} +
           arguments;
}

struct Result {
    int code = -1;
    QByteArray out, err;
};

void prepare(QProcess& process) {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("OMP_NUM_THREADS", "1");
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
}

Result start(const QString& program, const QStringList& arguments) {
    QProcess process;
    prepare(process);
    process.start(program, arguments);
    process.waitForFinished(120000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray content(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

QList<double> losses(const QByteArray& json_lines) {
    QList<double> found;
    for (const QByteArray& line : json_lines.split('\n'))
        if (line.startsWith('{')) found += QJsonDocument::fromJson(line)["loss"].toDouble();
    return found;
}

QList<qint64> childrenOf(qint64 process) {
    QList<qint64> children;
    const QByteArray list = content(QString("/proc/%1/task/%1/children").arg(process));
    for (const QByteArray& child : list.split(' '))
        if (!child.trimmed().isEmpty()) children += child.toLongLong();
    return children;
}

bool isAlive(qint64 process) {
    const QByteArray stat = content(QString("/proc/%1/stat").arg(process));
    return !stat.isEmpty() && !stat.contains(") Z ");
}

}  // namespace

class TestMpi : public QObject {
    Q_OBJECT

private slots:
    void processesComputeWhatThreadsCompute_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QString>("schedule");
        QTest::newRow("2, gpipe") << 2 << "gpipe";
        QTest::newRow("4, 1f1b") << 4 << "1f1b";
        QTest::newRow("4, zb-h1") << 4 << "zb-h1";
    }

    void processesComputeWhatThreadsCompute() {
        QFETCH(int, p);
        QFETCH(QString, schedule);
        QTemporaryDir folder;
        const QString threads = folder.filePath("threads"), processes = folder.filePath("processes");
        const QStringList common =
            kModel + QStringList{"--schedule", schedule,       "-p", QString::number(p), "-m",
                                 "6",          "--iterations", "3",  "--json",           "--dump"};
        const Result one = start(bscopeProgram(), common + QStringList{threads});
        const Result many = start(MPIRUN, underMpi(p, common + QStringList{processes}));
        QVERIFY2(one.code == 0, one.err);
        QVERIFY2(many.code == 0, many.err);
        QCOMPARE(losses(one.out).size(), 3);
        QCOMPARE(losses(many.out), losses(one.out));
        for (const char* file : {"/initial.safetensors", "/gradients.safetensors", "/final.safetensors"}) {
            QVERIFY(!content(threads + file).isEmpty());
            QVERIFY2(content(threads + file) == content(processes + file), file);
        }
    }

    void anotherNumberOfProcessesIsRefused() {
        const Result result = start(MPIRUN, underMpi(2, kModel + QStringList{"-p", "4", "-m", "4"}));
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.contains("p = 4, but mpirun started 2 processes"), result.err);
    }

    void aRankThatIsGoneEndsTheRun_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("within_ms");
        QTest::newRow("killed") << SIGKILL << 10000;
        QTest::newRow("silent") << SIGSTOP << 25000;  // found out after 8 s
    }

    void aRankThatIsGoneEndsTheRun() {
        QFETCH(int, signal);
        QFETCH(int, within_ms);
        QProcess process;
        prepare(process);
        process.start(MPIRUN, underMpi(3, kModel + QStringList{"-p", "3", "-m", "6", "--iterations",
                                                               "1000000", "--json"}));
        QVERIFY(process.waitForStarted());
        QByteArray seen;
        QTRY_VERIFY_WITH_TIMEOUT((seen += process.readAllStandardOutput()).contains("loss"),
                                 60000);  // at work
        const QList<qint64> ranks = childrenOf(process.processId());
        QCOMPARE(ranks.size(), 3);
        ::kill(static_cast<pid_t>(ranks[1]), signal);
        QVERIFY(process.waitForFinished(within_ms));
        QVERIFY(process.exitCode() != 0);
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(
            QRegularExpression("rank [02] stopped (in|before) [^:]+: rank [02] waited [0-9.]+ s for (rank "
                               "[012]|all ranks) in [^ ]+")
                .match(err)
                .hasMatch(),
            err);
        for (const qint64 rank : ranks) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(rank), 5000);
    }

    void theLayoutIsMegatrons() {
        const Result result = start(bscopeProgram(), {"ranks", "--world", "8", "-p", "4", "-d", "2"});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("pipeline-parallel groups (2): [0, 2, 4, 6] [1, 3, 5, 7]"), result.out);
        QVERIFY2(result.out.contains("data-parallel groups (4): [0, 1] [2, 3] [4, 5] [6, 7]"), result.out);
        const Result wrong = start(bscopeProgram(), {"ranks", "--world", "7", "-p", "4", "-d", "2"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("world = 7 is not p d = 4 x 2 = 8"), wrong.err);
    }
};

QTEST_GUILESS_MAIN(TestMpi)
#include "tst_mpi.moc"
