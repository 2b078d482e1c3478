// Ranks as processes, each on a GPU: bit for bit what the CPU computes, measured on one clock, through
// changes of p; and what happens when one of them fails. The GPUs are emulated, one for each process.
#include <QTest>
#include <csignal>
#include <filesystem>

#include "changes.h"
#include "mpirun.h"
#include "registered_test.h"
#include "timeline/kernel_log.h"
#include "wire/convert.h"
#include "wire/recording.h"

namespace tst_mpi_gpu {

using namespace bscope;

namespace {

QStringList fourLayers() {
    return {"--layers", "4", "--hidden", "64", "--heads", "2", "--seq", "32"};
}

QStringList onGpus() {
    return QStringList{"run"} + fourLayers() + QStringList{"--device", "cuda", "--json"};
}

// mpirun's arguments for three processes of which one has these in its environment.
QStringList oneWith(int rank, const QStringList& settings, const QStringList& arguments,
                    const QString& program = bscopeProgram(), const QStringList& settings_of_last = {}) {
    QStringList all{"--oversubscribe", "--bind-to", "none"};
    for (int each = 0; each < 3; ++each) {
        if (each > 0) all += ":";
        all += {"-n", "1"};
        for (const QString& setting : each == rank ? settings
                                      : each == 2  ? settings_of_last
                                                   : QStringList())
            all += {"-x", setting};
        all += program;
        all += arguments;
    }
    return all;
}

// Sockets of the emulated links whose name comes from that process.
int socketsLeft(qint64 process) {
    return static_cast<int>(content("/proc/net/unix").count("@bscope-" + QByteArray::number(process) + "-"));
}

}  // namespace

class TestMpiGpu : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("BSCOPE_CUDA_PLUGIN",
                (QCoreApplication::applicationDirPath() + "/bscope_emulated_gpu.so").toLocal8Bit());
        qputenv("BSCOPE_EMULATED_GPUS", "4");
    }

    // The driver reads the number at the first call of CUDA, which a CUDA-aware MPI makes when it is
    // initialised.
    void theQueuesAreAskedForBeforeMpiStarts() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("queues");
        const QStringList command = onGpus() + QStringList{"-p", "2", "-m", "2", "--iterations", "1"};
        const Result result = start(MPIRUN, QStringList{"--oversubscribe", "--bind-to", "none", "-n", "2",
                                                        "-x", "LD_PRELOAD=" QUEUES_LIBRARY, "-x",
                                                        "QUEUES_AT_MPI_INIT=" + file, bscopeProgram()} +
                                                command);
        QVERIFY2(result.code == 0, result.err);
        QCOMPARE(content(file), QByteArray("32\n32\n"));
    }

    void processesComputeWhatTheCpuComputes_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("2, 1f1b") << 2 << QStringList{"--schedule", "1f1b"};
        QTest::newRow("4, zb-h1") << 4 << QStringList{"--schedule", "zb-h1"};
    }

    void processesComputeWhatTheCpuComputes() {
        QFETCH(int, p);
        QFETCH(QStringList, more);
        QTemporaryDir folder;
        const QString cpu = folder.filePath("cpu"), gpus = folder.filePath("gpus");
        const QStringList common =
            fourLayers() + more +
            QStringList{"-p", QString::number(p), "-m", "8", "--iterations", "3", "--json"};
        const Result one =
            start(bscopeProgram(),
                  QStringList{"run", "--device", "cpu", "--clock", "reconstructed", "--dump", cpu} + common);
        const Result many =
            startMpi(p, QStringList{"run", "--device", "cuda", "--trace-cost", "2", "--dump", gpus} + common);
        QVERIFY2(one.code == 0, one.err);
        QVERIFY2(many.code == 0, many.err);
        QCOMPARE(losses(one.out).size(), 3);
        QCOMPARE(losses(many.out), losses(one.out));
        for (const char* file : {"/gradients.safetensors", "/final.safetensors"}) {
            QVERIFY(!content(cpu + file).isEmpty());
            QVERIFY2(content(cpu + file) == content(gpus + file), file);
        }
        for (const QByteArray& line : many.out.split('\n')) {
            if (line.isEmpty()) continue;
            const QJsonDocument report = QJsonDocument::fromJson(line);
            QCOMPARE(report["provenance"].toString(), "MEASURED");
            QVERIFY2(report["device"].toString().startsWith(QString("%1 x Emulated GPU, ").arg(p)), line);
            QVERIFY(report["clock_residual_us"].toDouble() > 0);
            QCOMPARE(report["dropped_events"].toInt(), 0);
            const bool traced = report["iteration"].toInt() != 1;
            QCOMPARE(report["timing"].toString() == "CUPTI", traced);
            QCOMPARE(report["ranks"].toArray().size(), p);
            for (const auto& each : report["ranks"].toArray()) {
                QVERIFY(each.toObject()["driver_bytes"].toDouble() > 0);
                if (!traced) continue;
                QVERIFY(each.toObject()["busy_ms"].toDouble() > 0);
                QVERIFY(each.toObject()["peak_activation_bytes"].toDouble() > 0);
            }
        }
        QVERIFY(many.out.contains("tracing_cost"));
    }

    void streamsComputeWhatTheCpuComputes_data() {
        QTest::addColumn<int>("p");
        QTest::addColumn<QString>("schedule");
        QTest::newRow("3, pipedream") << 3 << "pipedream";
        QTest::newRow("2, 2bw") << 2 << "pipedream-2bw";
    }

    void streamsComputeWhatTheCpuComputes() {
        QFETCH(int, p);
        QFETCH(QString, schedule);
        QTemporaryDir folder;
        const QString cpu = folder.filePath("cpu"), gpus = folder.filePath("gpus");
        const QStringList common =
            fourLayers() + QStringList{"--schedule", schedule,       "-p", QString::number(p), "-m",
                                       "6",          "--iterations", "4",  "--json",           "--save"};
        const Result one =
            start(bscopeProgram(), QStringList{"run", "--device", "cpu", "--clock", "reconstructed"} +
                                       common + QStringList{cpu});
        const QString recording = folder.filePath("run.bscope");
        const Result many = startMpi(
            p, QStringList{"run", "--device", "cuda", "--record", recording} + common + QStringList{gpus});
        QVERIFY2(one.code == 0, one.err);
        QVERIFY2(many.code == 0, many.err);
        QCOMPARE(losses(one.out).size(), 4);
        QCOMPARE(losses(many.out), losses(one.out));
        QVERIFY(!content(cpu).isEmpty());
        QVERIFY(content(cpu) == content(gpus));
        for (const QByteArray& line : many.out.split('\n')) {
            if (line.isEmpty()) continue;
            const QJsonDocument report = QJsonDocument::fromJson(line);
            QCOMPARE(report["provenance"].toString(), "MEASURED");
            QCOMPARE(report["dropped_events"].toInt(), 0);
            QVERIFY2(report["timing"].toString().startsWith("CUDA events"), line);
            QVERIFY(report["clock_residual_us"].toDouble() > 0);
            for (const auto& each : report["ranks"].toArray()) {
                QVERIFY(!each.toObject().contains("launch_gap_ms"));
                QVERIFY(each.toObject()["busy_ms"].toDouble() > 0);
                QVERIFY(each.toObject()["driver_bytes"].toDouble() > 0);
                QVERIFY(each.toObject()["peak_activation_bytes"].toDouble() > 0);
            }
        }
        // Every box of the first iterations has its kernels, sent after it.
        std::vector<Event> boxes;
        std::map<int, KernelLog> kernels;
        RecordingReader reader(recording.toStdString());
        while (const auto message = reader.next()) {
            if (message->has_events())
                for (const Event& event : fromWire(message->events())) boxes.push_back(event);
            if (message->has_kernels() && message->kernels().iteration(0) < 2)
                kernels[message->kernels().iteration(0)].append(fromWire(message->kernels()));
        }
        for (const Event& box : boxes)
            if (box.iteration < 2 && isCompute(box.op)) QVERIFY(!kernels[box.iteration].of(box).empty());
        QVERIFY(boxes.size() > 100);
    }

    void everyChangeGoesOnWithTheSameBits() {
        QTemporaryDir folder;
        const QString expected_state = folder.filePath("threads"), state = folder.filePath("processes");
        const std::string expected =
            runThrough(gpuChanges(4, DeviceChoice::Cpu), nullptr, expected_state.toStdString());
        const Result result = startMpi(4, {"gpu-changes", state, "4"}, RANK_PROGRAM);
        QVERIFY2(result.code == 0, result.err);
        QCOMPARE(result.out, QByteArray::fromStdString(expected));
        QVERIFY(!content(state).isEmpty());
        QVERIFY(content(state) == content(expected_state));
    }

    void whatTheyHaveNotGotIsRefused_data() {
        QTest::addColumn<QByteArray>("gpus");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("one GPU") << QByteArray("1") << QStringList{"-p", "2"}
                                 << QByteArray(
                                        "under mpirun every rank needs a GPU of its own, and rank 1 has "
                                        "none: it has GPU 0000:00:00.0 of ");
        QTest::newRow("none")
            << QByteArray("0") << QStringList{"-p", "2"}
            << QByteArray("there is no GPU to run on: the NVIDIA driver is there but finds no GPU");
        QTest::newRow("reconstructed")
            << QByteArray("2") << QStringList{"-p", "2", "--clock", "reconstructed"}
            << QByteArray("GPUs under mpirun are measured");
    }

    void whatTheyHaveNotGotIsRefused() {
        QFETCH(QByteArray, gpus);
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, sentence);
        qputenv("BSCOPE_EMULATED_GPUS", gpus);
        const Result result = startMpi(2, onGpus() + QStringList{"-m", "4"} + arguments);
        qputenv("BSCOPE_EMULATED_GPUS", "4");
        QVERIFY(result.code != 0);
        QVERIFY2(result.err.count(sentence) == 1, result.err);
    }

    void withoutAGpuForEachTheCpuIsTaken() {
        qputenv("BSCOPE_EMULATED_GPUS", "1");
        const Result result = startMpi(2, QStringList{"run"} + fourLayers() +
                                              QStringList{"--device", "auto", "--clock", "auto", "-p", "2",
                                                          "-m", "4", "--iterations", "1", "--json"});
        qputenv("BSCOPE_EMULATED_GPUS", "4");
        QVERIFY2(result.code == 0, result.err);
        QVERIFY2(QJsonDocument::fromJson(result.out)["device"].toString().startsWith("CPU"), result.out);
    }

    void aKilledRankEndsTheRun_data() {
        QTest::addColumn<QString>("schedule");
        QTest::newRow("1f1b") << "1f1b";
        QTest::newRow("pipedream") << "pipedream";
    }

    void aKilledRankEndsTheRun() {
        QFETCH(QString, schedule);
        QTemporaryDir folder;
        QProcess process;
        prepare(process);
        process.start(
            MPIRUN, underMpi(3, onGpus() + QStringList{"--schedule", schedule, "-p", "3", "-m", "6",
                                                       "--iterations", "1000000", "--record",
                                                       folder.filePath("run.bscope"), "--keep-every", "2"}));
        QByteArray seen;
        QTRY_VERIFY_WITH_TIMEOUT((seen += process.readAllStandardOutput()).count("loss") > 4, 60000);
        const QList<qint64> ranks = childrenOf(process.processId());
        QCOMPARE(ranks.size(), 3);
        QVERIFY(socketsLeft(ranks[0]) > 0);
        ::kill(static_cast<pid_t>(ranks[1]), SIGKILL);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(process.waitForFinished(60000));
        QVERIFY(timer.elapsed() < 10000);
        QVERIFY(process.exitCode() != 0);
        const QByteArray err = process.readAllStandardError();
        static const QRegularExpression kSentence(
            "[rR]ank ([0-2]) stopped (in [^:]+|before its first operation|between iterations[^:]*): rank \\1 "
            "waited [0-9.]+ s for "
            "(rank [012]|all ranks) in .*: rank 1 \\(process|Between iterations rank 1 \\(process");
        QVERIFY2(kSentence.match(err).hasMatch(), err);
        QVERIFY2(err.contains("--load"), err);
        for (const qint64 each : ranks) QTRY_VERIFY_WITH_TIMEOUT(!isAlive(each), 5000);
        QTRY_COMPARE(socketsLeft(ranks[0]), 0);
    }

    // No rank makes progress, and nothing that a rank of a GPU can see is wrong.
    void aRankThatIsStoppedBeforeLinksComeUpIsFound() {
        QElapsedTimer timer;
        timer.start();
        const Result result = startMpi(3, {"gpu-stopped", "none", "3"}, RANK_PROGRAM);
        QVERIFY(timer.elapsed() < 20000);
        QVERIFY(result.code != 0);
        static const QRegularExpression kSentence(
            "Rank 0 stopped before its first operation: rank 0 waited [0-9.]+ s for (rank 1|all ranks) in "
            "the "
            "opening of links: rank 1 \\(process [0-9]+ on .*\\) sends no heartbeat");
        QVERIFY2(kSentence.match(result.err).hasMatch(), result.err);
    }

    void whatFailedIsRunAgain_data() {
        QTest::addColumn<int>("rank");
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QStringList>("of_idle");
        const QStringList refused("BSCOPE_EMULATED_LINK_REFUSED=1");
        QTest::newRow("a link that fails") << 1 << QStringList("BSCOPE_EMULATED_LINK_ERROR=12") << QStringList();
        QTest::newRow("a link that fails, and a late answer")
            << 1 << QStringList{"BSCOPE_EMULATED_LINK_ERROR=12", "BSCOPE_EMULATED_LINK_ABORT_MS=3000"}
            << QStringList();
        QTest::newRow("a world that does not come up") << 1 << refused << QStringList();
        QTest::newRow("a world that does not come up, and a late answer of the idle process")
            << 1 << refused << QStringList{refused.front(), "BSCOPE_EMULATED_LINK_CLOSE_MS=3000"};
        QTest::newRow("a link that does not come up")
            << 1 << QStringList("BSCOPE_EMULATED_LINK_REFUSED=3") << QStringList();
        QTest::newRow("an idle process") << 2 << refused << QStringList();
    }

    // The third process is idle, but for its part in the splits.
    void whatFailedIsRunAgain() {
        QFETCH(int, rank);
        QFETCH(QStringList, settings);
        QFETCH(QStringList, of_idle);
        QTemporaryDir folder;
        const QString expected_state = folder.filePath("threads"), state = folder.filePath("processes");
        const std::string expected = runAgain(DeviceChoice::Cpu, nullptr, expected_state.toStdString());
        const Result result =
            start(MPIRUN, oneWith(rank, settings, {"gpu-again", state, "3"}, RANK_PROGRAM, of_idle));
        QVERIFY2(result.code == 0, result.err);
        QVERIFY2(result.err.contains("rank " + QByteArray::number(rank)) ||
                     result.err.contains("Rank " + QByteArray::number(rank)),
                 result.err);
        const QByteArray wanted = QByteArray::fromStdString(expected).replace("0 failed", "1 failed");
        QVERIFY2(result.out == wanted, result.out + "instead of\n" + wanted + result.err);
        QVERIFY(content(state) == content(expected_state));
    }

    void aFaultIsASentence_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("a link that fails") << "BSCOPE_EMULATED_LINK_ERROR=30"
                                           << "Rank \\d stopped in (\\d[A-Z_]+\\d|OPT): the link with rank "
                                              "\\d: .*unhandled system error.* s\\.";
        QTest::newRow("a peer that is silent") << "BSCOPE_EMULATED_LINK_SILENT=30"
                                               << "Rank \\d stopped in \\d[FB]\\d: what rank 1 sent has not "
                                                  "come; no progress for [0-9.]+ s";
        QTest::newRow("a link that does not come up")
            << "BSCOPE_EMULATED_LINK_REFUSED=2"
            << "Rank 1 stopped before its first operation: the link with rank \\d: NCCL: refused.*; waited";
        QTest::newRow("no memory") << "BSCOPE_EMULATED_BYTES=2250000"
                                   << "Rank 1 stopped .*there is no memory left";
    }

    void aFaultIsASentence() {
        QFETCH(QString, setting);
        QFETCH(QString, sentence);
        QElapsedTimer timer;
        timer.start();
        const Result result =
            start(MPIRUN,
                  oneWith(1, {setting}, onGpus() + QStringList{"-p", "3", "-m", "6", "--iterations", "100"}));
        QVERIFY(timer.elapsed() < 20000);
        QVERIFY(result.code != 0);
        QVERIFY2(QRegularExpression(sentence).match(result.err).hasMatch(), result.err);
    }
};

BUBBLESCOPE_TEST(TestMpiGpu)

}  // namespace tst_mpi_gpu

#include "tst_mpi_gpu.moc"
