// Asynchronous schedules as an endless stream: shares, versions, delayed updates, boundaries without a flush.
#include <QTest>

#include "catalog/catalog.h"
#include "catalog/endless_stream.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/pipeline.h"
#include "run/training.h"
#include "run/verify.h"
#include "run_fixture.h"
#include "schedule/weight_versions.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "workers/thread_workers.h"

namespace tst_streams {

using namespace bscope;

namespace {

struct Fixture {
    explicit Fixture(const RunConfig& config, Provenance provenance = Provenance::Reconstructed)
        : device(makeCpuDevice()),
          training(*device, config),
          pipeline(training, makePlan(config),
                   std::make_unique<ThreadWorkers>(training.model, makePlan(config), provenance,
                                                   usableCores(), observer),
                   observer) {}
    std::unique_ptr<Device> device;
    Training training;
    EventCollector observer;
    Pipeline pipeline;
};

std::vector<float> weightsOf(const Training& training) {
    std::vector<float> all;
    for (std::size_t layer = 0; layer < training.model.layerCount(); ++layer)
        for (std::size_t i = 0; i < training.model.layer(layer).parameters().size(); ++i) {
            const std::vector<float> one = training.model.read(layer, i, TensorKind::Weight);
            all.insert(all.end(), one.begin(), one.end());
        }
    return all;
}

}  // namespace

class TestStreams : public QObject {
    Q_OBJECT

private slots:
    void sharesAreM_ForwardsAndBackwardsOneAfterTheOther() {
        for (const int p : {1, 2, 3, 4, 8})
            for (const int m : {1, 2, 3, 4, 8, 16}) {
                const Schedule schedule = makeSchedule("pipedream", {p, 1, m, 0});
                const EndlessStream stream(schedule, m, Recompute::None);
                QCOMPARE(stream.steps(), m);
                for (int rank = 0; rank < p; ++rank)
                    for (int iteration = 0; iteration < 12; ++iteration) {
                        std::vector<Action> expected, computed;
                        const int ahead = p - 1 - rank;
                        for (int i = 0; iteration == 0 && i < ahead; ++i)
                            expected.push_back({rank, Op::Forward, i});
                        for (int i = iteration * m; i < (iteration + 1) * m; ++i) {
                            expected.push_back({rank, Op::Forward, i + ahead});
                            expected.push_back({rank, Op::Backward, i});
                            expected.push_back({-1, Op::OptimizerStep, -1});
                        }
                        for (const Action& action : stream.share(rank, iteration))
                            if (!isCommunication(action.op)) computed.push_back(action);
                        QVERIFY(computed == expected);
                    }
            }
    }

    void delayedUpdatesAreThoseOfOneRank_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        QTest::addColumn<bool>("vertical_sync");
        QTest::addColumn<int>("recompute");
        for (const int p : {1, 2, 4})
            for (const int m : {1, 2, 5})
                for (const bool sync : {false, true})
                    QTest::addRow("pipedream p=%d m=%d sync=%d", p, m, sync)
                        << "pipedream" << p << m << sync << (m == 5 ? 1 : 0);
        for (const int p : {1, 2, 3})
            QTest::addRow("2bw p=%d", p) << "pipedream-2bw" << p << 4 << false << p % 3;
    }
    void delayedUpdatesAreThoseOfOneRank() {
        QFETCH(QString, name);
        QFETCH(int, p);
        QFETCH(int, m);
        QFETCH(bool, vertical_sync);
        QFETCH(int, recompute);
        RunConfig config = tinyConfig(name.toUtf8().constData(), p, m);
        config.params.vertical_sync = vertical_sync;
        config.recompute = static_cast<Recompute>(recompute);
        const VerifyResult result = verify(config, 4);
        QVERIFY(result.delayed_updates);
        QVERIFY2(result.bitwise_equal, result.tensor.c_str());
    }

    // Otherwise the comparison above would say nothing.
    void delayedUpdatesAreNotThoseOfOneVersion() {
        EventCollector observer;
        const auto third = [&](const char* name) {
            Run run(tinyConfig(name, 4, 4), observer);
            run.iterate(2);
            run.iterate(1);
            return run.iterate().loss;
        };
        QVERIFY(third("1f1b") != third("pipedream-2bw"));
        QVERIFY(third("pipedream") != third("pipedream-2bw"));
    }

    void eventsCarryTheirVersion() {
        for (const bool sync : {false, true}) {
            RunConfig config = tinyConfig("pipedream", 4, 4);
            config.params.vertical_sync = sync;
            Fixture fixture(config);
            IterationReport report;
            for (int i = 0; i < 4; ++i) report = fixture.pipeline.iterate(0, 3 - i);
            const Schedule& schedule = fixture.pipeline.plan().program.schedule;
            for (int rank = 0; rank < 4; ++rank) {
                int made = 0;
                for (const Event& event : fixture.observer.by_rank[rank]) {
                    if (event.op == Op::OptimizerStep) {
                        QCOMPARE(event.weight_version, ++made);
                    } else if (isCompute(event.op)) {
                        QCOMPARE(event.weight_version, versionRead(schedule, rank, event.microbatch));
                        QCOMPARE(static_cast<int>(event.staleness), made - event.weight_version);
                    } else {
                        QCOMPARE(event.weight_version, kNoVersion);
                    }
                }
                QCOMPARE(made, 16);
            }
        }
    }

