// Tensor parallelism: the transform of a schedule, shards of a model, that they train what one rank trains,
// and what is reported of their sums.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/cost_estimate.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "clock/clock.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "shard_fixture.h"
#include "schedule/data_parallel.h"
#include "schedule/deadlock.h"
#include "schedule/tensor_parallel.h"
#include "schedule/validate.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "timeline/predict_summary.h"
#include "wire/convert.h"

namespace tst_tensor_parallel {

using namespace bscope;

class TestTensorParallel : public QObject {
    Q_OBJECT

private slots:
    void everyScheduleWithAFlush() {
        int entries = 0;
        for (const CatalogEntry& entry : catalog()) {
            ScheduleParams params{4, defaultChunks(entry), 8};
            const Schedule one = makeSchedule(entry.name, params);
            params.t = 2;
            if (!scheduleProblems(entry.name, params).empty()) continue;
            ++entries;
            const Schedule world = makeSchedule(entry.name, params);
            QVERIFY2(scheduleErrors(world).empty(), entry.name);
            QCOMPARE(world.replicas(), one.replicas());
            QCOMPARE(world.chains.size(), 2 * one.chains.size());
            for (int rank = 0; rank < 8; ++rank) checkOrder(world, one, rank);
            for (int stage = 0; stage < world.stageCount(); ++stage) checkGroups(world, stage);
            const Program program = lower(world, Recompute::Full);
            for (const Transport transport : {Transport::Buffered, Transport::Rendezvous})
                QVERIFY2(!findDeadlock(program, transport), entry.name);
        }
        QCOMPARE(entries, static_cast<int>(catalog().size()) - 2);  // the two endless streams
    }

    void replicasAndShards() {
        const Schedule world = tensorParallel(dataParallel(makeSchedule("1f1b", {2, 1, 4}), 3), 2);
        QCOMPARE(world.orders.size(), std::size_t{12});
        QCOMPARE(world.chains.size(), std::size_t{6});
        QCOMPARE(world.replicas(), 3);
        QCOMPARE(world.shardsOf(5), (std::vector<int>{5, 7}));  // of replica 1
        QCOMPARE(world.copiesOf(5), (std::vector<int>{1, 5, 9}));
        QCOMPARE(world.firstMicrobatch(3), 4);
        const RankLayout layout = world.params.layout();
        for (int stage = 0; stage < world.stageCount(); ++stage) {
            const int chain = world.chainOf(stage), rank = world.placement[static_cast<std::size_t>(stage)];
            QCOMPARE(layout.shardOf(rank), world.shardOf(chain));
            QCOMPARE(layout.replicaOf(rank), world.replicaOf(chain));
            QCOMPARE(layout.stageOf(rank), stage % 2);
        }
    }

    void shardsHaveTheBubbleOfOne() {
        const auto predicted = [](int d, int t) {
            ScheduleParams params{4, 1, 8};
            params.d = d;
            params.t = t;
            const Schedule schedule = makeSchedule("1f1b", params);
            Costs costs = unitCosts(schedule.stageCount(), 1, 1, 1, 0);
            costs.reduce_ns = 1e9;
            costs.optimizer_ns = 1e9;
            return summarize(predict(lower(schedule), costs), 0);
        };
        QCOMPARE(predicted(1, 4).iteration_ns, predicted(1, 1).iteration_ns);
        QCOMPARE(predicted(1, 4).optimizer_ns, predicted(1, 1).optimizer_ns);
        QCOMPARE(predicted(2, 2).bubble_of_total, predicted(2, 1).bubble_of_total);
        QCOMPARE(predicted(2, 2).optimizer_ns, predicted(2, 1).optimizer_ns);
    }

