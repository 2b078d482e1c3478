// Training over the fake CUDA: the plugin as it is built for GPUs, under a Run, on one GPU that all ranks
// share and on one a rank. What is computed is what the CPU computes up to the rounding of kernels in another
// order, bit by bit whatever the pipeline, and no rule of CUDA, cuBLASLt, CUPTI or NCCL is broken meanwhile.
#include <QProcess>
#include <QTest>
#include <cmath>

#include "checked_gpu.h"
#include "emulated_run.h"
#include "gpu/gpus.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "rank/rank_stages.h"
#include "rank/warm_up.h"
#include "registered_test.h"
#include "words/catalog.h"

namespace tst_checked_run {

using namespace bscope;

namespace {

using Results = std::vector<std::pair<double, double>>;  // loss and norm, by iteration

Results train(const RunConfig& config, int iterations) {
    GpuCollector seen;
    Run run(config, seen);
    Results results;
    for (int i = 0; i < iterations; ++i) {
        const bool streams = run.config().schedule.starts_with("pipedream");
        const IterationReport report = run.iterate(streams ? iterations - 1 - i : 0);
        results.emplace_back(report.loss, report.grad_norm);
        if (config.device == DeviceChoice::Cpu) continue;
        if (report.device.find("Checked GPU") == std::string::npos) throw std::runtime_error(report.device);
        if (report.dropped_events != 0) throw std::runtime_error("records were lost");
        if (report.timing.source != TimingSource::Cupti && report.timing.source != TimingSource::KernelsLater)
            throw std::runtime_error("nothing was traced");
    }
    return results;
}

// Heads of 32 numbers are the smallest that the attention has kernels for.
RunConfig checkedConfig(const char* schedule, int p, int v = 1) {
    RunConfig config = tinyConfig(schedule, p, 2, v);
    config.micro_batch = 1;
    config.model = {2, 32, 1, 8, 256};
    return config;
}

RunConfig measuredConfig() {
    RunConfig config = onGpus(checkedConfig("1f1b", 2));
    config.clock = ClockChoice::Measured;
    return config;
}

// What an iteration that fails says, and what to do then; empty when it does not.
QString failureOf(Run& run) {
    try {
        run.iterate();
        return "";
    } catch (const RunFailure& failure) {
        return QString(failure.what()) + " " +
               QString::fromStdString(say(failure.what_to_do, Language::English));
    }
}

QByteArray differences(const Results& found, const Results& expected, double tolerance) {
    QByteArray text;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto [loss, norm] = expected[i];
        if (std::abs(found[i].first - loss) > tolerance * loss ||
            std::abs(found[i].second - norm) > 5 * tolerance * norm)
            text += QString("iteration %1: loss %2 for %3, norm %4 for %5\n")
                        .arg(i)
                        .arg(found[i].first, 0, 'g', 9)
                        .arg(loss, 0, 'g', 9)
                        .arg(found[i].second, 0, 'g', 9)
                        .arg(norm, 0, 'g', 9)
                        .toUtf8();
    }
    return text;
}

}  // namespace