    void versionsAreHeldAndCounted() {
        Fixture stashed(tinyConfig("pipedream", 4, 4)), doubled(tinyConfig("pipedream-2bw", 4, 4));
        EventCollector observer;
        const IterationReport flushed = Run(tinyConfig("1f1b", 4, 4), observer).iterate();
        IterationReport of_stashed, of_doubled;
        for (int i = 0; i < 4; ++i) {
            of_stashed = stashed.pipeline.iterate(0, 8);
            of_doubled = doubled.pipeline.iterate(0, 8);
        }
        for (std::size_t rank = 0; rank < 4; ++rank) {
            const std::int64_t weights = flushed.ranks[rank].weight_bytes;
            QCOMPARE(of_stashed.ranks[rank].weight_versions, 4 - static_cast<int>(rank));
            QCOMPARE(of_stashed.ranks[rank].staleness, 3 - static_cast<int>(rank));
            QCOMPARE(of_stashed.ranks[rank].weight_bytes, (4 - static_cast<int>(rank)) * weights);
            QCOMPARE(of_doubled.ranks[rank].weight_versions, 2);
            QCOMPARE(of_doubled.ranks[rank].stashed_weight_bytes, weights);
            QCOMPARE(predictedVersions(stashed.pipeline.plan(), static_cast<int>(rank)),
                     4 - static_cast<int>(rank));
            QCOMPARE(flushed.ranks[rank].weight_versions, 1);
        }
    }

