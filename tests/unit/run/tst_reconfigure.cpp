// Changes between iterations: layers move, the loss curve goes on.
#include <QTest>

#include "registered_test.h"
#include "run_fixture.h"

namespace tst_reconfigure {

using namespace bscope;

namespace {

std::vector<double> curve(const std::vector<RunConfig>& configs, EventCollector& observer) {
    Run run(configs.front(), observer);
    std::vector<double> losses;
    for (const RunConfig& config : configs) {
        run.configure(config);
        losses.push_back(run.iterate().loss);
    }
    return losses;
}

}  // namespace

class TestReconfigure : public QObject {
    Q_OBJECT

private slots:
    void lossesAreBitwiseThoseOfAnUnchangedRun() {
        const RunConfig unchanged = tinyConfig("1f1b", 2, 4);
        std::vector<RunConfig> changing = {unchanged,
                                           tinyConfig("gpipe", 4, 4),
                                           tinyConfig("interleaved", 2, 4, 2),
                                           tinyConfig("naive", 1, 4),
                                           tinyConfig("1f1b", 2, 4),
                                           tinyConfig("1f1b", 2, 4),
                                           tinyConfig("1f1b", 8, 4)};
        changing[2].recompute = Recompute::Full;
        changing[4].layers_per_stage = {5, 3};
        changing[5].link = {20, 1};
        changing[5].slow_ranks = {{1, 1.5}};
        changing[5].durations = Durations::Calibrated;
        changing[6].recompute = Recompute::Selective;
        changing[6].clock = ClockChoice::Auto;
        EventCollector calm, busy;
        const std::vector<double> expected = curve(std::vector<RunConfig>(changing.size(), unchanged), calm);
        QCOMPARE(curve(changing, busy), expected);
        QCOMPARE(calm.starts.size(), std::size_t{1});
        QCOMPARE(busy.starts.size(), changing.size());
        for (std::size_t i = 0; i < changing.size(); ++i) {
            QCOMPARE(busy.starts[i].iteration, static_cast<int>(i));
            QVERIFY(busy.starts[i].config == changing[i]);
        }
        QCOMPARE(busy.starts[4].layers_per_stage, (std::vector<int>{5, 3}));
        QCOMPARE(busy.starts[2].placement, (std::vector<int>{0, 1, 0, 1}));
        QVERIFY(busy.watermark_kept);
    }

    void fewerOrSmallerMicrobatchesKeepWhatWasLearned() {
        EventCollector observer;
        RunConfig config = tinyConfig("1f1b", 2, 8);
        Run run(config, observer);
        const double before = run.iterate().loss;
        for (int i = 0; i < 25; ++i) run.iterate();
        config.params.m = 4;
        config.micro_batch = 4;
        QVERIFY(!run.configure(config));
        const IterationReport report = run.iterate();
        QVERIFY(report.loss < before - 0.5);
        QCOMPARE(report.iteration, 26);
        QCOMPARE(report.m, 4);
    }

    void aNewShapeSeedOrTextStartsAnew() {
        EventCollector observer;
        const RunConfig config = tinyConfig("1f1b", 2, 4);
        Run run(config, observer);
        const double first = run.iterate().loss;
        run.iterate();
        RunConfig wider = config;
        wider.model.hidden = 64;
        QVERIFY(run.configure(wider));
        QCOMPARE(run.config().model.hidden, 32);  // not before the next iteration
        QCOMPARE(run.iterate().iteration, 0);
        QCOMPARE(run.config().model.hidden, 64);
        QVERIFY(run.configure(config));
        QCOMPARE(run.iterate().loss, first);
        RunConfig other_seed = config;
        other_seed.seed = 2;
        QVERIFY(run.configure(other_seed));
        QVERIFY(run.iterate().loss != first);
        QVERIFY(observer.watermark_kept);  // device time goes on
    }

    void theLastRequestBeforeTheBoundaryCounts() {
        EventCollector observer;
        Run run(tinyConfig("1f1b", 2, 4), observer);
        run.configure(tinyConfig("1f1b", 2, 8));
        run.configure(tinyConfig("gpipe", 2, 4));
        QCOMPARE(run.iterate().schedule, std::string("gpipe"));
        QCOMPARE(observer.starts.size(), std::size_t{1});
    }

    void theTrainingRateChangesWithoutANewPipeline() {
        EventCollector observer;
        RunConfig config = tinyConfig("1f1b", 2, 4);
        Run run(config, observer);
        run.iterate();
        config.training.learning_rate = 0;
        config.training.weight_decay = 0;
        run.configure(config);
        run.iterate();
        QCOMPARE(observer.starts.size(), std::size_t{2});
        QCOMPARE(observer.starts.back().config.training.learning_rate, 0.0);
        RunConfig resting = config;
        resting.schedule = "forward-only";
        run.configure(resting);
        run.iterate();
        QCOMPARE(run.nextIteration(), 3);
    }

    void placesOfWeightsFollowTheSplit() {
        EventCollector observer;
        RunConfig config = tinyConfig("1f1b", 2, 4);
        Run run(config, observer);
        const IterationReport even = run.iterate();
        config.layers_per_stage = {7, 1};
        run.configure(config);
        const IterationReport skewed = run.iterate();
        const std::int64_t block = 4 * (12 * 32 * 32 + 13 * 32);
        QCOMPARE(skewed.ranks[0].weight_bytes, even.ranks[0].weight_bytes + 3 * block);
        QCOMPARE(skewed.ranks[1].weight_bytes, even.ranks[1].weight_bytes - 3 * block);
    }
};

BUBBLESCOPE_TEST(TestReconfigure)

}  // namespace tst_reconfigure

#include "tst_reconfigure.moc"