class TestCheckedRun : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() { brokenRules(); }
    void cleanup() {
        const QByteArray broken = brokenRules();
        QVERIFY2(broken.isEmpty(), broken);
    }

    void trainsAsTheCpu_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<bool>("bf16");
        QTest::addColumn<bool>("graphs");
        for (const auto& [schedule, bf16, graphs] : {std::tuple("1f1b", false, false),
                                                     {"1f1b", true, false},
                                                     {"1f1b", true, true},
                                                     {"zbh1", false, false},
                                                     {"pipedream", false, true},
                                                     {"pipedream", true, false},
                                                     {"pipedream-2bw", false, false}})
            QTest::addRow("%s, %s%s", schedule, bf16 ? "bf16" : "fp32", graphs ? ", graphs" : "")
                << QByteArray(schedule) << bf16 << graphs;
    }
    void trainsAsTheCpu() {
        QFETCH(QByteArray, schedule);
        QFETCH(bool, bf16);
        QFETCH(bool, graphs);
        const int iterations =
            graphs ? 4 : 2;  // a graph is made in the second and launched from the third on
        RunConfig config = checkedConfig(schedule.constData(), 2);
        const Results on_cpu = train(config, iterations);
        config = onGpus(config);
        config.dtype = bf16 ? Dtype::Bf16 : Dtype::Fp32;
        config.cuda_graphs = graphs;
        QByteArray wrong;
        try {
            const Results on_one = train(config, iterations);
            config.clock = ClockChoice::Measured;
            const Results on_two = train(config, iterations);
            wrong = differences(on_one, on_cpu, bf16 ? 1e-2 : 1e-5);
            if (on_two != on_one) wrong += "two GPUs compute something else than one";
        } catch (const std::exception& error) {
            wrong = error.what();
        }
        QVERIFY2(wrong.isEmpty(), wrong);
    }

    // Fails when an abort does not take the parent of a failed split first (links.cpp, abortAll).
    void aSplitThatFailsIsASentence() {
        const RunConfig config = measuredConfig();
        EventCollector seen;
        Run run(config, seen);
        {
            const Setting fails("BSCOPE_FAKE_SPLIT_FAILS", "2");
            const QString text = failureOf(run);
            QVERIFY2(text.contains("NCCL"), qPrintable(text));
        }
        QVERIFY(run.iterate().loss > 0);  // over a new world
    }

    // What broke off leaves no rule broken, and the same iteration runs again.
    void aBrokenLinkIsASentence_data() {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("error") << QByteArray("BSCOPE_FAKE_LINK_ERROR") << QString("unhandled system error");
        QTest::newRow("silence") << QByteArray("BSCOPE_FAKE_LINK_SILENT") << QString("has not come");
    }
    void aBrokenLinkIsASentence() {
        QFETCH(QByteArray, fault);
        QFETCH(QString, words);
        RunConfig config = measuredConfig();
        const Results expected = train(config, 2);
        EventCollector seen;
        Run run(config, seen);
        run.iterate();
        {
            const Setting broken(fault.constData(), "3");
            const QString text = failureOf(run);
            QVERIFY2(text.contains(words), qPrintable(text));
        }
        QCOMPARE(run.iterate().loss, expected[1].first);
    }

    // Fails when check.h does not tell errors that stay from others: then "run again" is the advice. And now
    // and then when memory of the GPU without the fault goes before what it still has to do: by chance, so
    // faults come at several moments.
    void aFaultOfAKernelAsksForARestart_data() {
        QTest::addColumn<QByteArray>("launch");
        for (int launch = 5; launch <= 60; launch += 5)
            QTest::addRow("launch %d", launch) << QByteArray::number(launch);
    }
    void aFaultOfAKernelAsksForARestart() {
        QFETCH(QByteArray, launch);
        QString text;
        {
            EventCollector seen;
            Run run(onGpus(checkedConfig("1f1b", 2)), seen);
            run.iterate();
            const Setting fault("BSCOPE_FAKE_FAULT", launch);
            text = failureOf(run);
        }
        fake_cuda_restart();
        QVERIFY2(text.contains("an illegal memory access") && text.contains("Restart the engine"),
                 qPrintable(text));
    }

    // As when another rank fails meanwhile. Fails when memory of the warm-up goes before the GPU is done.
    void aWarmUpThatIsBrokenOffBreaksNothing() {
        const Plan plan = makePlan(onGpus(checkedConfig("1f1b", 1)));
        const auto cpu = makeCpuDevice();
        const std::vector<std::int32_t> tokens(plan.shape.T *
                                               static_cast<std::size_t>(plan.config.micro_batch));
        int broken_off = 0;
        for (int breaks_at = 1; broken_off == breaks_at - 1; ++breaks_at) {
            Gpus gpus;
            Device& device = gpus.device(0, Dtype::Fp32, Streams::Own);
            Model model(*cpu, plan.shape, 1);
            moveStage(model, plan.ranges.front(), device);
            RankStages stages(plan, 0, {&model});
            Stream& stream = stages.workplace().stream();
            int looks = 0;
            watchWhileWaiting(stream, [&] {
                if (++looks == breaks_at) throw std::runtime_error("broken off");
            });
            try {
                warmUp(plan, 0, stages, {tokens, tokens});
            } catch (const std::runtime_error&) {
                ++broken_off;
            }
            gpus.api().stream_synchronize(cudaStreamOf(stream));
        }
        QVERIFY(broken_off > 0);
    }

    // Fails when main() does not ask for the driver's queues before anything calls CUDA.
    void theProgramAsksForQueues() {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.remove("CUDA_DEVICE_MAX_CONNECTIONS");
        environment.insert("BSCOPE_FAKE_STRICT", "1");
        program.setProcessEnvironment(environment);
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(
            QStringLiteral(BUBBLESCOPE_BIN_DIR) + "/bscope",
            {"run", "--device",      "cuda", "--clock",      "measured", "-p",       "2",  "-m",
             "2",   "--micro-batch", "1",    "--layers",     "2",        "--hidden", "32", "--heads",
             "1",   "--seq",         "8",    "--iterations", "1"});
        QVERIFY(program.waitForFinished(120'000));
        const QByteArray said = program.readAll();
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, said);
        QVERIFY2(said.contains("Checked GPU"), said);
    }

    // A stream is left in the middle: its memory goes when the GPUs have done what they were given.
    void aStreamThatIsLeftBreaksNothing_data() {
        QTest::addColumn<bool>("measured");
        QTest::newRow("one GPU") << false;
        QTest::newRow("a GPU a rank") << true;
    }
    void aStreamThatIsLeftBreaksNothing() {
        QFETCH(bool, measured);
        RunConfig config = onGpus(checkedConfig("pipedream-2bw", 2));
        config.clock = measured ? ClockChoice::Measured : ClockChoice::Reconstructed;
        EventCollector seen;
        Run run(config, seen);
        QVERIFY(run.iterate(5).loss > 0);
    }
};

BUBBLESCOPE_TEST(TestCheckedRun)

}  // namespace tst_checked_run

#include "tst_checked_run.moc"
