// Sequence parallelism: the same numbers as the shards without it but for the gradients of LayerNorms, at one
// t the same for every schedule; its memory, messages and collectives.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "analysis/cost_estimate.h"
#include "advice/framework_flags.h"
#include "clock/clock.h"
#include "model/safetensors.h"
#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run/verify.h"
#include "shard_fixture.h"
#include "timeline/predict_summary.h"
#include "wire/convert.h"

namespace tst_sequence_parallel {

using namespace bscope;

namespace {

RunConfig sequenceParallel(const char* schedule, int p, int m, int t, int d = 1) {
    RunConfig config = sharded(schedule, p, m, t, d);
    config.sequence_parallel = true;
    return config;
}

TensorFile gradientsOf(const RunConfig& config) {
    const QTemporaryDir folder;
    EventCollector observer;
    Run run(config, observer);
    run.dump(folder.path().toStdString());
    return readTensors(folder.filePath(QStringLiteral("gradients.safetensors")).toStdString());
}

double largestDifference(const Tensor& a, const Tensor& b) {
    const auto &ours = std::get<std::vector<float>>(a.values),
               &theirs = std::get<std::vector<float>>(b.values);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(ours[i])));
        difference =
            std::max(difference, std::abs(static_cast<double>(ours[i]) - static_cast<double>(theirs[i])));
    }
    return largest > 0 ? difference / largest : difference;
}

std::vector<KernelEvent::Kind> kindsOf(std::span<const KernelEvent> collectives, const Action& action) {
    std::vector<KernelEvent::Kind> kinds;
    for (const KernelEvent& one : collectives)
        if (Action{one.stage, one.op, one.microbatch} == action) kinds.push_back(one.kind);
    return kinds;
}

}  // namespace

class TestSequenceParallel : public QObject {
    Q_OBJECT

private slots:
    // The sums over shards have one order whether all rows or a part of them come of it; the gradients of
    // LayerNorms are sums over rows, which are added up part by part here.
    void sameBitsButLayerNorms() {
        for (const int t : {2, 4}) {
            const TensorFile without = gradientsOf(sharded("1f1b", 2, 4, t)),
                             with = gradientsOf(sequenceParallel("1f1b", 2, 4, t));
            QCOMPARE(with.tensors.size(), without.tensors.size());
            int norms = 0;
            for (const auto& [name, gradient] : without.tensors) {
                const bool is_norm = name.find("ln") != std::string::npos;
                norms += is_norm ? 1 : 0;
                if (!is_norm) QVERIFY2(with.tensors.at(name) == gradient, name.c_str());
                QVERIFY2(largestDifference(gradient, with.tensors.at(name)) < 1e-5, name.c_str());
            }
            QCOMPARE(norms, 4 * 8 + 2);
            QCOMPARE(lossesOf(sequenceParallel("1f1b", 2, 4, t), 1).front(),
                     lossesOf(sharded("1f1b", 2, 4, t), 1).front());
        }
    }

    // At one t: whatever the schedule, the pipeline, the checkpointing, and again.
    void sameBitsForEverySchedule() {
        const std::vector<double> expected = lossesOf(sequenceParallel("1f1b", 2, 4, 2), 3);
        QCOMPARE(lossesOf(sequenceParallel("1f1b", 2, 4, 2), 3), expected);
        for (const char* name : {"gpipe", "zb-h1", "interleaved"})
            QCOMPARE(lossesOf(sequenceParallel(name, 2, 4, 2), 3), expected);
        QCOMPARE(lossesOf(sequenceParallel("1f1b", 4, 4, 2), 3), expected);
        QCOMPARE(lossesOf(sequenceParallel("naive", 1, 4, 2), 3), expected);
        RunConfig config = sequenceParallel("1f1b", 2, 4, 2);
        for (const Recompute recompute : {Recompute::Full, Recompute::Selective}) {
            config.recompute = recompute;
            QCOMPARE(lossesOf(config, 3), expected);
        }
        config.recompute = Recompute::Full;
        config.checkpoint_every = CheckpointEvery::Layer;
        QCOMPARE(lossesOf(config, 3), expected);
    }

    void verifiesAgainstOneRank_data() {
        QTest::addColumn<QByteArray>("schedule");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("d");
        QTest::addColumn<int>("t");
        QTest::addRow("one stage, four shards") << QByteArray("gpipe") << 1 << 1 << 4;
        QTest::addRow("replicas") << QByteArray("1f1b") << 2 << 2 << 2;
        QTest::addRow("split backward") << QByteArray("zb-v") << 2 << 1 << 2;
        QTest::addRow("two directions") << QByteArray("chimera") << 2 << 1 << 2;
    }
    void verifiesAgainstOneRank() {
        QFETCH(QByteArray, schedule);
        QFETCH(int, p);
        QFETCH(int, d);
        QFETCH(int, t);
        const VerifyResult result = verify(sequenceParallel(schedule.constData(), p, 4, t, d));
        QVERIFY(result.replicas_equal);
        QVERIFY2(result.within_tolerance, qPrintable(QString::number(result.largest_difference)));
        QVERIFY(result.sequence_parallel);
    }

