// Run on one emulated GPU that all ranks share: what is computed is what the CPU computes, bit by bit, and
// the reconstruction keeps the books that a reconstruction on the CPU keeps.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>

#include "emulated_run.h"
#include "model/safetensors.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "timeline/analysis.h"
#include "words/catalog.h"

namespace tst_gpu_run {

using namespace bscope;

namespace {

// Losses and, from a dump, gradients and new weights.
struct Trained {
    std::vector<double> loss, norm;
    std::map<std::string, Tensor> gradients, weights;
};

Trained train(const RunConfig& config, int iterations = 2) {
    QTemporaryDir folder;
    EventCollector no_observer;
    Run run(config, no_observer);
    Trained trained;
    const std::filesystem::path into = folder.path().toStdString();
    for (int i = 0; i < iterations; ++i) {
        const IterationReport report = i + 1 == iterations ? run.dump(into) : run.iterate();
        trained.loss.push_back(report.loss);
        trained.norm.push_back(report.grad_norm);
    }
    trained.gradients = readTensors(into / "gradients.safetensors").tensors;
    trained.weights = readTensors(into / "final.safetensors").tensors;
    return trained;
}

std::set<std::pair<int, std::string>> actionsOf(const Plan& plan) {
    std::set<std::pair<int, std::string>> actions;
    for (std::size_t rank = 0; rank < plan.program.actions.size(); ++rank)
        for (const Action& action : plan.program.actions[rank])
            if (!isCommunication(action.op))
                actions.insert(
                    {static_cast<int>(rank), toText({action.stage, action.op, action.microbatch})});
    return actions;
}

constexpr int kByLayer = 3;  // beside the kinds of Recompute

void setRecompute(RunConfig& config, int kind) {
    config.recompute = kind == kByLayer ? Recompute::Full : static_cast<Recompute>(kind);
    if (kind == kByLayer) config.checkpoint_every = CheckpointEvery::Layer;
}

}  // namespace

class TestGpuRun : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("BSCOPE_CUDA_PLUGIN", emulatedGpu()); }

    void computesWhatTheCpuComputes_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("recompute");
        QTest::addColumn<int>("d");
        for (const auto& [schedule, v] :
             {std::pair("1f1b", 1), {"gpipe", 1}, {"interleaved", 2}, {"zbh1", 1}})
            for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective}) {
                // Under sanitizers, where a row takes seconds, each kind of recomputation once.
                if (*SANITIZERS && recompute != Recompute::None && schedule != QString("1f1b")) continue;
                QTest::addRow("%s, %s", schedule, toText(recompute))
                    << QString(schedule) << v << static_cast<int>(recompute) << 1;
            }
        QTest::newRow("1f1b, by layer") << QString("1f1b") << 1 << kByLayer << 1;
        QTest::newRow("zbh1, by layer") << QString("zbh1") << 1 << kByLayer << 1;
        QTest::newRow("1f1b, 2 replicas") << QString("1f1b") << 1 << 0 << 2;
        QTest::newRow("chimera") << QString("chimera") << 2 << 0 << 1;
    }
    void computesWhatTheCpuComputes() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        QFETCH(int, recompute);
        QFETCH(int, d);
        RunConfig config = tinyConfig(schedule.toUtf8(), 4, 8, v);
        config.params.d = d;
        setRecompute(config, recompute);
        const Trained on_cpu = train(config), on_gpu = train(onGpus(config));
        QCOMPARE(on_gpu.loss, on_cpu.loss);
        QCOMPARE(on_gpu.norm, on_cpu.norm);
        QVERIFY(on_gpu.gradients == on_cpu.gradients);
        QVERIFY(on_gpu.weights == on_cpu.weights);
    }

    // With any checkpointing and on any rank, and every kernel is still found at its action.
    void graphsComputeTheSame_data() { bf16ComputesNearlyTheSame_data(); }
    void graphsComputeTheSame() {
        QFETCH(QString, schedule);
        QFETCH(int, recompute);
        RunConfig config = onGpus(tinyConfig(schedule.toUtf8(), 4, 8));
        setRecompute(config, recompute);
        const Trained without = train(config, 5);
        config.cuda_graphs = true;
        const Trained with = train(config, 5);
        QCOMPARE(with.loss, without.loss);
        QVERIFY(with.weights == without.weights);

        GpuCollector seen;
        Run run(config, seen);
        for (int i = 0; i < 5; ++i) QCOMPARE(run.iterate().dropped_events, std::uint64_t{0});
        std::map<int, std::size_t> kernels;  // by iteration
        for (const auto& [rank, events] : seen.kernels_by_rank)
            for (const KernelEvent& kernel : events) ++kernels[kernel.iteration];
        QVERIFY(kernels[0] > 0);
        QCOMPARE(kernels[4], kernels[0]);
    }

    // Operands are kept in half the bytes, the master weights and everything summed in fp32.
    void bf16ComputesNearlyTheSame_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("recompute");
        for (const QString schedule : {"1f1b", "zbh1"})
            for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective}) {
                if (*SANITIZERS && (recompute == Recompute::Full) == (schedule == "zbh1")) continue;
                QTest::newRow(qPrintable(schedule + ", " + toText(recompute)))
                    << schedule << static_cast<int>(recompute);
            }
        if (!*SANITIZERS) QTest::newRow("zbh1, by layer") << QString("zbh1") << kByLayer;
    }
    void bf16ComputesNearlyTheSame() {
        QFETCH(QString, schedule);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(schedule.toUtf8(), 4, 8);
        setRecompute(config, recompute);
        const Trained exact = train(config, 3);
        config = onGpus(config);
        config.dtype = Dtype::Bf16;
        const Trained four = train(config, 3);
        config.params.p = 1;
        const Trained one = train(config, 3);
        for (std::size_t i = 0; i < exact.loss.size(); ++i) {
            QVERIFY(four.loss[i] != exact.loss[i]);
            QVERIFY(std::abs(four.loss[i] - exact.loss[i]) < 1e-2 * exact.loss[i]);
            QVERIFY(std::abs(four.norm[i] - exact.norm[i]) < 5e-2 * exact.norm[i]);
        }
        QCOMPARE(one.loss, four.loss);
        QVERIFY(one.weights == four.weights);
    }

    void theBooksAreKept_data() {
        QTest::addColumn<bool>("cupti");
        QTest::newRow("CUPTI") << true;
        QTest::newRow("events") << false;
    }
    void theBooksAreKept() {
        QFETCH(bool, cupti);
        const Setting refused("BSCOPE_EMULATED_NO_CUPTI", cupti ? "0" : "1");
        RunConfig config = onGpus(tinyConfig("1f1b", 4, 8));
        config.link = {5, 10};
        config.slow_ranks = {{2, 1.5}};
        GpuCollector seen;
        Run run(config, seen);
        run.iterate();
        const IterationReport report = run.iterate();
        QCOMPARE(report.provenance, Provenance::Reconstructed);
        QCOMPARE(report.device, std::string("Emulated GPU"));
        QVERIFY(cupti ? report.timing.source == TimingSource::Cupti
                      : QString::fromStdString(say(wordsOf(report.timing), Language::English))
                            .contains("another profiler"));
        QCOMPARE(report.dropped_events, std::uint64_t{0});
        QVERIFY(seen.batches_in_bounds && seen.watermark_kept);

        const Plan plan = makePlan(config);
        std::set<std::pair<int, std::string>> found;
        std::map<std::pair<int, std::string>, int> kernels;
        for (const auto& [rank, events] : seen.kernels_by_rank)
            for (const KernelEvent& kernel : events)
                if (kernel.iteration == 1)
                    ++kernels[{rank, toText({kernel.stage, kernel.op, kernel.microbatch})}];
        std::map<std::tuple<int, Op, int>, const Event*> produced;
        std::map<std::pair<int, Action>, const Event*> boxes;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events)
                if (!isCommunication(event.op) && event.iteration == 1)
                    produced[{event.stage, event.op, event.microbatch}] =
                        boxes[{rank, {event.stage, event.op, event.microbatch}}] = &event;
        int receives = 0;
        for (const auto& [rank, events] : seen.by_rank) {
            std::int64_t free_ns = 0;
            for (const Event& event : events) {
                if (event.iteration != 1) continue;
                if (isCommunication(event.op)) {
                    ++receives;
                    const bool forward = event.op == Op::RecvForward;
                    const Event* from = produced.at({event.stage + (forward ? -1 : 1),
                                                     forward ? Op::Forward : Op::Backward, event.microbatch});
                    QCOMPARE(event.transfer_ns, from->end_ns);
                    QCOMPARE(event.end_ns - event.transfer_ns,
                             std::llround(config.link.transferNs(static_cast<double>(event.bytes))));
                    continue;
                }
                QVERIFY(event.start_ns >= free_ns);
                QVERIFY(event.end_ns > event.start_ns);
                free_ns = event.end_ns;
                const std::pair key{rank, toText({event.stage, event.op, event.microbatch})};
                found.insert(key);
                if (cupti) QVERIFY2(kernels[key] > 0, key.second.c_str());
            }
        }
        QVERIFY(found == actionsOf(plan));
        QCOMPARE(receives, 2 * 3 * 8);
        for (const auto& [rank, events] : seen.kernels_by_rank)
            for (const KernelEvent& kernel : events) {
                QVERIFY(kernel.end_ns >= kernel.start_ns);
                if (kernel.kind == KernelEvent::Kind::Kernel)
                    QVERIFY2(QString::fromStdString(kernel.name).startsWith("emulated::"),
                             kernel.name.c_str());
                if (kernel.iteration != 1) continue;
                const Event* box = boxes.at({rank, {kernel.stage, kernel.op, kernel.microbatch}});
                QVERIFY(kernel.start_ns >= box->start_ns && kernel.end_ns <= box->end_ns);
            }
    }

    void aReductionWaitsForEveryCopy() {
        RunConfig config = onGpus(tinyConfig("1f1b", 2, 4));
        config.params.d = 2;
        config.link = {50, 1};
        EventCollector seen;
        Run run(config, seen);
        const IterationReport report = run.iterate();
        QCOMPARE(report.provenance, Provenance::Reconstructed);
        QCOMPARE(report.dropped_events, std::uint64_t{0});  // ranks that add nothing to the norm lack nothing
        const Schedule schedule = makePlan(config).program.schedule;
        const std::vector<Event> reductions = seen.all(Op::ReduceGradients),
                                 backwards = seen.all(Op::Backward);
        QCOMPARE(reductions.size(), std::size_t{4});
        for (const Event& reduction : reductions) {
            QVERIFY(reduction.bytes > 0);
            for (const int copy : schedule.copiesOf(reduction.stage))
                for (const Event& backward : backwards)
                    if (backward.stage == copy)
                        QVERIFY(reduction.start_ns >=
                                backward.end_ns + std::llround(config.link.transferNs(
                                                      static_cast<double>(reduction.bytes))));
        }
    }

    void memoryIsAsPredicted_data() {
        QTest::addColumn<int>("recompute");
        for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective})
            QTest::newRow(toText(recompute)) << static_cast<int>(recompute);
        QTest::newRow("by layer") << kByLayer;
    }
    void memoryIsAsPredicted() {
        QFETCH(int, recompute);
        RunConfig config = tinyConfig("1f1b", 4, 8);
        setRecompute(config, recompute);
        std::int64_t cpu_peak = 0;
        RunConfig bf16 = onGpus(config);
        bf16.dtype = Dtype::Bf16;
        std::int64_t fp32_peak = 0;
        for (const RunConfig& each : {config, onGpus(config), bf16}) {
            EventCollector seen;
            Run run(each, seen);
            const IterationReport report = run.iterate();
            const auto predicted = predictedPeakBytes(makePlan(each));
            for (std::size_t rank = 0; rank < predicted.size(); ++rank)
                QCOMPARE(report.ranks[rank].peak_activation_bytes, predicted[rank]);
            if (each.device == DeviceChoice::Cpu) cpu_peak = predicted[0];
            if (each.device == DeviceChoice::Cpu || each.recompute == Recompute::Full) continue;
            QVERIFY(each.recompute != Recompute::None || predicted[0] < cpu_peak);
            QVERIFY(report.ranks[0].driver_bytes > predicted[0]);
            if (each.dtype == Dtype::Bf16) QVERIFY(predicted[0] < fp32_peak);
            fp32_peak = predicted[0];
        }
    }

    void calibratedDurationsAreMedians() {
        RunConfig config = onGpus(tinyConfig("1f1b", 2, 4));
        config.durations = Durations::Calibrated;
        EventCollector seen;
        Run run(config, seen);
        run.iterate();
        run.iterate();
        std::set<std::int64_t> lengths;
        for (const Event& event : seen.all(Op::Forward))
            if (event.iteration == 1 && event.stage == 0) lengths.insert(event.duration_ns());
        QCOMPARE(lengths.size(), std::size_t{1});
    }

    void theDeviceChangesBetweenIterations() {
        const RunConfig config = tinyConfig("1f1b", 2, 4);
        const Trained expected = train(config, 4);
        EventCollector seen;
        Run run(config, seen);
        std::vector<double> loss;
        RunConfig next = config;
        for (const auto& [device, p] : {std::pair(DeviceChoice::Cpu, 2),
                                        {DeviceChoice::Cuda, 4},
                                        {DeviceChoice::Cuda, 1},
                                        {DeviceChoice::Cpu, 2}}) {
            next.device = device;
            next.params.p = p;
            run.configure(next);
            loss.push_back(run.iterate().loss);
        }
        QCOMPARE(loss, expected.loss);
    }

    void verifyComparesOnTheSameDevice() {
        const VerifyResult result = verify(onGpus(tinyConfig("1f1b", 4, 8)));
        QVERIFY(result.bitwise_equal);
        QCOMPARE(result.loss.size(), std::size_t{3});
    }

    // Their sums end in other bits, after which bf16 may round a weight the other way.
    void replicasInBf16MayDifferByMore() {
        RunConfig config = onGpus(tinyConfig("chimera", 4, 8, 2));
        const VerifyResult fp32 = verify(config);
        QVERIFY(fp32.within_tolerance && !fp32.bitwise_equal);
        QCOMPARE(fp32.tolerance, 1e-4);
        config.dtype = Dtype::Bf16;
        const VerifyResult bf16 = verify(config, 6);
        QVERIFY(bf16.within_tolerance && bf16.largest_difference > fp32.tolerance);
        QCOMPARE(bf16.tolerance, 1e-2);
    }

    void oneIterationInManyRunsUntraced() {
        RunConfig config = onGpus(tinyConfig("1f1b", 2, 4));
        config.trace_cost = 3;
        EventCollector seen;
        Run run(config, seen);
        std::vector<IterationReport> reports;
        for (int i = 0; i < 4; ++i) reports.push_back(run.iterate());
        QVERIFY(!reports[1].tracing_cost);
        QVERIFY(reports[2].tracing_cost && reports[3].tracing_cost);
        QVERIFY(QString::fromStdString(say(wordsOf(reports[2].timing), Language::English))
                    .contains("not traced"));
        QVERIFY(std::isnan(reports[2].bubble_of_total));
        QVERIFY(reports[2].iteration_ms > 0);
        for (const Event& event : seen.all(Op::Forward)) QVERIFY(event.iteration != 2);
        QCOMPARE(reports[3].timing.source, TimingSource::Cupti);
        QVERIFY(reports[3].bubble_of_total > 0);
        config.trace_cost = 0;
        config.device = DeviceChoice::Cpu;
        EventCollector no_observer;
        Run plain(config, no_observer);
        for (const IterationReport& report : reports) QCOMPARE(report.loss, plain.iterate().loss);
    }

    void lostRecordsAreCounted() {
        const RunConfig config = onGpus(tinyConfig("1f1b", 2, 4));
        EventCollector seen;
        Run run(config, seen);
        run.iterate();
        const Setting lost("BSCOPE_EMULATED_DROP", "1000000");
        const IterationReport report = run.iterate();
        QVERIFY(report.dropped_events > 0);
        QVERIFY(report.iteration_ms > 0);  // by what the actions lasted before
    }

    void withoutMemoryItSaysSo() {
        const Setting little("BSCOPE_EMULATED_BYTES", "6000000");
        RunConfig config = onGpus(tinyConfig("gpipe", 2, 4));
        config.model.sequence = 32;
        EventCollector seen;
        try {
            Run run(config, seen);
            run.iterate();
            QFAIL("there was memory");
        } catch (const RunFailure& failure) {
            QVERIFY2(QString(failure.what()).contains("memory"), failure.what());
        } catch (const ConfigError& error) {
            QVERIFY2(QString(error.what()).contains("memory"), error.what());
        }
    }

    void whatGpusCannotDoIsRefused() {
        EventCollector seen;
        const auto refused = [&](RunConfig config, const char* field, const char* words) {
            try {
                Run run(onGpus(config), seen);
                return false;
            } catch (const ConfigError& error) {
                if (error.problems().front().field == field && QString(error.what()).contains(words))
                    return true;
                qWarning() << error.what();
                return false;
            }
        };
        RunConfig measured = onGpus(tinyConfig("1f1b", 2, 4));
        measured.clock = ClockChoice::Measured;
        QVERIFY_THROWS_EXCEPTION(ConfigError, Run(measured, seen));
        const Setting none("BSCOPE_EMULATED_GPUS", "0");
        QVERIFY(refused(tinyConfig(), "device", "the NVIDIA driver is there but finds no GPU"));
        RunConfig automatic = tinyConfig();
        automatic.device = DeviceChoice::Auto;
        Run run(automatic, seen);
        QCOMPARE(run.config().device, DeviceChoice::Cpu);
    }
};

BUBBLESCOPE_TEST(TestGpuRun)

}  // namespace tst_gpu_run

#include "tst_gpu_run.moc"
