// Replicas beside each other: medians, and what a slow worker, a heavy stage and unequal micro-batches each
// explain of the slowdown; lengths of schedules whose operations take each its own time.
#include <QTest>
#include <functional>
#include <random>

#include "analysis/stragglers.h"
#include "catalog/catalog.h"
#include "registered_test.h"
#include "timeline/predict_length.h"
#include "timeline/predict_summary.h"

namespace tst_stragglers {

using namespace bscope;

namespace {

using Factor = std::function<double(int replica, const Event& event)>;

// Forwards take 1 ms and backwards 2, times the factor; operations of a rank stand one behind the other.
struct Runs {
    Schedule schedule;
    std::vector<Timeline> timelines;
    std::vector<ReplicaRun> runs;

    Runs(const std::string& name, const ScheduleParams& params, int replicas, int iterations,
         const Factor& factor)
        : schedule(makeSchedule(name, params)) {
        for (int replica = 0; replica < replicas; ++replica) {
            Timeline& timeline = timelines.emplace_back(params.p, Provenance::Imported);
            for (int rank = 0; rank < params.p; ++rank) {
                std::int64_t free_ns = 0;
                for (int iteration = 0; iteration < iterations; ++iteration)
                    for (const Action& a : schedule.orders[static_cast<std::size_t>(rank)]) {
                        Event event;
                        event.op = a.op;
                        event.stage = a.stage;
                        event.microbatch = a.microbatch;
                        event.rank = static_cast<std::int16_t>(rank);
                        event.iteration = iteration;
                        const double usual = a.op == Op::Forward ? 1e6 : 2e6;
                        event.start_ns = free_ns;
                        event.end_ns = free_ns = free_ns + std::llround(usual * factor(replica, event));
                        timeline.append(event);
                    }
            }
        }
        for (int replica = 0; replica < replicas; ++replica) {
            ReplicaRun& run = runs.emplace_back();
            run.number = replica;
            run.schedule = &schedule;
            run.timeline = &timelines[static_cast<std::size_t>(replica)];
            for (int iteration = 0; iteration < iterations; ++iteration) run.iterations.push_back(iteration);
        }
    }
    ReplicaGrid grid(int shown = 0) const { return replicaGrid(runs, shown); }
};

// A number of its own for every micro-batch of a replica and iteration.
double lengthOf(int replica, const Event& event) {
    std::mt19937 random(static_cast<unsigned>(1 + replica * 1000 + event.iteration * 100 + event.microbatch));
    return std::lognormal_distribution<double>(0, 0.5)(random);
}

}  // namespace

class TestStragglers : public QObject {
    Q_OBJECT

private slots:
    void singleDurationsArePlayed() {
        for (const char* name : {"1f1b", "interleaved", "zb-h1"}) {
            const bool chunks = std::string_view(name) == "interleaved";
            const Schedule schedule = makeSchedule(name, {3, chunks ? 2 : 1, 6});
            const Program program = lower(schedule);
            Costs costs = unitCosts(schedule.stageCount(), 1, 1.5, 0.5, 0);
            costs.stages[1].forward_ns *= 3;
            SingleDurations durations(schedule.stageCount(), 6);
            for (int stage = 0; stage < schedule.stageCount(); ++stage)
                for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight})
                    for (int i = 0; i < 6; ++i)
                        durations.at(stage, op, i) =
                            std::llround(costs.stages[static_cast<std::size_t>(stage)].duration_ns(op));
            const std::int64_t length_ns = predictLength(program, durations);
            QCOMPARE(length_ns, predictSummary(program, costs).iteration_ns);
            // The first forward keeps everybody waiting.
            durations.at(0, Op::Forward, 0) += 5'000;
            QCOMPARE(predictLength(program, durations), length_ns + 5'000);
        }
    }

    void equalReplicasHaveNoStraggler() {
        const Runs same("1f1b", {4, 1, 8}, 3, 2, [](int, const Event&) { return 1.0; });
        const ReplicaGrid grid = same.grid(1);
        QCOMPARE(grid.replicas(), 3);
        QCOMPARE(grid.shown, 1);
        for (const ReplicaCell& cell : grid.cells) {
            QCOMPARE(cell.forward_ns, 1e6);
            QCOMPARE(cell.backward_ns, 2e6);
            QCOMPARE(cell.beside_peers, 1.0);
        }
        QVERIFY(grid.stragglers.has_value());
        QCOMPARE(grid.stragglers->slowdown(), 1.0);
        QVERIFY(grid.stragglers->causes.empty());
        QVERIFY(std::isnan(grid.stragglers->forward_backward_correlation));
    }

