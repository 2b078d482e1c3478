// The memory cap refuses a configuration before it runs, with the numbers and a way out.
#include <QTest>

#include "plan/plan.h"
#include "plan/plan_memory.h"
#include "registered_test.h"
#include "run_fixture.h"
#include "words/number_text.h"

namespace tst_memory_cap {

using namespace bscope;

namespace {

RunObserver no_observer;

double peakMb(const RunConfig& config) {
    const std::vector<std::int64_t> peaks = predictedPeakBytes(makePlan(config));
    return static_cast<double>(*std::max_element(peaks.begin(), peaks.end())) / 1e6;
}

Problem capProblem(const RunConfig& config) {
    return memoryCapProblem(makePlan(config)).value();
}

}  // namespace

class TestMemoryCap : public QObject {
    Q_OBJECT

private slots:
    void noCapAndARoomyCapAllowEverything() {
        RunConfig config = tinyConfig("gpipe", 2, 8);
        QVERIFY(!memoryCapProblem(makePlan(config)));
        config.memory_cap_mb = peakMb(config);
        QVERIFY(!memoryCapProblem(makePlan(config)));
        Run(config, no_observer).iterate();
    }

    void theNearestFittingMIsOffered() {
        RunConfig config = tinyConfig("gpipe", 2, 5);
        config.memory_cap_mb = peakMb(config);
        config.params.m = 8;
        const Problem problem = capProblem(config);
        QCOMPARE(problem.field, std::string("m"));
        QCOMPARE(problem.legal, std::vector<long>{5});
        QVERIFY2(problem.text().find("MB of activations, more than the cap of") != std::string::npos,
                 problem.text().c_str());
        QVERIFY2(problem.text().find("hold " + megabytesText(1e6 * peakMb(config)) + " MB of") !=
                     std::string::npos,
                 problem.text().c_str());
        QVERIFY2(problem.text().find("or checkpointing full") != std::string::npos, problem.text().c_str());
        config.params.m = 5;
        QVERIFY(!memoryCapProblem(makePlan(config)));
    }

    void checkpointingIsOfferedWhereFewerMicrobatchesDoNotHelp() {
        RunConfig config = tinyConfig("naive", 2, 4);
        config.recompute = Recompute::Full;
        config.checkpoint_every = CheckpointEvery::Layer;
        config.memory_cap_mb = 0.95 * peakMb(config);
        config.recompute = Recompute::None;
        // One micro-batch at a time, and of it one layer, is the least there is.
        const Problem problem = capProblem(config);
        QCOMPARE(problem.field, std::string("memory_cap_mb"));
        QVERIFY(problem.legal.front() >= 1);
        config = tinyConfig("1f1b", 4, 8);
        config.recompute = Recompute::Full;
        const double full = peakMb(config);
        config.recompute = Recompute::None;
        const double none = peakMb(config);
        QVERIFY(full < none);
        config.memory_cap_mb = 1.01 * full;
        QVERIFY(capProblem(config).text().find("checkpointing full") != std::string::npos);
        config.recompute = Recompute::Full;
        config.checkpoint_every = CheckpointEvery::Layer;
        config.memory_cap_mb = 1.01 * peakMb(config);
        QVERIFY(config.memory_cap_mb < full);
        QVERIFY(!memoryCapProblem(makePlan(config)));
        config.recompute = Recompute::None;
        config.checkpoint_every = CheckpointEvery::Stage;
        QVERIFY(capProblem(config).text().find("checkpointing full, every layer") != std::string::npos);
    }

    void whatTheMachineCannotHoldIsRefused() {
        const Plan plan = makePlan(tinyConfig("gpipe", 2, 8));
        const std::vector<std::int64_t> each = predictedBytes(plan);
        const std::int64_t needed = each[0] + each[1];
        QVERIFY(!sharedMemoryProblem(plan, needed));
        QVERIFY(sharedMemoryProblem(plan, needed - 1));
        RunConfig monster = tinyConfig("1f1b", 2, 8);
        monster.model.hidden = 65536;
        monster.model.layers = 4096;
        QCOMPARE(Run(tinyConfig(), no_observer).check(monster).size(), std::size_t{1});
    }

    void everyRankMustFitItsOwnGpu() {
        RunConfig config = tinyConfig("gpipe", 2, 8);
        config.device = DeviceChoice::Cuda;
        const Plan plan = makePlan(config);
        std::vector<std::int64_t> bytes = predictedBytes(plan);
        QVERIFY(!gpuMemoryProblem(plan, bytes));
        bytes[0] *= 2;  // room of which rank 1 has nothing
        --bytes[1];
        const auto problem = gpuMemoryProblem(plan, bytes);
        QVERIFY(problem);
        QVERIFY2(problem->text().starts_with("rank 1 needs "), problem->text().c_str());
        QVERIFY(sharedMemoryProblem(plan, 1)->text().find("the GPU has") != std::string::npos);
    }

    void theRunRefusesBeforeItRuns() {
        RunConfig config = tinyConfig("gpipe", 2, 8);
        config.memory_cap_mb = 0.5 * peakMb(config);
        QVERIFY_THROWS_EXCEPTION(ConfigError, Run(config, no_observer));
        Run run(tinyConfig("gpipe", 2, 2), no_observer);
        QCOMPARE(run.check(config).size(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(ConfigError, run.configure(config));
        QCOMPARE(run.iterate().m, 2);
    }
};

BUBBLESCOPE_TEST(TestMemoryCap)

}  // namespace tst_memory_cap

#include "tst_memory_cap.moc"