    void problemsNameTheNearestLegalValue() {
        RunConfig config = sharded("1f1b", 2, 4, 3);
        QCOMPARE(problems(config).size(), std::size_t{2});  // heads, vocabulary
        for (const Problem& problem : problems(config)) {
            QCOMPARE(problem.field, std::string("t"));
            QCOMPARE(problem.legal, (std::vector<long>{2, 4}));
        }
        config.model.heads = config.params.t = 6;
        config.model.hidden = 48;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QCOMPARE(problems(config).front().legal, std::vector<long>{2});
        config = sharded("1f1b", 2, 4, 2);
        QVERIFY(problems(config).empty());
        config.durations = Durations::Calibrated;
        config.device = DeviceChoice::Cuda;
        config.schedule = "pipedream";
        std::set<std::string> fields;
        for (const Problem& problem : problems(config)) fields.insert(problem.field);
        QCOMPARE(fields, (std::set<std::string>{"durations", "t"}));
        QCOMPARE(problems(config).size(), std::size_t{3});
        ScheduleParams many{64, 1, 4};
        many.d = 4;
        many.t = 8;
        QCOMPARE(scheduleProblems("1f1b", many).front().legal, std::vector<long>{4});

        config = sharded("1f1b", 2, 4, 2);
        config.slow_ranks = {{3, 2.0}};
        QVERIFY(problems(config).empty());
        config.slow_ranks = {{4, 2.0}};
        QCOMPARE(problems(config).front().legal, std::vector<long>{3});
        config.slow_ranks.clear();
        config.clock = ClockChoice::Measured;
        QVERIFY(clockProblems(config, 4).empty());
        QCOMPARE(clockProblems(config, 3).front().field, std::string("t"));
        QCOMPARE(clockProblems(config, 3).front().legal, std::vector<long>{1});
    }

    void oneShardIsExplained() {
        ScheduleParams params{2, 1, 4};
        const Explanation one = explain("1f1b", params, Language::English);
        params.t = 2;
        const Explanation two = explain("1f1b", params, Language::English);
        QCOMPARE(two.placement, one.placement);
        QCOMPARE(two.bubble, one.bubble);
        QVERIFY(two.weights.find("t = 2") != std::string::npos);
    }

