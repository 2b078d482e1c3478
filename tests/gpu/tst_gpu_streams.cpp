// Asynchronous schedules on emulated GPUs: endless streams, RECONSTRUCTED on one GPU and MEASURED on one a
// rank. What is computed is what the CPU's stream computes, and every iteration's books are complete when it
// is reported, while the ranks run on.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <thread>

#include "emulated_run.h"
#include "gpu/gpu_trace.h"
#include "gpu/gpu_watch.h"
#include "kernels/plugin/cuda_device.h"
#include "model/safetensors.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "schedule/weight_versions.h"
#include "timeline/kernel_log.h"
#include "report/report.h"
#include "words/catalog.h"

namespace tst_gpu_streams {

using namespace bscope;

namespace {

// Losses, norms, and the weights at the end.
struct Trained {
    std::vector<double> loss, norm;
    std::map<std::string, Tensor> weights;
    bool operator==(const Trained&) const = default;
};

Trained train(const RunConfig& config, int iterations = 4) {
    QTemporaryDir folder;
    EventCollector no_observer;
    Run run(config, no_observer);
    Trained trained;
    for (int i = 0; i < iterations; ++i) {
        const IterationReport report = run.iterate(iterations - 1 - i);
        trained.loss.push_back(report.loss);
        trained.norm.push_back(report.grad_norm);
    }
    const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
    run.save(file);
    trained.weights = readTensors(file).tensors;
    return trained;
}

RunConfig streamConfig(const char* schedule, bool measured, int p = 4, int m = 4) {
    RunConfig config = onGpus(tinyConfig(schedule, p, m));
    config.clock = measured ? ClockChoice::Measured : ClockChoice::Reconstructed;
    return config;
}

// What a box says beside its time and its bytes.
using Books = std::vector<std::tuple<int, Op, int, int, int, int>>;

std::map<int, Books> booksOf(const EventCollector& seen) {
    std::map<int, Books> books;
    for (const auto& [rank, events] : seen.by_rank)
        for (const Event& event : events)
            books[rank].emplace_back(event.iteration, event.op, event.stage, event.microbatch,
                                     event.weight_version, event.staleness);
    return books;
}

void addRows() {
    QTest::addColumn<bool>("measured");
    QTest::newRow("one GPU") << false;
    QTest::newRow("a GPU a rank") << true;
}

}  // namespace

class TestGpuStreams : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useEmulatedGpus("4"); }

    void computesWhatTheCpuComputes_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        QTest::addColumn<bool>("vertical_sync");
        QTest::addColumn<int>("recompute");
        QTest::newRow("pipedream p=4") << QString("pipedream") << 4 << 4 << false << 0;
        QTest::newRow("pipedream p=1") << QString("pipedream") << 1 << 2 << false << 0;
        QTest::newRow("pipedream m=1") << QString("pipedream") << 3 << 1 << false << 1;
        QTest::newRow("vertical sync") << QString("pipedream") << 2 << 5 << true << 2;
        QTest::newRow("2bw") << QString("pipedream-2bw") << 3 << 4 << false << 0;
    }
    void computesWhatTheCpuComputes() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, m);
        QFETCH(bool, vertical_sync);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(schedule.toUtf8(), p, m);
        config.params.vertical_sync = vertical_sync;
        config.recompute = static_cast<Recompute>(recompute);
        const Trained on_cpu = train(config);
        config.device = DeviceChoice::Cuda;
        QVERIFY(train(config) == on_cpu);
        config.clock = ClockChoice::Measured;
        QVERIFY(train(config) == on_cpu);
        const Setting slow("BSCOPE_EMULATED_LINK_DELAY_US", "300");  // what is used too early, shows
        QVERIFY(train(config) == on_cpu);
    }

    void delayedUpdatesAreThoseOfOneRank() {
        for (const char* schedule : {"pipedream", "pipedream-2bw"})
            for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16}) {
                RunConfig config = streamConfig(schedule, false);
                config.dtype = dtype;
                const VerifyResult result = verify(config, 3);
                QVERIFY(result.delayed_updates);
                QVERIFY2(result.bitwise_equal, result.tensor.c_str());
            }
    }

    // Every iteration is whole when it is reported.
    void theBooksAreThoseOfTheCpu_data() { addRows(); }
    void theBooksAreThoseOfTheCpu() {
        QFETCH(bool, measured);
        for (const char* schedule : {"pipedream", "pipedream-2bw"}) {
            const RunConfig config = streamConfig(schedule, measured);
            RunConfig cpu = config;
            cpu.device = DeviceChoice::Cpu;
            cpu.clock = ClockChoice::Reconstructed;
            EventCollector expected;
            GpuCollector seen;
            Run on_cpu(cpu, expected), on_gpu(config, seen);
            for (int i = 0; i < 4; ++i) on_cpu.iterate(3 - i);
            const std::vector<std::int64_t> peaks = predictedPeakBytes(makePlan(config));
            for (int i = 0; i < 4; ++i) {
                const IterationReport of_cpu = expected.reports[static_cast<std::size_t>(i)],
                                      report = on_gpu.iterate(3 - i);
                QCOMPARE(report.provenance, measured ? Provenance::Measured : Provenance::Reconstructed);
                QCOMPARE(report.dropped_events, std::uint64_t{0});
                QVERIFY(report.iteration_ms > 0);
                for (std::size_t rank = 0; rank < peaks.size(); ++rank) {
                    const RankReport &of_gpu = report.ranks[rank], &other = of_cpu.ranks[rank];
                    QCOMPARE(of_gpu.weight_versions, other.weight_versions);
                    QCOMPARE(of_gpu.stashed_weight_bytes, other.stashed_weight_bytes);
                    QCOMPARE(of_gpu.staleness, other.staleness);
                    QCOMPARE(of_gpu.peak_in_flight, other.peak_in_flight);
                    QVERIFY(of_gpu.driver_bytes > 0);
                    if (i > 0 && i < 3) QCOMPARE(of_gpu.peak_activation_bytes, peaks[rank]);
                }
                std::map<int, Books> books = booksOf(seen), books_of_cpu = booksOf(expected);
                for (int rank = 0; rank < 4; ++rank)
                    for (Books* of_rank : {&books[rank], &books_of_cpu[rank]})
                        std::erase_if(*of_rank, [&](const auto& box) { return std::get<0>(box) > i; });
                QVERIFY(books == books_of_cpu);
            }
            QVERIFY(seen.batches_in_bounds && seen.watermark_kept);
            for (const auto& [rank, events] : seen.by_rank) {
                std::int64_t free_ns = 0;
                for (const Event& event : events) {
                    if (isCommunication(event.op)) continue;
                    QVERIFY(event.start_ns >= free_ns);
                    free_ns = event.end_ns;
                }
            }
        }
    }

    void aReconstructionKeepsItsRules() {
        RunConfig config = streamConfig("pipedream", false);
        config.link = {5, 10};
        config.slow_ranks = {{1, 1.5}};
        GpuCollector seen;
        Run run(config, seen);
        double gaps_ms = 0;
        for (int i = 0; i < 4; ++i) {
            const IterationReport report = run.iterate(3 - i);
            QCOMPARE(report.timing.source, TimingSource::Cupti);
            QVERIFY(!report.tracing_cost);
            gaps_ms += report.ranks[0].launch_gap_ms;
        }
        QVERIFY(gaps_ms > 0);
        Boxes boxes;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events)
                if (isCompute(event.op)) boxes[{event.stage, event.op, event.microbatch}] = &event;
        int receives = 0;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events) {
                if (!isCommunication(event.op)) continue;
                ++receives;
                QCOMPARE(event.transfer_ns, producerOf(boxes, event).end_ns);
                QVERIFY(event.end_ns <= userOf(boxes, event).start_ns);
                QCOMPARE(event.end_ns - event.transfer_ns,
                         std::llround(config.link.transferNs(static_cast<double>(event.bytes))));
            }
        QCOMPARE(receives, 2 * 3 * 16);
        // Every box has its kernels, the many steps of an iteration too.
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events) {
                if (isCommunication(event.op)) continue;
                const auto& kernels = seen.kernels_by_rank[rank];
                QVERIFY(std::any_of(kernels.begin(), kernels.end(), [&](const KernelEvent& kernel) {
                    return kernel.op == event.op && kernel.stage == event.stage &&
                           kernel.microbatch == event.microbatch && kernel.iteration == event.iteration &&
                           kernel.start_ns >= event.start_ns && kernel.end_ns <= event.end_ns;
                }));
            }
    }

    void whatWasMeasuredIsConsistent() {
        const Setting slow("BSCOPE_EMULATED_LINK_DELAY_US", "2000");
        GpuCollector seen;
        Run run(streamConfig("pipedream", true), seen);
        for (int i = 0; i < 4; ++i) QCOMPARE(run.iterate(3 - i).timing.source, TimingSource::KernelsLater);
        constexpr std::int64_t slack_ns = 10'000'000;  // events are as exact as a busy host sees them come
        Boxes boxes;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events) boxes[{event.stage, event.op, event.microbatch}] = &event;
        int receives = 0;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events) {
                if (!isCommunication(event.op)) continue;
                ++receives;
                QVERIFY(event.start_ns <= event.transfer_ns && event.transfer_ns <= event.end_ns);
                QVERIFY(event.transfer_ns + slack_ns >= producerOf(boxes, event).end_ns);
                QVERIFY(event.end_ns <= userOf(boxes, event).start_ns + slack_ns);
            }
        QCOMPARE(receives, 2 * 3 * 16);
    }

    // CUPTI keeps them back while anything runs; at the end the last ones may be missing.
    void kernelsOfAMeasuredStreamComeLater() {
        const int iterations = 6;
        GpuCollector seen;
        Run run(streamConfig("pipedream", true), seen);
        for (int i = 0; i < iterations; ++i)
            QCOMPARE(run.iterate(iterations - 1 - i).dropped_events, std::uint64_t{0});
        for (const auto& [rank, events] : seen.by_rank) {
            KernelLog log;
            for (const KernelEvent& kernel : seen.kernels_by_rank[rank])
                log.append({kernel.rank, 0, 1, {kernel}});
            std::map<Op, std::set<std::size_t>> counts;
            for (const Event& event : events) {
                if (isCommunication(event.op) || event.iteration == iterations - 1) continue;
                const auto kernels = log.of(event);
                counts[event.op].insert(kernels.size());
                for (const KernelEvent& kernel : kernels) {
                    QCOMPARE(kernel.iteration, event.iteration);
                    QVERIFY(kernel.start_ns >= event.start_ns && kernel.end_ns <= event.end_ns);
                }
            }
            for (const Op op : {Op::Forward, Op::Backward, Op::OptimizerStep}) {
                QCOMPARE(counts[op].size(), std::size_t{1});  // always the same ones
                QVERIFY(*counts[op].begin() > 0);
            }
        }
    }

    // As without CUPTI: boxes, and no kernels.
    void eventsTimeAStreamToo() {
        const Setting refused("BSCOPE_EMULATED_NO_CUPTI", "1");
        GpuCollector seen;
        Run run(streamConfig("pipedream-2bw", false, 3), seen);
        for (int i = 0; i < 3; ++i) {
            const IterationReport report = run.iterate(2 - i);
            QVERIFY(QString::fromStdString(say(wordsOf(report.timing), Language::English))
                        .contains("another profiler"));
            QCOMPARE(report.dropped_events, std::uint64_t{0});
        }
        QVERIFY(seen.kernels_by_rank.empty());
        for (const Event& event : seen.all(Op::Backward)) QVERIFY(event.duration_ns() > 0);
    }

    void streamsAndFlushesFollowEachOther_data() { addRows(); }
    void streamsAndFlushesFollowEachOther() {
        QFETCH(bool, measured);
        std::vector<std::vector<double>> losses;
        for (const bool gpu : {false, true}) {
            EventCollector seen;
            RunConfig config = streamConfig("pipedream", measured);
            config.device = gpu ? DeviceChoice::Cuda : DeviceChoice::Cpu;
            if (!gpu) config.clock = ClockChoice::Reconstructed;
            Run run(config, seen);
            for (const auto& [schedule, p] :
                 {std::pair("pipedream", 4), {"1f1b", 2}, {"pipedream-2bw", 3}, {"pipedream", 2}}) {
                config.schedule = schedule;
                config.params.p = p;
                run.configure(config);
                for (int i = 0; i < 2; ++i) run.iterate(Run::kEndless);
            }
            QTemporaryDir folder;
            run.save(folder.filePath("state.safetensors").toStdString());
            std::vector<double>& loss = losses.emplace_back();
            for (const IterationReport& report : seen.reports) loss.push_back(report.loss);
        }
        QVERIFY(losses[0].size() > 8);
        QCOMPARE(losses[1], losses[0]);
    }

    void lostRecordsAreCounted() {
        EventCollector seen;
        Run run(streamConfig("pipedream", false, 2), seen);
        run.iterate(1);
        run.iterate();  // nothing runs while the environment changes
        const Setting lost("BSCOPE_EMULATED_DROP", "1000000");
        run.iterate(1);
        const IterationReport report = run.iterate();
        QVERIFY(report.dropped_events > 0);
        QVERIFY(report.iteration_ms > 0);  // by what the actions lasted before
    }

    void aBrokenLinkIsASentence_data() {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("error") << QByteArray("BSCOPE_EMULATED_LINK_ERROR")
                               << QString("unhandled system error");
        QTest::newRow("silence") << QByteArray("BSCOPE_EMULATED_LINK_SILENT") << QString("has not come");
    }
    void aBrokenLinkIsASentence() {
        QFETCH(QByteArray, fault);
        QFETCH(QString, words);
        EventCollector seen;
        Run run(streamConfig("pipedream", true), seen);
        run.iterate();
        const Setting broken(fault.constData(), "9");
        QElapsedTimer timer;
        timer.start();
        try {
            for (;;) run.iterate(Run::kEndless);
        } catch (const RunFailure& failure) {
            QVERIFY(timer.elapsed() < 10'000);
            const QString text = failure.what();
            QVERIFY2(text.contains(words), failure.what());
            QVERIFY2(
                text.contains(QRegularExpression("Rank \\d stopped in (\\d[A-Z_]+\\d+|OPT):.* rank \\d")),
                failure.what());
            QVERIFY2(text.contains(QRegularExpression("(for|waited) [\\d.]+ s")), failure.what());
            QVERIFY(failure.rank >= 0);
        }
    }

    // A rank that had nothing to do for long has not stood still for long.
    void aStreamThatWaitsIsNotStuck() {
        const auto plugin = CudaPlugin::load();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        const auto stream = device->makeStream();
        const Plan plan = makePlan(streamConfig("pipedream", true));
        GpuWatch watch(plugin->api(), plan, std::chrono::seconds(5));
        watch.beginIteration();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        QElapsedTimer busy;
        busy.start();
        watch.note(2, {2, Op::Forward, 0}, {cudaDeviceOf(*device), cudaStreamOf(*stream)});
        const double stood_still_s = watch.secondsSince(2);
        QVERIFY(stood_still_s * 1e9 <= static_cast<double>(busy.nsecsElapsed()));
        QVERIFY(watch.secondsSince(1) >= 0.05);
        stream->synchronize();
    }

    // It looks while it waits, and goes on as soon as its GPU has little enough left.
    void aHostIsNotFarAheadOfItsGpu() {
        const auto plugin = CudaPlugin::load();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        const auto stream = device->makeStream();
        const Plan plan = makePlan(streamConfig("pipedream", true));
        GpuWatch watch(plugin->api(), plan);
        watch.beginIteration();
        int looks = 0;
        watch.lookWith(2, [&] {
            ++looks;
            watch.look(2);
        });
        const auto note = [&](int microbatch) {
            watch.note(2, {2, Op::Forward, microbatch}, {cudaDeviceOf(*device), cudaStreamOf(*stream)});
            watch.waitWhileFarAhead(2);
        };
        note(0);
        QCOMPARE(looks, 0);
        for (int mb = 1; mb < 12; ++mb) note(mb);
        QVERIFY(looks > 0);
        QVERIFY(watch.current(2).value_or(Action{2, Op::Forward, 12}).microbatch >= 8);
        stream->synchronize();
    }

    void anAbortEndsAStream_data() { addRows(); }
    void anAbortEndsAStream() {
        QFETCH(bool, measured);
        EventCollector seen;
        Run run(streamConfig("pipedream", measured), seen);
        run.iterate(Run::kEndless);
        std::thread other([&run] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            run.abort(sentence("stop was requested"));
        });
        bool stopped = false;
        try {
            for (int i = 0; i < 1000; ++i) run.iterate(Run::kEndless);
        } catch (const RunFailure&) {
            stopped = true;
        }
        other.join();
        QVERIFY(stopped);
        Run(streamConfig("pipedream-2bw", measured), seen).iterate(Run::kEndless);  // and is left alone
    }

    // An id has room for so many micro-batches; those of a stream are counted on.
    void microbatchesAreCountedWithoutEnd() {
        QCOMPARE(GpuTrace::traceable({3, Op::Forward, 131'071 + 5}), (WorkId{3, Op::Forward, 5}));
        QCOMPARE(GpuTrace::traceable({3, Op::Forward, 65'535}), (WorkId{3, Op::Forward, 65'535}));
        QCOMPARE(GpuTrace::traceable({-1, Op::OptimizerStep, -1}), (WorkId{-1, Op::OptimizerStep, -1}));
        const auto step = [](int version) {
            return WorkId({-1, Op::OptimizerStep}, WorkPart::Main, version);
        };
        QCOMPARE(GpuTrace::traceable(step(131'071 + 7)), step(7));
        packTraceId({.iteration = 0, .rank = 0, .id = {3, Op::Forward, 131'070}});
    }
};

BUBBLESCOPE_TEST(TestGpuStreams)

}  // namespace tst_gpu_streams

#include "tst_gpu_streams.moc"
