// Ranks as processes over the fake CUDA (tests/gpu/fake_cuda): the plugin as it is built for GPUs, with the
// fake NCCL between the processes. They compute what threads compute, and break no rule of CUDA, cuBLASLt,
// CUPTI or NCCL, also when something fails on the way.
#include <QTest>

#include "mpirun.h"
#include "registered_test.h"

namespace tst_mpi_checked {

using namespace bscope;

namespace {

// Heads of 32 numbers are the smallest that the attention has kernels for.
QStringList smallest(const QStringList& more) {
    return QStringList{"run", "--device", "cuda", "--clock", "measured", "--micro-batch", "1", "--layers",
                       "3",   "--hidden", "32",   "--heads", "1",        "--seq",         "8", "--json"} +
           more;
}

// The sentences of broken rules.
QByteArray brokenIn(const QByteArray& err) {
    QByteArray rules;
    for (const QByteArray& line : err.split('\n'))
        if (line.contains("fake CUDA: ")) rules += line + "\n";
    return rules;
}

}  // namespace

class TestMpiChecked : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("BSCOPE_CUDA_PLUGIN",
                (QCoreApplication::applicationDirPath() + "/bscope_cuda_checked.so").toLocal8Bit());
        qputenv("BSCOPE_FAKE_GPUS", "3");
        qunsetenv("CUDA_DEVICE_MAX_CONNECTIONS");  // the program asks for its queues itself
    }

    void processesComputeWhatThreadsCompute_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("2, 1f1b, fp32") << 2 << QStringList{"--schedule", "1f1b"};
        QTest::newRow("3, zb-h1, bf16, graphs")
            << 3 << QStringList{"--schedule", "zb-h1", "--dtype", "bf16", "--cuda-graphs"};
        QTest::newRow("2, pipedream, bf16") << 2 << QStringList{"--schedule", "pipedream", "--dtype", "bf16"};
    }
    void processesComputeWhatThreadsCompute() {
        QFETCH(int, p);
        QFETCH(QStringList, more);
        const QStringList arguments =
            smallest(more + QStringList{"-p", QString::number(p), "-m", "4", "--iterations", "3"});
        const Result threads = start(bscopeProgram(), arguments);
        QVERIFY2(threads.code == 0, threads.err);
        const Result processes = startMpi(p, arguments);
        QVERIFY2(processes.code == 0, processes.err);
        QCOMPARE(brokenIn(threads.err + processes.err), QByteArray());
        QCOMPARE(losses(threads.out).size(), 3);
        QCOMPARE(losses(processes.out), losses(threads.out));
        QCOMPARE(processes.out.count(QByteArray::number(p) + " x Checked GPU"), 3);
        QCOMPARE(processes.out.count("\"provenance\":\"MEASURED\""), 3);
    }

    // Two replicas, whose gradients are summed over links of their own.
    void replicasComputeWhatThreadsCompute() {
        const QStringList arguments = smallest({"-p", "1", "-d", "2", "-m", "2", "--iterations", "1"});
        const Result threads = start(bscopeProgram(), arguments);
        QVERIFY2(threads.code == 0, threads.err);
        const Result processes = startMpi(2, arguments);
        QVERIFY2(processes.code == 0, processes.err);
        QCOMPARE(brokenIn(threads.err + processes.err), QByteArray());
        QCOMPARE(losses(processes.out), losses(threads.out));
    }

    void whatFailsIsASentence_data() {
        QTest::addColumn<QByteArray>("setting");
        QTest::addColumn<QByteArray>("number");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("an exchange") << QByteArray("BSCOPE_FAKE_LINK_ERROR") << QByteArray("20")
                                     << QByteArray("unhandled system error");
        QTest::newRow("a silent peer")
            << QByteArray("BSCOPE_FAKE_LINK_SILENT") << QByteArray("20") << QByteArray("has not come");
        QTest::newRow("a split") << QByteArray("BSCOPE_FAKE_SPLIT_FAILS") << QByteArray("2")
                                 << QByteArray("NCCL: unhandled system error");
        QTest::newRow("a kernel") << QByteArray("BSCOPE_FAKE_FAULT") << QByteArray("60")
                                  << QByteArray("an illegal memory access");
    }
    // Fails too when layers are given back before a GPU is done with the iteration that failed.
    void whatFailsIsASentence() {
        QFETCH(QByteArray, setting);
        QFETCH(QByteArray, number);
        QFETCH(QByteArray, words);
        qputenv(setting, number);
        const Result result = startMpi(2, smallest({"-p", "2", "-m", "4", "--iterations", "3"}));
        qunsetenv(setting);
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.contains(words), result.err);
        QCOMPARE(brokenIn(result.err), QByteArray());
    }
};

BUBBLESCOPE_TEST(TestMpiChecked)

}  // namespace tst_mpi_checked

#include "tst_mpi_checked.moc"
