// ZeRO-1 (arXiv:1910.02054): the same bits as without it, a d-th of the optimizer state, its two operations
// of the copies, their time on the link, and the state through files and other pipelines.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/cost_estimate.h"
#include "model/safetensors.h"
#include "plan/message_tags.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "report/traffic.h"
#include "run/verify.h"
#include "shape/config_shape.h"
#include "shard_fixture.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"
#include "wire/convert.h"

namespace tst_zero {

using namespace bscope;

namespace {

RunConfig divided(const char* schedule, int p, int m, int d, int t = 1) {
    RunConfig config = sharded(schedule, p, m, t, d);
    config.params.zero = 1;
    return config;
}

RunConfig whole(RunConfig config) {
    config.params.zero = 0;
    return config;
}

TensorFile stateAfter(const RunConfig& config, int iterations) {
    const QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("state.safetensors")).toStdString();
    RunObserver no_observer;
    Run run(config, no_observer);
    for (int i = 0; i < iterations; ++i) run.iterate();
    run.save(file);
    return readTensors(file);
}

bool hasOneState(const TensorFile& a, const TensorFile& b) {
    return !a.tensors.empty() && a.tensors == b.tensors;
}

}  // namespace

class TestZero : public QObject {
    Q_OBJECT

private slots:
    void sameBitsAsWithoutIt_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("t");
        QTest::addRow("1f1b, two copies") << QByteArray("1f1b") << 2 << 1;
        QTest::addRow("gpipe, four copies") << QByteArray("gpipe") << 4 << 1;
        QTest::addRow("two chunks a rank, three copies") << QByteArray("interleaved") << 3 << 1;
        QTest::addRow("split backward, two shards") << QByteArray("zb-h1") << 2 << 2;
        QTest::addRow("1f1b, four copies of two shards") << QByteArray("1f1b") << 4 << 2;
    }
    void sameBitsAsWithoutIt() {
        QFETCH(QByteArray, schedule);
        QFETCH(int, d);
        QFETCH(int, t);
        RunConfig config = divided(schedule.constData(), 2, 4, d, t);
        config.training.clip_norm = 0.5;  // so that every weight depends on the norm
        QCOMPARE(lossesOf(config, 3), lossesOf(whole(config), 3));
        QVERIFY(hasOneState(stateAfter(config, 3), stateAfter(whole(config), 3)));
    }

    void verifiesAgainstOneRankAndWithoutIt() {
        const VerifyResult result = verify(divided("1f1b", 2, 4, 2));
        QVERIFY(result.replicas_equal && result.within_tolerance);
        QCOMPARE(result.bitwise_without_zero, std::optional(true));
        QCOMPARE(verify(whole(divided("1f1b", 2, 4, 2)), 1).bitwise_without_zero, std::optional<bool>());
    }

    void eachCopyHoldsItsPartOfTheOptimizerState() {
        for (const int d : {2, 4})
            for (const int t : {1, 2}) {
                const RunConfig config = divided("interleaved", 2, 4, d, t);
                EventCollector observer;
                Run run(config, observer);
                const IterationReport report = run.iterate();
                const Schedule schedule = makeSchedule(config.schedule, config.params);
                const std::vector<std::int64_t> predicted = optimizerOfRanks(config, schedule),
                                                all = optimizerOfRanks(whole(config), schedule);
                QCOMPARE(report.zero, 1);
                for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
                    const RankReport& each = report.ranks[rank];
                    QCOMPARE(each.optimizer_bytes, predicted[rank]);
                    QCOMPARE(each.gradient_bytes, each.weight_bytes);
                    // Slices are whole cache lines.
                    QVERIFY(std::abs(d * each.optimizer_bytes - 2 * each.weight_bytes) <=
                            2LL * 2 * 64 * d * d);
                }
                const int copies = d;
                for (int stage = 0; stage < 2; ++stage) {
                    std::int64_t sum = 0, of_one = 0;
                    for (int replica = 0; replica < copies; ++replica) {
                        const int rank = config.params.layout().rankOf(stage, replica);
                        sum += predicted[static_cast<std::size_t>(rank)];
                        of_one = 2 * report.ranks[static_cast<std::size_t>(rank)].weight_bytes;
                    }
                    QCOMPARE(sum, of_one);
                }
                const std::vector<std::int64_t> bytes = predictedBytes(makePlan(config)),
                                                without = predictedBytes(makePlan(whole(config)));
                for (std::size_t rank = 0; rank < bytes.size(); ++rank)
                    QCOMPARE(without[rank] - bytes[rank],
                             2 * report.ranks[rank].weight_bytes - predicted[rank]);
            }
    }

    // A reduce-scatter before the step and an all-gather after it: each moves (d - 1) / d of the stage.
    void copiesReduceAndGather() {
        const int d = 4;
        const RunConfig config = divided("interleaved", 2, 4, d);
        EventCollector observer, of_whole;
        Run run(config, observer), other(whole(config), of_whole);
        run.iterate();
        other.iterate();
        const Plan plan = makePlan(config);
        for (int rank = 0; rank < plan.ranks(); ++rank) {
            const std::vector<Event>& events = observer.by_rank.at(rank);
            const auto step = std::ranges::find(events, Op::OptimizerStep, &Event::op);
            QVERIFY(step != events.end());
            QCOMPARE(std::count_if(events.begin(), step,
                                   [](const Event& e) { return e.op == Op::ReduceGradients; }),
                     config.params.v);
            QCOMPARE(
                std::count_if(step, events.end(), [](const Event& e) { return e.op == Op::GatherWeights; }),
                config.params.v);
            for (const Event& event : events) {
                if (!isOfCopies(event.op)) continue;
                const auto all = static_cast<std::int64_t>(
                    weightBytes(plan.shape, plan.ranges[static_cast<std::size_t>(event.stage)]));
                const auto own = static_cast<std::int64_t>(plan.sliceOfStage(event.stage).bytes());
                QCOMPARE(event.bytes, event.op == Op::ReduceGradients ? (d - 1) * own : all - own);
            }
        }
        const auto bytesOf = [](const EventCollector& of, Op op) {
            const std::vector<Event> events = of.all(op);
            return std::accumulate(events.begin(), events.end(), std::int64_t{0},
                                   [](std::int64_t sum, const Event& each) { return sum + each.bytes; });
        };
        QCOMPARE(bytesOf(observer, Op::ReduceGradients) + bytesOf(observer, Op::GatherWeights),
                 bytesOf(of_whole, Op::ReduceGradients));
        QVERIFY(of_whole.all(Op::GatherWeights).empty());
    }

    void messagesOfTheGatheringHaveTheirNames() {
        const Plan plan = makePlan(divided("1f1b", 2, 4, 3));
        const Schedule& schedule = plan.program.schedule;
        const std::vector<int> copies = schedule.copiesOf(1);
        std::size_t all = 0;
        for (const int from : copies) {
            const MessageTag tag = reductionTag(schedule, MessageKind::Weights, 1, from);
            QCOMPARE(messageText(tag), std::string("1GATHER_WEIGHTS"));
            QCOMPARE(sentAs(schedule, tag), (Action{from, Op::GatherWeights}));
            all += plan.messageBytes(tag);
        }
        QCOMPARE(all, weightBytes(plan.shape, plan.ranges[1]));
    }

    // Of a ring: d - 1 messages of a d-th of the stage, once for the reduction and once for the gathering.
    // The costs have one step for all ranks, whose own differ: the link is slow, so that it is most of the
    // time, under sanitizers too.
    void aCalibratedRunIsItsPrediction() {
        for (const int d : {2, 4}) {
            RunConfig config = divided("1f1b", 2, 4, d);
            config.durations = Durations::Calibrated;
            constexpr double kLatency_us = 100'000;
            config.link = {kLatency_us, 1};
            EventCollector observer;
            Run run(config, observer);
            run.iterate();
            const Costs costs = run.iterate().costs;
            const IterationReport report = run.iterate();
            const Plan plan = makePlan(config);
            const IterationSummary predicted = summarize(predict(plan.program, costs), 0);
            QVERIFY(roundTransfer_ns(plan, 0) >= (d - 1) * kLatency_us * 1e3);
            QVERIFY(costs.reduce_ns > (d - 1) * kLatency_us * 1e3 &&
                    costs.gather_ns > (d - 1) * kLatency_us * 1e3);
            const auto near = [](std::int64_t predicted_ns, double took_ms) {
                return std::abs(static_cast<double>(predicted_ns) / 1e6 - took_ms) < 0.05 * took_ms;
            };
            QVERIFY2(near(predicted.optimizer_ns, report.optimizer_ms),
                     qPrintable(QStringLiteral("%1 ms, not %2")
                                    .arg(report.optimizer_ms)
                                    .arg(static_cast<double>(predicted.optimizer_ns) / 1e6)));
            QVERIFY(near(predicted.iteration_ns, report.iteration_ms));
        }
    }

    void predictionGathersAfterTheStep() {
        ScheduleParams params{2, 1, 3};
        params.d = 2;
        params.zero = 1;
        Costs costs = unitCosts(4, 1, 1, 1, 0);
        costs.reduce_ns = costs.gather_ns = 5e8;
        costs.optimizer_ns = 1e9;
        const Timeline timeline = predict(lower(makeSchedule("1f1b", params)), costs);
        for (int rank = 0; rank < 4; ++rank) {
            const auto events = timeline.compute(rank);
            QCOMPARE(events[events.size() - 3].op, Op::ReduceGradients);
            QCOMPARE(events[events.size() - 2].op, Op::OptimizerStep);
            QCOMPARE(events.back().op, Op::GatherWeights);
            QCOMPARE(events.back().start_ns, events[events.size() - 2].end_ns);
            QCOMPARE(events.back().duration_ns(), std::int64_t{500'000'000});
        }
        QCOMPARE(summarize(timeline, 0).optimizer_ns, std::int64_t{2'000'000'000});
    }

    // What is known of a run without ZeRO says what one with it takes.
    void anEstimateDividesTheStep() {
        const RunConfig config = divided("1f1b", 2, 4, 4);
        const Costs with = estimateCosts(config, nullptr), without = estimateCosts(whole(config), nullptr);
        QCOMPARE(4 * with.optimizer_ns, without.optimizer_ns);
        QCOMPARE(without.gather_ns, 0.0);
        QVERIFY(with.gather_ns > 0 && with.reduce_ns < without.reduce_ns);
    }

    // Every change of p, d and zero, and a state that another pipeline goes on from.
    void nothingIsLostBetweenPipelines() {
        const auto statesOf = [](const std::vector<RunConfig>& configs) {
            const QTemporaryDir folder;
            const std::string file = folder.filePath(QStringLiteral("state.safetensors")).toStdString();
            RunObserver no_observer;
            Run run(configs.front(), no_observer);
            for (const RunConfig& config : configs) {
                QTest::qVerify(!run.configure(config), "continues", "", __FILE__, __LINE__);
                run.iterate();
            }
            run.save(file);
            return readTensors(file);
        };
        const RunConfig two = divided("1f1b", 2, 6, 2), three = divided("1f1b", 4, 4, 3),
                        one = whole(divided("1f1b", 2, 12, 1)), shards = divided("gpipe", 2, 6, 2, 2);
        const TensorFile with = statesOf({two, three, one, shards, two}),
                         without = statesOf({whole(two), whole(three), one, whole(shards), whole(two)});
        QVERIFY(hasOneState(with, without));
    }

    void aStateIsLoadedIntoAnotherPipeline() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("state.safetensors")).toStdString();
        RunObserver no_observer;
        Run first(divided("1f1b", 2, 6, 2), no_observer);
        first.iterate();
        first.save(file);
        for (const RunConfig& config :
             {divided("1f1b", 2, 6, 2), whole(divided("1f1b", 2, 6, 2)), divided("1f1b", 4, 3, 4)}) {
            Run second(config, no_observer), unchanged(whole(config), no_observer);
            second.iterate();
            second.load(file);
            unchanged.load(file);
            for (int i = 0; i < 2; ++i) QCOMPARE(second.iterate().loss, unchanged.iterate().loss);
        }
    }

    // Who sends how much: what the events say is what the formula says, of every kind.
    void trafficIsThatOfTheFormula_data() {
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("t");
        QTest::addColumn<int>("zero");
        QTest::addColumn<bool>("sequence_parallel");
        QTest::addRow("pipeline alone") << 1 << 1 << 0 << false;
        QTest::addRow("replicas") << 3 << 1 << 0 << false;
        QTest::addRow("ZeRO") << 3 << 1 << 1 << false;
        QTest::addRow("shards") << 1 << 2 << 0 << false;
        QTest::addRow("all") << 2 << 2 << 1 << false;
        QTest::addRow("all, sequence parallelism") << 2 << 2 << 1 << true;
    }
    void trafficIsThatOfTheFormula() {
        QFETCH(int, d);
        QFETCH(int, t);
        QFETCH(int, zero);
        QFETCH(bool, sequence_parallel);
        RunConfig config = sharded("interleaved", 2, 4, t, d);
        config.params.zero = zero;
        config.sequence_parallel = sequence_parallel;
        EventCollector observer;
        Run run(config, observer);
        const IterationReport report = run.iterate();
        Timeline timeline(config.params.layout().world(), report.provenance);
        for (const auto& [rank, events] : observer.by_rank)
            for (const Event& event : events) timeline.append(event);
        const std::vector<RankTraffic> counted =
            countTraffic(config, makeSchedule(config.schedule, config.params));
        const std::vector<RankTraffic> recorded = recordedTraffic(timeline, report);
        QCOMPARE(recorded.size(), counted.size());
        for (std::size_t rank = 0; rank < recorded.size(); ++rank) {
            QCOMPARE(recorded[rank].pipeline, counted[rank].pipeline);
            QCOMPARE(recorded[rank].shards, counted[rank].shards);
            QCOMPARE(recorded[rank].gradients, counted[rank].gradients);
            QCOMPARE(recorded[rank].weights, counted[rank].weights);
            QVERIFY(counted[rank].pipeline > 0);
            QCOMPARE(counted[rank].shards > 0, t > 1);
            QCOMPARE(counted[rank].gradients > 0, d > 1);
            QCOMPARE(counted[rank].weights > 0, zero > 0);
        }
    }

    void problemsNameTheNearestLegalValue() {
        RunConfig config = divided("1f1b", 2, 4, 2);
        QVERIFY(problems(config).empty());
        const auto only = [&](std::vector<long> legal) {
            const std::vector<Problem> found = problems(config);
            return found.size() == 1 && found.front().field == "zero" && found.front().legal == legal;
        };
        config.params.d = 1;
        QVERIFY(only({0}));
        config.params.d = 2;
        config.params.zero = 2;
        QVERIFY(only({1}));
        config.params.zero = 1;
        config.device = DeviceChoice::Cuda;
        QVERIFY(only({0}));
        config = divided("pipedream", 2, 4, 2);  // which has no replicas
        QVERIFY(std::ranges::any_of(problems(config), [](const Problem& each) { return each.field == "d"; }));
    }

    void aReportGoesThroughTheStream() {
        const RunConfig config = divided("1f1b", 2, 4, 2);
        EventCollector observer;
        Run run(config, observer);
        const IterationReport report = run.iterate(), read = fromWire(toWire(report));
        QCOMPARE(read.zero, 1);
        QCOMPARE(read.costs.gather_ns, report.costs.gather_ns);
        QVERIFY(read.costs.gather_ns > 0);
        QCOMPARE(fromWire(toWire(config)), config);
        for (const Event& event : observer.by_rank.at(0))
            QCOMPARE(fromWire(toWire(0, std::vector<Event>{event})).front(), event);
    }
};

BUBBLESCOPE_TEST(TestZero)

}  // namespace tst_zero

#include "tst_zero.moc"