    // A shard is the slice of the full model from the first number on, and gives back what it got.
    void shardsAreSlicesOfTheModel() {
        const auto device = makeCpuDevice();
        ModelShape shape{.L = 2, .C = 24, .heads = 4, .T = 8, .V = 32};
        const Model full(*device, shape, 7);
        Model other(*device, shape, 8);
        shape.t = 4;
        std::size_t floats = 0;
        for (std::size_t shard = 0; shard < shape.t; ++shard) {
            const Model drawn(*device, shape, 7, shard);
            Model copied(*device, shape, 9, shard);
            copied.copyStateOf(full);
            for (std::size_t layer = 0; layer < full.layerCount(); ++layer)
                for (std::size_t i = 0; i < full.layer(layer).parameters().size(); ++i)
                    QCOMPARE(drawn.read(layer, i, TensorKind::Weight),
                             copied.read(layer, i, TensorKind::Weight));
            other.gather(copied);
            floats += drawn.layer(1).parameterFloats();
        }
        for (std::size_t layer = 0; layer < full.layerCount(); ++layer)
            for (std::size_t i = 0; i < full.layer(layer).parameters().size(); ++i)
                QCOMPARE(other.read(layer, i, TensorKind::Weight), full.read(layer, i, TensorKind::Weight));
        // Rows of QKV, of each of q, k and v; columns of the projection.
        const Model second(*device, shape, 7, 1);
        const auto qkv = second.read(1, 2, TensorKind::Weight), all = full.read(1, 2, TensorKind::Weight);
        const std::size_t C = shape.C, own = C / 4;
        for (const std::size_t part : {0, 1, 2})
            QVERIFY(std::equal(qkv.begin() + static_cast<std::ptrdiff_t>(part * own * C),
                               qkv.begin() + static_cast<std::ptrdiff_t>((part + 1) * own * C),
                               all.begin() + static_cast<std::ptrdiff_t>((part * C + own) * C)));
        const auto proj = second.read(1, 4, TensorKind::Weight), whole = full.read(1, 4, TensorKind::Weight);
        QCOMPARE(proj[2 * own], whole[2 * C + own]);
        QCOMPARE(floats, full.layer(1).parameterFloats() + 3 * 6 * C);  // 6 C of a block are whole everywhere
        // Rows of the vocabulary, of the embedding and of the head.
        for (const auto& [layer, parameter] : {std::pair(0, 0), {3, 2}}) {
            const auto rows = second.read(layer, parameter, TensorKind::Weight),
                       of_all = full.read(layer, parameter, TensorKind::Weight);
            QCOMPARE(rows.size(), 8 * C);
            QVERIFY(
                std::equal(rows.begin(), rows.end(), of_all.begin() + static_cast<std::ptrdiff_t>(8 * C)));
        }
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Model(*device, {2, 24, 4, 8, 32, 3}, 7));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, Model(*device, {2, 24, 4, 8, 33, 4}, 7));
    }

    void verifiesAgainstOneRank_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("t");
        QTest::addRow("1f1b") << QByteArray("1f1b") << 2 << 1 << 2;
        QTest::addRow("one stage, four shards") << QByteArray("gpipe") << 1 << 1 << 4;
        QTest::addRow("replicas") << QByteArray("1f1b") << 2 << 2 << 2;
        QTest::addRow("chunks") << QByteArray("interleaved") << 2 << 1 << 2;
        QTest::addRow("split backward") << QByteArray("zb-h1") << 2 << 1 << 4;
        QTest::addRow("two directions") << QByteArray("chimera") << 2 << 1 << 2;
    }
    void verifiesAgainstOneRank() {
        QFETCH(QByteArray, schedule);
        QFETCH(int, p);
        QFETCH(int, d);
        QFETCH(int, t);
        const VerifyResult result = verify(sharded(schedule.constData(), p, 4, t, d));
        QVERIFY(result.replicas_equal);
        QVERIFY2(result.within_tolerance, qPrintable(QString::number(result.largest_difference)));
        QVERIFY(result.tolerance > 0 && result.tolerance <= 1e-3);
        QVERIFY(!result.bitwise_equal);  // sums of parts are other sums
        QCOMPARE(result.params.t, t);
        // Of several copies of the weights the sums are others with one stage, too.
        const bool one_copy = d == 1 && schedule != "chimera";
        QCOMPARE(result.bitwise_at_same_cut, one_copy ? std::optional(true) : std::nullopt);
    }

    // A gradient near zero has another sign, and AdamW's first step makes a whole learning rate of it.
    void stepsMayGoTheOtherWay() {
        RunConfig config = sharded("1f1b", 2, 4, 4);
        config.model = {4, 64, 4, 32, 256};
        config.micro_batch = 4;
        const VerifyResult result = verify(config);
        QVERIFY2(result.within_tolerance, qPrintable(QString::number(result.largest_difference)));
        QVERIFY(result.largest_difference < 1e-5 || result.iteration > 0);
    }

    // At one t: whatever the schedule, the pipeline, the checkpointing, and again.
    void sameBitsForEverySchedule() {
        const std::vector<double> expected = lossesOf(sharded("1f1b", 2, 4, 2), 3);
        QCOMPARE(lossesOf(sharded("1f1b", 2, 4, 2), 3), expected);
        for (const char* name : {"gpipe", "zb-h1", "interleaved"})
            QCOMPARE(lossesOf(sharded(name, 2, 4, 2), 3), expected);
        QCOMPARE(lossesOf(sharded("1f1b", 4, 4, 2), 3), expected);
        QCOMPARE(lossesOf(sharded("naive", 1, 4, 2), 3), expected);
        RunConfig config = sharded("1f1b", 2, 4, 2);
        for (const Recompute recompute : {Recompute::Full, Recompute::Selective}) {
            config.recompute = recompute;
            QCOMPARE(lossesOf(config, 3), expected);
        }
        config.recompute = Recompute::Full;
        config.checkpoint_every = CheckpointEvery::Layer;
        QCOMPARE(lossesOf(config, 3), expected);
    }

    // Layers go to shards and come back, with the state of the optimizer.
    void trainingGoesOnWhenShardsChange() {
        EventCollector changing, unchanged;
        Run run(sharded("1f1b", 2, 4, 1), changing), whole(sharded("1f1b", 2, 4, 1), unchanged);
        for (const int t : {1, 2, 2, 4, 1}) {
            QVERIFY(!run.configure(sharded("1f1b", 2, 4, t)));
            const double loss = run.iterate().loss, expected = whole.iterate().loss;
            QVERIFY2(std::abs(loss - expected) < 1e-4 * expected,
                     qPrintable(QString::number(loss - expected)));
        }
        QVERIFY(changing.watermark_kept && changing.batches_in_bounds);
        QCOMPARE(changing.starts.size(), std::size_t{4});
        QCOMPARE(changing.starts[1].schedule->orders.size(), std::size_t{4});
    }

    void memoryIsWhatWasPredicted() {
        for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
            for (const char* name : {"1f1b", "zb-h1"}) {
                RunConfig config = sharded(name, 2, 4, 2);
                config.recompute = recompute;
                EventCollector observer;
                Run run(config, observer);
                run.iterate();
                const IterationReport report = run.iterate();
                const Plan plan = makePlan(config);
                const std::vector<std::int64_t> peaks = predictedPeakBytes(plan);
                const std::vector<std::int64_t> weights = weightsOfRanks(config, plan.program.schedule);
                QCOMPARE(report.t, 2);
                QCOMPARE(report.ranks.size(), std::size_t{4});
                for (std::size_t rank = 0; rank < 4; ++rank) {
                    QCOMPARE(report.ranks[rank].peak_activation_bytes, peaks[rank]);
                    QCOMPARE(report.ranks[rank].weight_bytes, weights[rank]);
                }
                config.params.t = 1;
                const Plan whole = makePlan(config);
                QVERIFY(peaks.front() < predictedPeakBytes(whole).front());
                QVERIFY(weights.front() < weightsOfRanks(config, whole.program.schedule).front());
            }
    }

    // Two sums a block in F and two in B, over a ring on the modelled link; a fast shard waits for a slow
    // one.
    void sumsAreReported() {
        RunConfig config = sharded("1f1b", 4, 4, 4);
        config.link = {100, 0};
        config.slow_ranks = {{5, 20.0}};
        CollectiveCollector observer;
        Run run(config, observer);
        const IterationReport report = run.iterate();
        const std::int64_t bytes = 2LL * 16 * 32 * 4;  // B T C floats
        for (int rank = 4; rank < 8; ++rank) {
            const std::vector<KernelEvent>& sums = observer.collectives[rank];
            QCOMPARE(sums.size(), std::size_t{4 * 2 * 4});  // blocks of a stage, micro-batches
            std::int64_t sent = 0;
            for (const KernelEvent& sum : sums) {
                QCOMPARE(sum.kind, KernelEvent::Kind::AllReduce);
                QCOMPARE(sum.bytes, 2 * 3 * bytes / 4);
                QVERIFY(sum.end_ns - sum.start_ns - sum.wait_ns >= 2 * 3 * 100'000);
                sent += sum.bytes;
                const auto& events = observer.by_rank[rank];
                const auto box = std::ranges::find_if(events, [&](const Event& event) {
                    return event.action() == Action{sum.stage, sum.op, sum.microbatch};
                });
                QVERIFY(box != events.end());
                QVERIFY(box->start_ns <= sum.start_ns && sum.end_ns <= box->end_ns);
            }
            const RankReport& of_rank = report.ranks[static_cast<std::size_t>(rank)];
            QCOMPARE(of_rank.shards_bytes, sent);
            QVERIFY(of_rank.shards_transfer_ms >= static_cast<double>(sums.size()) * 0.6);
        }
        const auto waited = [&](std::size_t rank) { return report.ranks[rank].shards_wait_ms; };
        for (const std::size_t fast : {4U, 6U, 7U}) QVERIFY(waited(fast) > waited(5));
        // The embedding adds up in F; cross-entropy gathers maxima and adds up twice, the head adds up in B.
        using enum KernelEvent::Kind;
        QCOMPARE(observer.collectives[0].size(), std::size_t{4 * (2 * 4 + 1)});
        std::vector<KernelEvent::Kind> of_head;
        for (const KernelEvent& one : observer.collectives[12])
            if (one.bytes != 2 * 3 * bytes / 4 && one.microbatch == 0) of_head.push_back(one.kind);
        QCOMPARE(of_head, (std::vector{AllGather, AllReduce, AllReduce}));
        QCOMPARE(observer.collectives[12].size(), std::size_t{4 * (2 * 4 + 4)});
        const IterationReport sent = fromWire(toWire(report));
        QCOMPARE(sent.t, 4);
        QCOMPARE(sent.ranks[6].shards_bytes, report.ranks[6].shards_bytes);
        QCOMPARE(sent.ranks[6].shards_wait_ms, waited(6));
        const KernelPart part = fromWire(toWire(6, observer.collectives[6], 0));
        QCOMPARE(part.kernels, observer.collectives[6]);
    }

    // From a run on a link that is infinitely fast, for one whose sums take most of the time.
    void exposedSumsArePredicted() {
        for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
            RunConfig config = sharded("1f1b", 2, 4, 4);
            config.recompute = recompute;
            EventCollector observer;
            Run run(config, observer);
            run.iterate();
            const KnownCosts known{.config = config, .costs = run.iterate().costs};
            config.link = {1000, 0.1};
            const Schedule schedule = makeSchedule(config.schedule, config.params);
            const double predicted =
                static_cast<double>(predictSummary(lower(schedule, config.recomputedApart()),
                                                   estimateCosts(config, schedule, &known))
                                        .iteration_ns) /
                1e6;
            QVERIFY(!run.configure(config));
            const double took = run.iterate().iteration_ms;
            QVERIFY2(std::abs(predicted - took) < 0.05 * took,
                     qPrintable(QStringLiteral("%1 ms, not %2").arg(took).arg(predicted)));
        }
    }

