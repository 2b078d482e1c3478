// Run on several emulated GPUs, one a rank: MEASURED, with messages over links. What is computed is what the
// CPU computes, waits and transfers are distinguished, and a link that breaks becomes a sentence.
#include <dlfcn.h>

#include <QElapsedTimer>
#include <QTest>
#include <atomic>
#include <thread>

#include "emulated_run.h"
#include "kernels/plugin/cuda_device.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "timeline/analysis.h"

namespace tst_gpu_links {

using namespace bscope;

namespace {

std::vector<std::pair<double, double>> train(const RunConfig& config, int iterations = 3) {
    EventCollector no_observer;
    Run run(config, no_observer);
    std::vector<std::pair<double, double>> results;
    for (int i = 0; i < iterations; ++i) {
        const IterationReport report = run.iterate();
        results.emplace_back(report.loss, report.grad_norm);
    }
    return results;
}

// How often this process has opened a link that was not split off another.
long openedLinks() {
    void* const library = dlopen(emulatedGpu().constData(), RTLD_NOW | RTLD_LOCAL);
    const auto count = reinterpret_cast<long (*)()>(dlsym(library, "emulated_links_opened"));
    dlclose(library);
    return count();
}

// By their number.
void linksThatComeUp() {
    QTest::addColumn<QByteArray>("which");
    QTest::newRow("of the world") << QByteArray("2");
    QTest::newRow("of a split") << QByteArray("6");
}

// Links wait this long for a peer that is merely late.
constexpr qint64 kPatience_ms = 60'000;

}  // namespace

class TestGpuLinks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useEmulatedGpus("4"); }

    void computesWhatTheCpuComputes_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("recompute");
        QTest::addColumn<int>("d");
        for (const auto& [schedule, v] :
             {std::pair("1f1b", 1), {"gpipe", 1}, {"interleaved", 2}, {"zbh1", 1}, {"zbv", 2}})
            for (const int p : {2, 4})
                QTest::addRow("%s p=%d", schedule, p) << QString(schedule) << p << v << 0 << 1;
        QTest::newRow("1f1b full") << QString("1f1b") << 4 << 1 << static_cast<int>(Recompute::Full) << 1;
        QTest::newRow("1f1b selective")
            << QString("1f1b") << 4 << 1 << static_cast<int>(Recompute::Selective) << 1;
        QTest::newRow("1f1b, 2 replicas") << QString("1f1b") << 2 << 1 << 0 << 2;
        QTest::newRow("interleaved, 2 replicas") << QString("interleaved") << 2 << 2 << 0 << 2;
        QTest::newRow("4 replicas") << QString("1f1b") << 1 << 1 << 0 << 4;
        QTest::newRow("chimera") << QString("chimera") << 4 << 2 << 0 << 1;
        QTest::newRow("dualpipe") << QString("dualpipe") << 4 << 2 << 0 << 1;
    }
    void computesWhatTheCpuComputes() {
        QFETCH(QString, schedule);
        QFETCH(int, p);
        QFETCH(int, v);
        QFETCH(int, recompute);
        QFETCH(int, d);
        RunConfig config = tinyConfig(schedule.toUtf8(), p, 8, v);
        config.params.d = d;
        config.recompute = static_cast<Recompute>(recompute);
        const auto expected = train(config);
        QCOMPARE(train(onGpus(config)), expected);
        const Setting slow("BSCOPE_EMULATED_LINK_DELAY_US", "300");  // what is used too early, shows
        QCOMPARE(train(onGpus(config)), expected);
    }

    void whatWasMeasuredIsConsistent_data() {
        QTest::addColumn<bool>("cupti");
        QTest::newRow("CUPTI") << true;
        QTest::newRow("events") << false;
    }
    void whatWasMeasuredIsConsistent() {
        QFETCH(bool, cupti);
        const Setting refused("BSCOPE_EMULATED_NO_CUPTI", cupti ? "0" : "1");
        const RunConfig config = onGpus(tinyConfig("1f1b", 4, 8));
        GpuCollector seen;
        Run run(config, seen);
        run.iterate();
        const IterationReport report = run.iterate();
        QCOMPARE(report.provenance, Provenance::Measured);
        QCOMPARE(report.device, std::string("4 x Emulated GPU"));
        QCOMPARE(report.dropped_events, std::uint64_t{0});
        QVERIFY(report.bubble_of_total > 0 && report.bubble_of_total < 1);
        const auto predicted = predictedPeakBytes(makePlan(config));
        for (std::size_t rank = 0; rank < predicted.size(); ++rank)
            QCOMPARE(report.ranks[rank].peak_activation_bytes, predicted[rank]);

        // Messages are timed by events, which are known as well as the host, here a busy one, sees them come.
        constexpr std::int64_t slack_ns = 10'000'000;
        int receives = 0;
        Boxes done;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events)
                if (event.iteration == 1) done[{event.stage, event.op, event.microbatch}] = &event;
        for (const auto& [rank, events] : seen.by_rank) {
            std::int64_t free_ns = 0;
            for (const Event& event : events) {
                if (event.iteration != 1) continue;
                if (!isCommunication(event.op)) {
                    QVERIFY(event.start_ns >= free_ns);
                    free_ns = event.end_ns;
                    continue;
                }
                ++receives;
                QVERIFY(event.start_ns <= event.transfer_ns && event.transfer_ns <= event.end_ns);
                QVERIFY(event.transfer_ns + slack_ns >= producerOf(done, event).end_ns);
                QVERIFY(event.end_ns <= userOf(done, event).start_ns + slack_ns);
            }
        }
        QCOMPARE(receives, 2 * 3 * 8);
        QCOMPARE(seen.kernels_by_rank.size(), std::size_t{cupti ? 4U : 0U});
    }

    // Between the last of its backwards and the reduction a rank waits, as on the CPU.
    void aReductionBeginsWhenEveryCopyIsDone_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("d");
        QTest::newRow("1f1b") << QString("1f1b") << 1 << 2;
        QTest::newRow("chimera") << QString("chimera") << 2 << 1;
    }
    void aReductionBeginsWhenEveryCopyIsDone() {
        QFETCH(QString, schedule);
        QFETCH(int, v);
        QFETCH(int, d);
        RunConfig config = onGpus(tinyConfig(schedule.toUtf8(), 4 / d, 8, v));
        config.params.d = d;
        config.clock = ClockChoice::Measured;
        GpuCollector seen;
        Run run(config, seen);
        run.iterate();
        const Setting slow("BSCOPE_EMULATED_LINK_DELAY_US", "30000");
        const IterationReport report = run.iterate();
        QCOMPARE(report.provenance, Provenance::Measured);
        QCOMPARE(report.device, std::string("4 x Emulated GPU"));
        QCOMPARE(report.dropped_events, std::uint64_t{0});
        const Schedule made = makePlan(config).program.schedule;
        std::vector<Event> reductions, backwards;
        for (const auto& [rank, events] : seen.by_rank)
            for (const Event& event : events) {
                if (event.iteration != 1) continue;
                if (event.op == Op::ReduceGradients) reductions.push_back(event);
                if (event.op == Op::Backward) backwards.push_back(event);
            }
        QCOMPARE(reductions.size(), made.placement.size());
        for (const Event& reduction : reductions) {
            QVERIFY(reduction.bytes > 0);
            for (const int copy : made.copiesOf(reduction.stage))
                for (const Event& backward : backwards)
                    if (backward.stage == copy)
                        QVERIFY(reduction.start_ns >=
                                backward.end_ns + (copy == reduction.stage ? 0 : 30'000'000));
        }
        bool kernels = false;
        for (const auto& [rank, events] : seen.kernels_by_rank)
            for (const KernelEvent& kernel : events) kernels = kernels || kernel.op == Op::ReduceGradients;
        QVERIFY(kernels);
    }

    void aReductionThatHangsNamesItsPeer() {
        RunConfig config = onGpus(tinyConfig("1f1b", 1, 4));
        config.params.d = 4;
        EventCollector seen;
        Run run(config, seen);
        run.iterate();
        const Setting silent("BSCOPE_EMULATED_LINK_SILENT", "5");
        try {
            run.iterate();
            QFAIL("nothing was noticed");
        } catch (const RunFailure& failure) {
            const QString text = failure.what();
            QVERIFY2(text.contains(QRegularExpression("Rank \\d stopped in \\dREDUCE_GRAD: what rank \\d "
                                                      "sent has not come")),
                     failure.what());
        }
    }

    void theNumberOfGpusChangesBetweenIterations() {
        const RunConfig config = tinyConfig("1f1b", 2, 8);
        const auto expected = train(config, 5);
        EventCollector seen;
        RunConfig next = onGpus(config);
        Run run(next, seen);
        std::vector<std::pair<double, double>> results;
        for (const auto& [schedule, p] :
             {std::pair("1f1b", 4), {"gpipe", 2}, {"1f1b", 1}, {"zbh1", 4}, {"1f1b", 8}}) {
            next.schedule = schedule;
            next.params.p = p;
            run.configure(next);
            const IterationReport report = run.iterate();
            results.emplace_back(report.loss, report.grad_norm);
            QCOMPARE(report.provenance, p <= 4 ? Provenance::Measured : Provenance::Reconstructed);
        }
        QCOMPARE(results, expected);
    }

    void oneWorldServesAllPipelines() {
        const RunConfig config = tinyConfig("1f1b", 1, 8);
        const auto expected = train(config, 6);
        EventCollector seen;
        RunConfig next = onGpus(config);
        Run run(next, seen);
        const long before = openedLinks();
        std::vector<std::pair<double, double>> results;
        for (const int p : {1, 4, 2, 4, 1, 2}) {
            next.params.p = p;
            run.configure(next);
            const IterationReport report = run.iterate();
            results.emplace_back(report.loss, report.grad_norm);
            QCOMPARE(report.provenance, Provenance::Measured);
            QCOMPARE(openedLinks() - before, p == 1 && results.size() == 1 ? 0L : 4L);
        }
        QCOMPARE(results, expected);
    }

    void aLinkThatDoesNotComeUpIsASentence_data() { linksThatComeUp(); }
    void aLinkThatDoesNotComeUpIsASentence() {
        QFETCH(QByteArray, which);
        const RunConfig config = onGpus(tinyConfig("1f1b", 4, 8));
        const auto expected = train(config, 1);
        EventCollector seen;
        Run run(config, seen);
        {
            const Setting refused("BSCOPE_EMULATED_LINK_REFUSED", which);
            QElapsedTimer timer;
            timer.start();
            try {
                run.iterate();
                QFAIL("nothing was noticed");
            } catch (const RunFailure& failure) {
                QVERIFY(timer.elapsed() < kPatience_ms / 6);
                const QString text = failure.what();
                QVERIFY2(text.contains(QRegularExpression("Rank \\d stopped before its first operation: the "
                                                          "(link with rank \\d|communicator of all GPUs): "
                                                          "NCCL: refused.*; waited [0-9.]+ s")),
                         failure.what());
                QVERIFY(failure.rank >= 0);
            }
        }
        QCOMPARE(run.iterate().loss, expected[0].first);  // over a new world
    }

    void anAbortEndsTheStartOfLinks_data() { linksThatComeUp(); }
    void anAbortEndsTheStartOfLinks() {
        QFETCH(QByteArray, which);
        const RunConfig config = onGpus(tinyConfig("1f1b", 4, 8));
        const auto expected = train(config, 1);
        EventCollector seen;
        Run run(config, seen);
        {
            const Setting absent("BSCOPE_EMULATED_LINK_ABSENT", which);
            std::thread other([&run] {
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                run.abort(sentence("stop was requested"));
            });
            QElapsedTimer timer;
            timer.start();
            QString said;
            try {
                run.iterate();
            } catch (const RunFailure& failure) {
                said = failure.what();
            }
            other.join();
            QVERIFY2(said.contains("stop was requested"), qPrintable(said));
            QVERIFY(timer.elapsed() < kPatience_ms / 6);
        }
        QCOMPARE(run.iterate().loss, expected[0].first);
    }

    // What the CUDA plugin promises too.
    void aLinkIsAbortedWhileItComesUp() {
        const auto plugin = CudaPlugin::load();
        const BscopePlugin& api = plugin->api();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        const auto stream = device->makeStream();
        BscopeUniqueId id;
        check(api.link_unique_id(&id));
        BscopeLink* link = nullptr;
        check(api.link_open(cudaStreamOf(*stream), &id, 0, 2, &link));  // no other rank comes
        std::int32_t ready = 1;
        check(api.link_ready(link, &ready));
        QCOMPARE(ready, 0);
        std::thread([&] { api.link_abort(&link, 1); }).join();
        QVERIFY(api.link_ready(link, &ready) != nullptr);
        api.link_close(link);
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
        const RunConfig config = onGpus(tinyConfig("1f1b", 4, 8));
        const auto expected = train(config, 2);
        EventCollector seen;
        Run run(config, seen);
        run.iterate();
        {
            const Setting broken(fault.constData(), "9");
            QElapsedTimer timer;
            timer.start();
            try {
                run.iterate();
                QFAIL("nothing was noticed");
            } catch (const RunFailure& failure) {
                QVERIFY(timer.elapsed() < 10'000);
                const QString text = failure.what();
                QVERIFY2(text.contains(words), failure.what());
                QVERIFY2(text.contains(QRegularExpression("(for|waited) [\\d.]+ s")), failure.what());
                QVERIFY2(text.contains(QRegularExpression("Rank \\d stopped in (\\d[A-Z_]+\\d|OPT)")),
                         failure.what());
                QVERIFY2(text.contains(QRegularExpression("rank \\d")), failure.what());
                QVERIFY(failure.rank >= 0);
            }
        }
        QCOMPARE(run.iterate().loss, expected[1].first);  // the same iteration, again
    }

    void anAbortEndsAnIteration() {
        EventCollector seen;
        Run run(onGpus(tinyConfig("1f1b", 4, 8)), seen);
        run.iterate();
        const Setting slow("BSCOPE_EMULATED_LINK_DELAY_US", "200000");
        std::thread other([&run] {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            run.abort(sentence("stop was requested"));
        });
        try {
            run.iterate();
            other.join();
            QFAIL("it went on");
        } catch (const RunFailure& failure) {
            other.join();
            QVERIFY2(QString(failure.what()).contains("stop was requested"), failure.what());
        }
    }
};

BUBBLESCOPE_TEST(TestGpuLinks)

}  // namespace tst_gpu_links

#include "tst_gpu_links.moc"
