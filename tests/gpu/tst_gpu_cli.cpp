// The program on the emulated GPU: device, type and tracing cost as options, verify and sweep on it, a
// recording with its kernels, and the sentences for what cannot be.
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "bscope_process.h"
#include "emulated_run.h"
#include "registered_test.h"

namespace tst_gpu_cli {

using namespace bscope;

class TestGpuCli : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("BSCOPE_CUDA_PLUGIN", emulatedGpu()); }

    void runTrainsOnTheGpu() {
        QTemporaryDir folder;
        const QString file = folder.filePath("gpu.bscope");
        const auto on = [&](const QStringList& device) {
            return bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--iterations", "3", "--json"} +
                             device + tinyModel());
        };
        const auto gpu = on({"--device", "cuda", "--trace-cost", "2", "--record", file}), cpu = on({});
        QVERIFY2(gpu.code == 0, gpu.errors);
        const auto reports = gpu.json();
        QCOMPARE(reports.size(), 3);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(reports[i]["loss"], cpu.json()[i]["loss"]);
            QCOMPARE(reports[i]["device"].toString(), QString("Emulated GPU"));
            QVERIFY(reports[i]["ranks"][0]["driver_bytes"].toDouble() > 0);
        }
        QCOMPARE(reports[0]["timing"].toString(), QString("CUPTI"));
        QVERIFY(reports[1]["timing"].toString().contains("not traced"));
        QVERIFY(reports[1]["bubble_of_total"].isNull());
        QVERIFY(reports[2].contains("tracing_cost"));
        const auto exported =
            bscopeRun({"export", file, "--chrome", folder.filePath("trace.json"), "--iteration", "3"});
        QVERIFY2(exported.code == 0, exported.errors);
        QFile trace(folder.filePath("trace.json"));
        QVERIFY(trace.open(QIODevice::ReadOnly));
        QVERIFY(trace.readAll().contains("emulated::attention_forward"));
    }

    void launchGapsAreAShareOfCompute() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("gaps.bscope");
        const auto ran = bscopeRun(QStringList{"run", "-p", "2", "-m", "4", "--iterations", "2", "--device",
                                               "cuda", "--record", file} +
                                   tinyModel());
        QVERIFY2(ran.code == 0, ran.errors);
        double busy_ms = 0, gap_ms = 0;
        for (const QJsonValue& rank :
             bscopeRun({"replay", file, "--json"}).json().back()["ranks"].toArray()) {
            busy_ms += rank["busy_ms"].toDouble();
            gap_ms += rank["launch_gap_ms"].toDouble();
        }
        QVERIFY(gap_ms > 0 && gap_ms < busy_ms);
        const QString share = QString::number(100 * gap_ms / busy_ms, 'f', 1);
        const QString text = bscopeRun({"replay", file}).out;
        QVERIFY2(text.contains("launch gaps " + share + " % of compute: inside operations"),
                 qPrintable(text));
        QVERIFY(QString(ran.out).contains("launch gaps " + share));
    }

    void verifyAndSweepRunThere() {
        const auto verified = bscopeRun(
            QStringList{"verify", "-p", "2", "-m", "4", "--device", "cuda", "--dtype", "bf16"} + tinyModel());
        QVERIFY2(verified.code == 0, verified.errors + verified.out);
        QVERIFY(verified.out.contains("bitwise equal to one rank"));
        const auto swept =
            bscopeRun(QStringList{"sweep", "-p", "2", "--m", "2,4", "--iterations", "2", "--device", "cuda"} +
                      tinyModel());
        QVERIFY2(swept.code == 0, swept.errors + swept.out);
    }

    void selftestSendsMessagesBetweenAllGpus() {
        const QStringList command{"selftest", "--device", "cuda", "--dtype", "fp32"};
        const auto alone = bscopeRun(command);
        QVERIFY2(alone.code == 0, alone.out + alone.errors);
        QVERIFY2(alone.out.contains("messages 0 <-> 0"), alone.out);
        qputenv("BSCOPE_EMULATED_GPUS", "3");
        const auto three = bscopeRun(command);
        qputenv("BSCOPE_EMULATED_LINK_ERROR", "3");
        const auto broken = bscopeRun(command);
        qunsetenv("BSCOPE_EMULATED_LINK_ERROR");
        qunsetenv("BSCOPE_EMULATED_GPUS");
        QVERIFY2(three.code == 0, three.out + three.errors);
        QVERIFY2(three.out.contains("messages 0 <-> 1") && three.out.contains("messages 1 <-> 2"), three.out);
        QCOMPARE(broken.code, 1);
        QVERIFY2(broken.out.contains("messages 1 <-> 2") &&
                     broken.out.contains("FAILED: NCCL: unhandled system error"),
                 broken.out);
    }

    void oneGpuNeedsNoLinks() {
        const QStringList command{"selftest", "--device", "cuda", "--dtype", "fp32"};
        const Setting missing("BSCOPE_EMULATED_NO_NCCL", "1");
        const auto alone = bscopeRun(command);
        QVERIFY2(alone.code == 0, alone.out + alone.errors);
        QVERIFY2(alone.out.contains("not checked, and one GPU needs none: install NCCL 2"), alone.out);
        const Setting gpus("BSCOPE_EMULATED_GPUS", "2");
        const auto two = bscopeRun(command);
        QCOMPARE(two.code, 1);
        QVERIFY2(two.out.contains("FAILED: install NCCL 2"), two.out);
    }

    void everyActionIsANamedRange() {
        QTemporaryDir folder;
        const QString ranges = folder.filePath("ranges.txt");
        const Setting file("BSCOPE_EMULATED_RANGES", ranges.toLocal8Bit());
        const auto outcome = bscopeRun(QStringList{"run", "-p", "2", "-m", "2", "--iterations", "1",
                                                   "--schedule", "gpipe", "--device", "cuda"} +
                                       tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        QFile written(ranges);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = written.readAll().split('\n');
        for (const char* name : {"rank 0: 0F0", "rank 0: 0B1", "rank 1: 1F1", "rank 1: 1B0", "rank 1: OPT"})
            QVERIFY2(lines.contains(name), name);
    }

    void anOldGpuIsNamed() {
        const Setting old("BSCOPE_EMULATED_COMPUTE", "75");
        const auto outcome =
            bscopeRun(QStringList{"run", "--iterations", "1", "--device", "cuda"} + tinyModel());
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.errors.contains("GPU 0, Emulated GPU, is sm_75, and the plugin was built for sm_80 "
                                         "sm_90; it needs sm_80 or newer"),
                 outcome.errors);
        QVERIFY(bscopeRun({"doctor"}).out.contains("is sm_75"));
        const auto on_cpu =
            bscopeRun(QStringList{"run", "--iterations", "1", "--device", "auto"} + tinyModel());
        QVERIFY2(on_cpu.code == 0, on_cpu.errors);
    }

    void thePictureIsOfTheLastTracedIteration() {
        const auto outcome = bscopeRun(
            QStringList{"run", "--iterations", "3", "--device", "cuda", "--trace-cost", "3"} + tinyModel());
        QVERIFY2(outcome.code == 0, outcome.errors);
        QVERIFY2(outcome.out.contains(" iteration 2 ") && outcome.out.contains("\nrank 0 F"), outcome.out);
    }

    void theDoctorFindsIt() {
        const auto outcome = bscopeRun({"doctor"});
        QVERIFY2(outcome.out.contains("Emulated GPU"), outcome.out);
        const Setting refused("BSCOPE_EMULATED_NO_CUPTI", "1");
        QVERIFY(bscopeRun({"doctor"}).out.contains("another profiler holds CUPTI"));
    }

    void whatCannotBeHasItsSentence() {
        const auto refused = [](const QStringList& options, const char* words) {
            const auto outcome = bscopeRun(QStringList{"run", "--iterations", "1"} + options + tinyModel());
            if (outcome.code == 2 && outcome.errors.contains(words)) return true;
            qWarning() << outcome.code << outcome.errors;
            return false;
        };
        QVERIFY(refused({"--device", "cpu", "--dtype", "bf16"}, "bf16 needs a GPU"));
        QVERIFY(refused({"--device", "cpu", "--cuda-graphs"}, "CUDA graphs need a GPU"));
        QVERIFY(refused({"--device", "cuda", "--trace-cost", "1"}, "trace_cost = 1"));
        const Setting none("BSCOPE_EMULATED_GPUS", "0");
        QVERIFY(refused({"--device", "cuda"}, "there is no GPU to run on"));
    }
};

BUBBLESCOPE_TEST(TestGpuCli)

}  // namespace tst_gpu_cli

#include "tst_gpu_cli.moc"