private:
    // Of a shard: that of its rank with t = 1.
    static void checkOrder(const Schedule& world, const Schedule& one, int rank) {
        const auto& order = world.orders[static_cast<std::size_t>(rank)];
        const auto& expected = one.orders[static_cast<std::size_t>(rank / 2)];
        QCOMPARE(order.size(), expected.size());
        const int stages = static_cast<int>(one.chains.front().size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int chain = order[i].stage / stages;
            QCOMPARE(chain % 2, rank % 2);
            QCOMPARE(order[i].withStage(chain / 2 * stages + order[i].stage % stages), expected[i]);
        }
    }

    static void checkGroups(const Schedule& world, int stage) {
        const RankLayout layout = world.params.layout();
        const int rank = world.placement[static_cast<std::size_t>(stage)];
        const std::vector<int> shards = world.shardsOf(stage);
        QCOMPARE(shards.size(), std::size_t{2});
        QVERIFY(std::ranges::count(shards, stage) == 1);
        for (const int shard : shards)
            QVERIFY(layout.shareStage(rank, world.placement[static_cast<std::size_t>(shard)]));
        for (const int copy : world.copiesOf(stage))
            QCOMPARE(world.shardOf(world.chainOf(copy)), world.shardOf(world.chainOf(stage)));
    }
};

BUBBLESCOPE_TEST(TestTensorParallel)

}  // namespace tst_tensor_parallel

#include "tst_tensor_parallel.moc"