    void memoryIsWhatWasPredicted() {
        struct Case {
            Recompute recompute;
            CheckpointEvery every;
        };
        for (const Case& one :
             {Case{Recompute::None, CheckpointEvery::Stage},
              Case{Recompute::Selective, CheckpointEvery::Stage},
              Case{Recompute::Full, CheckpointEvery::Stage}, Case{Recompute::Full, CheckpointEvery::Layer}})
            for (const char* name : {"1f1b", "zb-h1"})
                for (const int p : {1, 2}) {
                    RunConfig config = sequenceParallel(name, p, 4, 4);
                    config.recompute = one.recompute;
                    config.checkpoint_every = one.every;
                    EventCollector observer;
                    Run run(config, observer);
                    run.iterate();
                    const IterationReport report = run.iterate();
                    const std::vector<std::int64_t> peaks = predictedPeakBytes(makePlan(config));
                    QVERIFY(report.sequence_parallel);
                    for (std::size_t rank = 0; rank < peaks.size(); ++rank)
                        QCOMPARE(report.ranks[rank].peak_activation_bytes, peaks[rank]);
                }
    }

    // What tensor parallelism leaves whole, arXiv:2205.05198's 10 sbh of a layer, has a t-th.
    void activationsOfABlockAreATth() {
        RunConfig config = sharded("1f1b", 4, 4, 4);
        const Plan without = makePlan(config);
        config.sequence_parallel = true;
        const Plan with = makePlan(config);
        config.params.t = 1;
        config.sequence_parallel = false;
        const Plan whole = makePlan(config);
        const std::size_t norm_sums = 2 * 4 * 32 * sizeof(float);  // (4, C) of each of two blocks
        const std::size_t stage = 1;
        QCOMPARE(4 * (with.activations[stage].held - norm_sums), whole.activations[stage].held - norm_sums);
        QVERIFY(with.activations[stage].held < without.activations[4 * stage].held);
        QCOMPARE(4 * with.messageBytes(), without.messageBytes());
    }

    void problemsNameTheNearestLegalValue() {
        RunConfig config = sequenceParallel("1f1b", 2, 4, 4);
        QVERIFY(problems(config).empty());
        config.model.sequence = 18;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QCOMPARE(problems(config).front().field, std::string("sequence"));
        QCOMPARE(problems(config).front().legal, (std::vector<long>{16, 20}));
        config.params.t = 1;
        QCOMPARE(problems(config).size(), std::size_t{1});
        QCOMPARE(problems(config).front().field, std::string("sequence_parallel"));
    }

    // Korthikanti et al., section 4.2.2: two of each in F and in B of a block, and in B two more all-gathers,
    // for the weight gradients; each sends (t - 1) / t of the tensor.
    void collectivesAreReported() {
        using enum KernelEvent::Kind;
        RunConfig config = sequenceParallel("1f1b", 4, 4, 4);
        config.model.layers = 4;
        config.link = {100, 0};
        CollectiveCollector observer;
        Run run(config, observer);
        const IterationReport report = run.iterate();
        const std::int64_t bytes = 2LL * 16 * 32 * 4;  // B T C floats
        const std::vector<KernelEvent>& of_rank = observer.collectives[4];
        QCOMPARE(kindsOf(of_rank, {1, Op::Forward, 0}),
                 (std::vector{AllGather, ReduceScatter, AllGather, ReduceScatter}));
        QCOMPARE(kindsOf(of_rank, {1, Op::Backward, 0}),
                 (std::vector{AllGather, ReduceScatter, AllGather, ReduceScatter, AllGather, AllGather}));
        for (const KernelEvent& one : of_rank) {
            QCOMPARE(one.bytes, 3 * bytes / 4);
            QVERIFY(one.end_ns - one.start_ns - one.wait_ns >= 3 * 100'000);
        }
        QCOMPARE(report.ranks[4].shards_bytes, std::int64_t{4 * 10} * 3 * bytes / 4);
        QVERIFY(fromWire(toWire(report)).sequence_parallel);
        QCOMPARE(fromWire(toWire(4, of_rank, 0)).kernels, of_rank);
    }

    // From a run on a link that is infinitely fast, for one whose collectives take most of the time.
    void exposedCollectivesArePredicted() {
        for (const char* name : {"1f1b", "zb-h1"})
            for (const Recompute recompute : {Recompute::None, Recompute::Full}) {
                RunConfig config = sequenceParallel(name, 2, 4, 4);
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

    // The same shards hold the state, so that training goes on where it was.
    void trainingGoesOnWhenItIsTurnedOn() {
        EventCollector changing, unchanged;
        Run run(sharded("1f1b", 2, 4, 2), changing), other(sharded("1f1b", 2, 4, 2), unchanged);
        for (const bool on : {false, true, false}) {
            RunConfig config = sharded("1f1b", 2, 4, 2);
            config.sequence_parallel = on;
            QVERIFY(!run.configure(config));
            const double loss = run.iterate().loss, expected = other.iterate().loss;
            QVERIFY2(std::abs(loss - expected) < 1e-5 * expected,
                     qPrintable(QString::number(loss - expected)));
        }
    }
};

BUBBLESCOPE_TEST(TestSequenceParallel)

}  // namespace tst_sequence_parallel

#include "tst_sequence_parallel.moc"