    void aFullStreamHasNoBubble() {
        for (const int p : {1, 2, 4, 8})
            for (const int m : {1, 3, 8}) {
                const EndlessStream stream(makeSchedule("pipedream", {p, 1, m, 0}), m, Recompute::None);
                const Timeline timeline = predict(stream, unitCosts(p, 1, 1, 1, 0));
                const int steady = stream.steadyIteration();
                for (const int iteration : {steady, steady + 1}) {
                    const IterationSummary summary = summarize(timeline, iteration);
                    QCOMPARE(summary.bubble_of_total, 0.0);
                    QCOMPARE(summary.iteration_ns, m * std::int64_t{3'000'000'000});
                    QVERIFY(summary.gaps.empty());
                    for (int rank = 0; rank < p; ++rank)
                        QCOMPARE(summary.ranks[static_cast<std::size_t>(rank)].peak_in_flight, p - rank);
                }
                QVERIFY(p == 1 || summarize(timeline, 0).bubble_of_total > 0);
            }
    }

    // What NUMBERS says of a stream, from the events alone: a window a rank, from the end of what it did
    // before (where the stream begins: from the first start of all) to its own end, without its optimizer
    // steps. On one rank too, whose iterations are never cut, and of iterations that are asked for one by
    // one.
    void windowsHaveNoOptimizerSteps_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("m");
        for (const char* name : {"pipedream", "pipedream-2bw"})
            for (const int p : {1, 2, 4})
                for (const int m : {1, 4})
                    if (scheduleProblems(name, {p, 1, m, 0}).empty())
                        QTest::addRow("%s p=%d m=%d", name, p, m) << name << p << m;
    }
    void windowsHaveNoOptimizerSteps() {
        QFETCH(QString, name);
        QFETCH(int, p);
        QFETCH(int, m);
        for (const bool at_once : {true, false}) {
            EventCollector seen;
            {
                Run run(tinyConfig(name.toUtf8(), p, m), seen);
                for (int i = 0; i < 4; ++i) run.iterate(at_once ? 3 - i : 0);
            }
            for (const IterationReport& report : seen.reports) {
                double busy_ns = 0, windows_ns = 0;
                std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
                for (const auto& [rank, events] : seen.by_rank)
                    for (const Event& e : events)
                        if (e.iteration == report.iteration && isCompute(e.op))
                            first_ns = std::min(first_ns, e.start_ns);
                for (auto [rank, events] : seen.by_rank) {
                    std::ranges::stable_sort(events, {}, &Event::start_ns);
                    std::int64_t before_ns = first_ns, end_ns = 0, steps_ns = 0;
                    bool begins = false;
                    for (const Event& e : events) {
                        if (isReceive(e.op)) continue;
                        if (e.iteration < report.iteration) before_ns = e.end_ns;
                        if (e.iteration != report.iteration) continue;
                        begins = begins || (e.op == Op::Forward && e.microbatch == 0);
                        end_ns = e.end_ns;
                        if (isCompute(e.op))
                            busy_ns += static_cast<double>(e.duration_ns());
                        else
                            steps_ns += e.duration_ns();
                    }
                    windows_ns += static_cast<double>(end_ns - (begins ? first_ns : before_ns) - steps_ns);
                }
                QVERIFY(qAbs(report.iteration_ms - windows_ns / p / 1e6) < 1e-5);
                QVERIFY(qAbs(report.bubble_of_total - (1 - busy_ns / windows_ns)) < 1e-6);
                if (p == 1) QVERIFY(qAbs(report.bubble_of_total) < 1e-9);
            }
            QCOMPARE(static_cast<int>(seen.reports.size()), 4);
        }
    }

    // The last rank begins an iteration before the first has ended the one before, and no rank's clock jumps.
    void iterationsRunThroughEachOther() {
        Fixture fixture(tinyConfig("pipedream", 4, 4));
        for (int i = 0; i < 4; ++i) fixture.pipeline.iterate(0, 8);
        const IterationSummary summary = summarize(fixture.pipeline.timeline(), 3);
        fixture.pipeline.drain();  // no rank writes to the observer any more
        const auto& first = fixture.observer.by_rank[0];
        const auto& last = fixture.observer.by_rank[3];
        const auto ended = std::find_if(first.rbegin(), first.rend(),
                                        [](const Event& e) { return e.iteration == 2 && isCompute(e.op); });
        const auto begun = std::find_if(last.begin(), last.end(),
                                        [](const Event& e) { return e.iteration == 3 && isCompute(e.op); });
        QVERIFY(begun->start_ns < ended->end_ns);
        for (const IdleGap& gap : summary.gaps) QVERIFY(gap.phase == IdlePhase::Between);
    }

    // How far ahead the ranks run does not depend on who asks, and changes no number.
    void whatIsAskedForAheadChangesNothing() {
        for (const char* name : {"pipedream", "pipedream-2bw"}) {
            const RunConfig config = tinyConfig(name, 3, 4);
            Fixture known(config), endless(config);
            std::vector<double> of_known, of_endless;
            const int ahead = endless.pipeline.iterationsAhead(), all = 3 + ahead;
            for (int i = 0; i < all; ++i) of_known.push_back(known.pipeline.iterate(0, all - 1 - i).loss);
            for (int i = 0; i < 3; ++i) of_endless.push_back(endless.pipeline.iterate(0, Run::kEndless).loss);
            for (const IterationReport& report : endless.pipeline.drain()) of_endless.push_back(report.loss);
            QCOMPARE(of_endless, of_known);
            QVERIFY(weightsOf(known.training) == weightsOf(endless.training));
            QCOMPARE(endless.training.iteration, all);
            QCOMPARE(endless.training.next_sample, std::uint64_t(all) * 4 * 2);
            QVERIFY(!endless.pipeline.isPartiallyStepped());
            QVERIFY(endless.pipeline.drain().empty());
        }
    }

    void measuredAndReconstructedGiveTheSameNumbers() {
        if (usableCores().size() < 2) QSKIP("two ranks need two cores");
        const RunConfig config = tinyConfig("pipedream", 2, 4);
        Fixture measured(config, Provenance::Measured), reconstructed(config);
        for (int i = 0; i < 4; ++i) {
            const IterationReport report = measured.pipeline.iterate(0, 3 - i);
            QCOMPARE(report.provenance, Provenance::Measured);
            QCOMPARE(report.loss, reconstructed.pipeline.iterate(0, 3 - i).loss);
        }
        QVERIFY(weightsOf(measured.training) == weightsOf(reconstructed.training));
    }

    void aStreamCanBeStoppedAndSaved() {
        EventCollector observer;
        Run run(tinyConfig("pipedream", 4, 4), observer);
        for (int i = 0; i < 3; ++i) run.iterate(Run::kEndless);
        QTemporaryDir folder;
        const std::string file = folder.filePath("state.safetensors").toStdString();
        run.save(file);
        QCOMPARE(run.nextIteration(), static_cast<int>(observer.reports.size()));
        EventCollector again_observer;
        Run again(tinyConfig("1f1b", 2, 4), again_observer);
        again.load(file);
        QCOMPARE(again.nextIteration(), run.nextIteration());
        run.configure(tinyConfig("1f1b", 2, 4));
        QCOMPARE(again.iterate().loss, run.iterate().loss);
        Run abandoned(tinyConfig("pipedream-2bw", 4, 4), again_observer);
        abandoned.iterate(Run::kEndless);
    }

    void verticalSyncBelongsToPipeDream() {
        RunConfig config = tinyConfig("1f1b", 2, 4);
        config.params.vertical_sync = true;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QCOMPARE(problems(config).front().field, std::string("vertical_sync"));
    }
};

BUBBLESCOPE_TEST(TestStreams)

}  // namespace tst_streams

#include "tst_streams.moc"
