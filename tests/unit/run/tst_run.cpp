// Run: what an iteration reports, what slows it down and by how much, saving and resuming, dumping, refusing.
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <fstream>
#include <thread>

#include "catalog/catalog.h"
#include "kernels/cpu/cpu_device.h"
#include "model/safetensors.h"
#include "registered_test.h"
#include "run_fixture.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace tst_run {

using namespace bscope;

namespace {

RunObserver no_observer;

std::vector<double> losses(Run& run, int iterations) {
    std::vector<double> found;
    for (int i = 0; i < iterations; ++i) found.push_back(run.iterate().loss);
    return found;
}

std::int64_t computeTime(const EventCollector& observer) {
    std::int64_t total_ns = 0;
    for (const auto& [rank, events] : observer.by_rank)
        for (const Event& event : events)
            if (isCompute(event.op)) total_ns += event.duration_ns();
    return total_ns;
}

}  // namespace

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void aReportIsComplete() {
        RunConfig config = tinyConfig("1f1b", 4, 8);
        Run run(config, no_observer);
        for (int iteration = 0; iteration < 2; ++iteration) {
            const IterationReport report = run.iterate();
            QCOMPARE(report.iteration, iteration);
            QCOMPARE(report.schedule, std::string("1f1b"));
            QCOMPARE(report.p, 4);
            QCOMPARE(report.m, 8);
            QCOMPARE(report.v, 1);
            QVERIFY(report.device.rfind("CPU, ", 0) == 0);
            QCOMPARE(report.provenance, Provenance::Reconstructed);
            QVERIFY(report.iteration_ms > 0 && report.span_ms <= report.iteration_ms && report.host_ms > 0);
            QVERIFY(report.optimizer_ms > 0);
            QVERIFY(report.bubble_of_total > 0 && report.bubble_of_total < 1);
            QVERIFY(std::abs(report.bubble_of_ideal - report.bubble_of_total / (1 - report.bubble_of_total)) <
                    1e-9);
            QVERIFY(report.predicted_bubble_of_total > 0 && report.predicted_iteration_ms > 0);
            QVERIFY(std::abs(report.theory_bubble_of_total.value() - 3.0 / 11.0) < 1e-12);
            QVERIFY(std::abs(report.tokens_per_s * report.iteration_ms / 1e3 - 8 * 2 * 16) < 1e-6);
            QVERIFY(report.loss > 0 && report.grad_norm > 0);
            QVERIFY(report.tracing_share > 0 && report.tracing_share < 1);
            QCOMPARE(report.ranks.size(), std::size_t{4});
            QCOMPARE(report.costs.stages.size(), std::size_t{4});
            std::int64_t weights = 0;
            for (const RankReport& rank : report.ranks) {
                QVERIFY(rank.busy_ms > 0 && rank.peak_activation_bytes > 0 && rank.buffer_bytes > 0);
                QCOMPARE(rank.peak_in_flight, std::min(8, 4 - rank.rank));
                QCOMPARE(rank.gradient_bytes, rank.weight_bytes);
                QCOMPARE(rank.optimizer_bytes, 2 * rank.weight_bytes);
                QVERIFY(rank.reserved_bytes >= rank.peak_activation_bytes);
                weights += rank.weight_bytes;
            }
            const int C = 32, T = 16, V = 256, L = 8;
            QCOMPARE(weights, std::int64_t{4} * ((2 * V + T) * C + 2 * C + L * (12 * C * C + 13 * C)));
        }
        QCOMPARE(run.nextIteration(), 2);
    }

    // What multiplies matrices is what the configuration names, and every report says it.
    void matricesAreMultipliedAsConfigured() {
        const auto trained = [](MatrixLibrary library) {
            RunConfig config = tinyConfig("1f1b", 2, 4);
            config.model.hidden = 128;
            config.matrix_library = library;
            Run run(config, no_observer);
            const std::string products = run.iterate().matrix_products;
            return std::pair(products, losses(run, 3));
        };
        const auto usual = trained(MatrixLibrary::Auto), library = trained(MatrixLibrary::OneDnn);
        QVERIFY(library.first.rfind("oneDNN ", 0) == 0);
        QCOMPARE(trained(MatrixLibrary::OneDnn).second, library.second);
        if (!hasProductLoops()) {
            QCOMPARE(usual, library);
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument, trained(MatrixLibrary::Loops));
            return;
        }
        const auto loops = trained(MatrixLibrary::Loops);
        QCOMPARE(loops.first, std::string("own loops"));
        QVERIFY(loops.second != library.second);
        for (std::size_t i = 0; i < loops.second.size(); ++i)
            QVERIFY(std::abs(loops.second[i] - library.second[i]) < 1e-3);
        QVERIFY(usual == loops || usual == library);
    }

    // Between two iterations, as any other change of the pipeline.
    void theProductsChangeWhileItTrains() {
        if (!hasProductLoops()) QSKIP("this processor does not run the loops");
        RunConfig config = tinyConfig("1f1b", 2, 4);
        config.matrix_library = MatrixLibrary::OneDnn;
        Run run(config, no_observer);
        QVERIFY(run.iterate().matrix_products != "own loops");
        config.matrix_library = MatrixLibrary::Loops;
        QVERIFY(!run.configure(config));  // the training goes on
        const IterationReport after = run.iterate();
        QCOMPARE(after.iteration, 1);
        QCOMPARE(after.matrix_products, std::string("own loops"));
    }

    void anIterationStartsWhereTheOneBeforeEnded() {
        EventCollector observer;
        Run run(tinyConfig("1f1b", 2, 4), observer);
        run.iterate();
        const std::int64_t end_ns = observer.settled_ns;
        run.iterate();
        std::int64_t start_ns = observer.settled_ns;
        for (const auto& [rank, events] : observer.by_rank)
            for (const Event& event : events)
                if (event.iteration == 1 && isCompute(event.op))
                    start_ns = std::min(start_ns, event.start_ns);
        QCOMPARE(start_ns, end_ns);
        QCOMPARE(observer.starts.size(), std::size_t{1});
        QCOMPARE(observer.reports.size(), std::size_t{2});
        QVERIFY(observer.watermark_kept && observer.batches_in_bounds);
    }

    void theModelLearns() {
        RunConfig config = tinyConfig("1f1b", 2, 4);
        Run run(config, no_observer);
        const std::vector<double> curve = losses(run, 40);
        QVERIFY2(curve.back() < curve.front() - 1.0, qPrintable(QString::number(curve.back())));
    }

    void forwardOnlyLearnsNothing() {
        EventCollector observer;
        Run run(tinyConfig("forward-only", 2, 4), observer);
        const IterationReport report = run.iterate();
        QVERIFY(report.loss > 0);
        QCOMPARE(report.grad_norm, 0.0);
        QCOMPARE(report.optimizer_ms, 0.0);
        QVERIFY(observer.all(Op::OptimizerStep).empty());
        Run trained(tinyConfig("1f1b", 2, 4), no_observer);
        QCOMPARE(report.loss, trained.iterate().loss);
    }

    // Every operation of the naive schedule waits for the one before, so its iteration is the sum of all of
    // them and of all messages: 2 (p-1) a micro-batch.
    void aSlowLinkLengthensByThePredictedAmount() {
        for (const LinkModel& link : {LinkModel{0, 0}, LinkModel{500, 0}, LinkModel{100, 0.01}}) {
            RunConfig config = tinyConfig("naive", 3, 2);
            config.link = link;
            EventCollector observer;
            const IterationReport report = Run(config, observer).iterate();
            const double hop_ns = std::round(link.transferNs(2.0 * 16 * 32 * 4));
            const double expected_ns = static_cast<double>(computeTime(observer)) + 2 * 2 * 2 * hop_ns;
            QVERIFY(std::abs(report.iteration_ms * 1e6 - expected_ns) < 1);
        }
    }

    void aSlowRankTakesLonger() {
        RunConfig config = tinyConfig("1f1b", 4, 4);
        config.slow_ranks = {{2, 20.0}};
        Run run(config, no_observer);
        const IterationReport report = run.iterate();
        for (const RankReport& rank : report.ranks)
            QVERIFY(rank.rank == 2 || report.ranks[2].busy_ms > 2 * rank.busy_ms);
        QVERIFY(report.costs.stages[2].forward_ns > 2 * report.costs.stages[1].forward_ns);
    }

    void calibratedIterationsRepeatTheirMedians() {
        RunConfig config = tinyConfig("1f1b", 2, 4);
        config.durations = Durations::Calibrated;
        EventCollector observer;
        Run run(config, observer);
        const IterationReport first = run.iterate();
        const IterationReport second = run.iterate();
        for (const auto& [rank, events] : observer.by_rank)
            for (const Event& event : events) {
                if (!isCompute(event.op) || event.iteration != 1) continue;
                const StageCosts& costs = first.costs.stages[static_cast<std::size_t>(event.stage)];
                QCOMPARE(event.duration_ns(), std::int64_t(std::llround(costs.duration_ns(event.op))));
            }
        const Program program = lower(makeSchedule("1f1b", config.params));
        const IterationSummary predicted = summarize(predict(program, first.costs), 0);
        QCOMPARE(second.bubble_of_total, predicted.bubble_of_total);
    }

    void aResumedRunGoesOnAsIfNothingHadHappened() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
        Run whole(tinyConfig("1f1b", 2, 4), no_observer);
        std::vector<double> expected = losses(whole, 6);
        Run first(tinyConfig("1f1b", 2, 4), no_observer);
        losses(first, 3);
        first.save(file);
        Run second(tinyConfig("1f1b", 2, 4), no_observer);
        losses(second, 1);  // somewhere else entirely
        second.load(file);
        QCOMPARE(second.nextIteration(), 3);
        const std::vector<double> resumed = losses(second, 3);
        QCOMPARE(resumed, std::vector<double>(expected.begin() + 3, expected.end()));
    }

    void aLoadedStateIsAnnounced() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
        EventCollector collector;
        Run run(tinyConfig(), collector);
        losses(run, 2);
        run.save(file);
        losses(run, 2);
        run.load(file);
        losses(run, 1);
        QCOMPARE(collector.starts.size(), std::size_t(2));
        QCOMPARE(collector.starts.back().iteration, 2);
        QCOMPARE(collector.reports.back().iteration, 2);
    }

    void aStateOfAnotherShapeIsRefused() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state.safetensors").toStdString();
        Run(tinyConfig(), no_observer).save(file);
        RunConfig other = tinyConfig();
        other.model.hidden = 64;
        Run run(other, no_observer);
        QVERIFY_THROWS_EXCEPTION(RunFailure, run.load(file));
        QVERIFY_THROWS_EXCEPTION(RunFailure, run.load(folder.filePath("nothing").toStdString()));
        QVERIFY_THROWS_EXCEPTION(RunFailure, run.save(folder.filePath("no/such/folder").toStdString()));
        run.iterate();
    }

    void aDumpHoldsWhatAReferenceNeeds() {
        QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "dump";
        Run run(tinyConfig("1f1b", 2, 4), no_observer);
        const IterationReport report = run.dump(path);
        const TensorFile initial = readTensors(path / "initial.safetensors"),
                         batch = readTensors(path / "batch.safetensors"),
                         gradients = readTensors(path / "gradients.safetensors"),
                         last = readTensors(path / "final.safetensors");
        QCOMPARE(batch.tensors.at("tokens").shape, (std::vector<std::size_t>{8, 16}));
        QCOMPARE(batch.tensors.at("targets").shape, (std::vector<std::size_t>{8, 16}));
        for (const char* name : {"tok_embedding.weight", "pos_embedding.weight", "blocks.7.attn.qkv.bias",
                                 "blocks.0.mlp.proj.weight", "ln_f.bias", "head.weight"}) {
            QCOMPARE(gradients.tensors.at(name).shape, initial.tensors.at(name).shape);
            QVERIFY(last.tensors.at(name) != initial.tensors.at(name));
        }
        QCOMPARE(initial.tensors.at("blocks.0.attn.qkv.weight").shape, (std::vector<std::size_t>{96, 32}));
        double squares = 0;
        for (const auto& [name, tensor] : gradients.tensors)
            for (const float value : std::get<std::vector<float>>(tensor.values))
                squares += double(value) * value;
        QVERIFY(std::abs(std::sqrt(squares) / report.grad_norm - 1) < 1e-9);  // before clipping
        std::ifstream config(path / "config.json");
        const std::string text{std::istreambuf_iterator<char>(config), {}};
        QVERIFY(text.find("\"schedule\": \"1f1b\"") != std::string::npos);
    }

    void allProblemsAreListedAndNothingChanges() {
        RunConfig bad = tinyConfig("1f1b", 2, 4);
        bad.model.heads = 5;
        bad.micro_batch = 0;
        bad.data_file = "/no/such/file";
        try {
            Run run(bad, no_observer);
            QFAIL("an illegal configuration was accepted");
        } catch (const ConfigError& error) {
            QCOMPARE(error.problems().size(), std::size_t{3});
        }
        Run run(tinyConfig("1f1b", 2, 4), no_observer);
        QCOMPARE(run.check(bad).size(), std::size_t{3});
        QVERIFY_THROWS_EXCEPTION(ConfigError, run.configure(bad));
        QCOMPARE(run.iterate().m, 4);
    }

    void aFileOfOnesOwnIsTrainedOn() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("text").toStdString();
        std::ofstream(file) << "too short";
        RunConfig config = tinyConfig();
        config.data_file = file.string();
        QCOMPARE(Run(tinyConfig(), no_observer).check(config).size(), std::size_t{1});
        std::ofstream(file) << std::string(200, 'x');
        Run run(config, no_observer);
        const std::vector<double> curve = losses(run, 30);
        QVERIFY(curve.back() < curve.front() - 1.5);
    }

    void abortingWhileAPipelineIsBuiltStopsItToo() {
        class Stopper : public RunObserver {
        public:
            Run* run = nullptr;
            void iterationStarted(const IterationStart&) override {
                if (starts++ == 0) run->abort(sentence("too early"));
            }
            int starts = 0;
        } stopper;
        Run run(tinyConfig(), stopper);
        stopper.run = &run;
        QVERIFY_THROWS_EXCEPTION(RunFailure, run.iterate());
        QCOMPARE(run.iterate().iteration, 0);
        QCOMPARE(stopper.starts, 2);  // what was reported before is void
    }

    void abortingStopsAnIterationAndTheNextOneRepeatsIt() {
        class Stopper : public RunObserver {
        public:
            Run* run = nullptr;
            void events(int, std::span<const Event>) override {
                if (run != nullptr) run->abort(sentence("stopped by the test"));
            }
        } stopper;
        Run whole(tinyConfig("1f1b", 2, 8), no_observer);
        Run run(tinyConfig("1f1b", 2, 8), stopper);
        QCOMPARE(run.iterate().loss, whole.iterate().loss);
        run.abort(sentence("nothing runs, so nothing stops"));
        stopper.run = &run;
        try {
            run.iterate();
            QFAIL("the iteration was not stopped");
        } catch (const RunFailure& failure) {
            QCOMPARE(std::string(failure.what()), std::string("stopped by the test"));
            QVERIFY(failure.what_to_do == sentence("Run again to go on with the same iteration."));
        }
        stopper.run = nullptr;
        QCOMPARE(run.nextIteration(), 1);
        QCOMPARE(run.iterate().loss, whole.iterate().loss);
    }

    // What a stream has begun is completed before it is saved; its messages are slow enough to be stopped on
    // their way.
    void abortingWhatIsSavedSaysThatTheWeightsBelongToNoIteration() {
        RunConfig config = tinyConfig("pipedream", 2, 4);
        config.clock = ClockChoice::Measured;
        config.link.latency_us = 20000;
        Run run(config, no_observer);
        run.iterate(100);
        QTemporaryDir folder;
        std::atomic<bool> is_saving = true;
        std::thread stopper([&] {
            while (is_saving) run.abort(sentence("stopped by the test"));
        });
        Sentence said, what_to_do;
        try {
            run.save(folder.filePath("state").toStdString());
        } catch (const RunFailure& failure) {
            said = failure.said;
            what_to_do = failure.what_to_do;
        }
        is_saving = false;
        stopper.join();
        QVERIFY(said == sentence("stopped by the test"));
        QVERIFY2(say(what_to_do, Language::English).find("belong to no iteration") != std::string::npos,
                 say(what_to_do, Language::English).c_str());
        QVERIFY(!QFile::exists(folder.filePath("state")));
        QVERIFY_THROWS_EXCEPTION(RunFailure, run.iterate());
    }
};

BUBBLESCOPE_TEST(TestRun)

}  // namespace tst_run

#include "tst_run.moc"