    // Twice as slow in all it does; whichever worker, the last stage's as well.
    void aSlowWorkerIsFound_data() {
        QTest::addColumn<int>("replica");
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("replicas");
        QTest::newRow("first") << 0 << 0 << 4;
        QTest::newRow("of the last stage") << 2 << 3 << 4;
        QTest::newRow("of two replicas") << 1 << 1 << 2;
    }
    void aSlowWorkerIsFound() {
        QFETCH(int, replica);
        QFETCH(int, rank);
        QFETCH(int, replicas);
        const Runs runs("1f1b", {4, 1, 8}, replicas, 2, [&](int of, const Event& event) {
            return of == replica && event.rank == rank ? 2.0 : 1.0;
        });
        const ReplicaGrid grid = runs.grid();
        QCOMPARE(grid.cell(replica, rank).beside_peers, 2.0);
        const Stragglers& found = *grid.stragglers;
        QVERIFY(found.slowdown() > 1.3);
        QCOMPARE(found.causes, std::vector{StragglerKind::Worker});
        QCOMPARE(found.worker->replica, replica);
        QCOMPARE(found.worker->index, rank);
        QVERIFY(found.worker->share > 0.95);
        QVERIFY(std::abs(found.lengths_share) < 0.05);
        const auto slowest = std::ranges::max_element(found.worker_slowdowns);
        QCOMPARE(slowest - found.worker_slowdowns.begin(), replica * 4 + rank);
    }

    void aHeavyStageIsNoWorker_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("v");
        QTest::addColumn<int>("replicas");
        QTest::newRow("two replicas") << "1f1b" << 1 << 2;
        QTest::newRow("one replica") << "1f1b" << 1 << 1;
        QTest::newRow("a chunk") << "interleaved" << 2 << 3;
    }
    void aHeavyStageIsNoWorker() {
        QFETCH(QString, name);
        QFETCH(int, v);
        QFETCH(int, replicas);
        const int last = 4 * v - 1;
        const Runs runs(name.toStdString(), {4, v, 8}, replicas, 2,
                        [&](int, const Event& event) { return event.stage == last ? 1.6 : 1.0; });
        const ReplicaGrid grid = runs.grid();
        const Stragglers& found = *grid.stragglers;
        QCOMPARE(found.causes, std::vector{StragglerKind::Stage});
        QCOMPARE(found.stage.index, last);
        QVERIFY(found.stage.share > 0.9);
        QCOMPARE(found.stage.share, found.last_stage_share);
        QCOMPARE(found.worker.has_value(), replicas > 1);
        // Without one of them the others wait as long.
        if (found.worker) QVERIFY(found.worker->share < 0.1);
        QCOMPARE(std::isnan(grid.cell(0, 0).beside_peers), replicas == 1);
    }

    void unequalMicrobatchesAreReported() {
        const Runs runs("1f1b", {2, 1, 8}, 8, 3, [](int replica, const Event& event) {
            return lengthOf(replica, event) * (event.stage == 1 ? 1.2 : 1.0);
        });
        const Stragglers found = *runs.grid().stragglers;
        QVERIFY(found.forward_backward_correlation > 0.99);
        QVERIFY(found.rank_correlation > 0.99);
        QVERIFY(!found.causes.empty());
        QCOMPARE(found.causes.front(), StragglerKind::Lengths);
        QVERIFY(found.worker->share < 0.5);
        // Alike on a rank, not among ranks: something else slows a rank down now and then.
        const Runs own("1f1b", {4, 1, 8}, 4, 3, [](int replica, const Event& event) {
            return lengthOf(replica * 16 + event.rank, event);
        });
        const Stragglers other = *own.grid().stragglers;
        QVERIFY(other.forward_backward_correlation > 0.99);
        QVERIFY(other.rank_correlation < 0.5);
        QVERIFY(std::ranges::find(other.causes, StragglerKind::Lengths) == other.causes.end());
    }

    // Only iterations that all of them have; none: no stragglers, and medians all the same.
    void iterationsAreThoseOfAll() {
        Runs runs("1f1b", {2, 1, 4}, 2, 3, [](int, const Event& event) { return 1.0 + event.iteration; });
        runs.runs[1].iterations = {1, 2};
        QCOMPARE(runs.grid().stragglers->iterations, 2);
        runs.runs[0].iterations = {0};
        QVERIFY(!runs.grid().stragglers);
        QCOMPARE(runs.grid().cell(0, 0).forward_ns, 1e6);
        QCOMPARE(runs.grid().cell(1, 0).forward_ns, 2.5e6);
    }
};

BUBBLESCOPE_TEST(TestStragglers)

}  // namespace tst_stragglers

#include "tst_stragglers.moc"
