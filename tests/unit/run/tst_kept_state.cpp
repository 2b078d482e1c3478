// The state that is kept every N iterations: the last whole one, and training goes on from it as if nothing
// had happened.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "model/safetensors.h"
#include "registered_test.h"
#include "run/checkpointer.h"
#include "run_fixture.h"

namespace tst_kept_state {

using namespace bscope;

class TestKeptState : public QObject {
    Q_OBJECT

    std::vector<std::string> sentences_;
    std::function<void(const Sentence&)> reported_ = [this](const Sentence& what) {
        sentences_.push_back(say(what, Language::English));
    };

private slots:
    void trainingGoesOnFromTheLastOne() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("deep/kept.safetensors").toStdString();
        RunObserver no_observer;
        Run run(tinyConfig(), no_observer);
        Checkpointer kept({2, file});
        QVERIFY(kept.resumeHint().empty());
        std::vector<double> losses;
        for (int i = 0; i < 5; ++i) {
            losses.push_back(run.iterate().loss);
            kept.afterIteration(run, reported_);
            QCOMPARE(std::filesystem::exists(file), i >= 1);
        }
        QCOMPARE(kept.keptBefore(), 4);
        QVERIFY(say(kept.resumeHint(), Language::English).find("--load " + file.string()) !=
                std::string::npos);
        Run again(tinyConfig("gpipe", 4, 4), no_observer);
        again.load(file);
        QCOMPARE(again.nextIteration(), 4);
        QCOMPARE(again.iterate().loss, losses[4]);
    }

    void whatCannotBeWrittenIsReportedAndLosesNothing() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("kept.safetensors").toStdString();
        RunObserver no_observer;
        Run run(tinyConfig(), no_observer);
        Checkpointer kept({1, file});
        run.iterate();
        kept.afterIteration(run, reported_);
        std::filesystem::create_directory(file.string() + ".part");  // where the next one is written
        const auto size = std::filesystem::file_size(file);
        for (int i = 0; i < 2; ++i) {
            run.iterate();
            kept.afterIteration(run, reported_);
            QVERIFY(kept.fails());
        }
        QCOMPARE(sentences_.size(), std::size_t{2});
        QVERIFY(sentences_.front().find("could not be saved") != std::string::npos);
        QCOMPARE(std::filesystem::file_size(file), size);
        QCOMPARE(kept.keptBefore(), 1);
        std::filesystem::remove(file.string() + ".part");
        run.iterate();
        kept.afterIteration(run, reported_);
        QVERIFY(!kept.fails());
        QCOMPARE(kept.keptBefore(), 4);
    }

    // Diverging training ends, and what it has become is never written over what was kept.
    void theLastFiniteStateStays() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("kept.safetensors").toStdString();
        for (const char* schedule : {"1f1b", "pipedream"}) {
            RunConfig config = tinyConfig(schedule, 2, 4);
            struct : RunObserver {
                void iterationFinished(const IterationReport& report) override { last = report; }
                IterationReport last;
            } observer;
            Run run(config, observer);
            Checkpointer kept({1, file});
            run.iterate();
            kept.afterIteration(run, reported_);
            QCOMPARE(kept.keptBefore(), 1);
            config.training.learning_rate = 1e38;
            config.training.clip_norm = 0;
            run.configure(config);
            std::string sentence;
            for (int i = 0; i < 5 && sentence.empty(); ++i) {
                try {
                    run.iterate();
                    kept.afterIteration(run, reported_);
                } catch (const RunFailure& failure) {
                    sentence = failure.what();
                }
            }
            QVERIFY2(sentence.starts_with("The training has diverged: "), sentence.c_str());
            QVERIFY(!std::isfinite(observer.last.loss) || !std::isfinite(observer.last.grad_norm));
            QVERIFY_THROWS_EXCEPTION(RunFailure, run.save(folder.filePath("other").toStdString()));
            QVERIFY(!std::filesystem::exists(folder.filePath("other").toStdString()));
            for (const auto& [name, tensor] : readTensors(file).tensors)
                for (const float value : std::get<std::vector<float>>(tensor.values))
                    QVERIFY2(std::isfinite(value), name.c_str());
        }
    }

    // As a window does with a fresh engine.
    void aChangeOfShapeHoldsBeforeAStateIsLoaded() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state").toStdString();
        RunConfig larger = tinyConfig();
        larger.model.hidden = 64;
        RunObserver no_observer;
        Run run(larger, no_observer);
        run.iterate();
        run.save(file);
        Run fresh(tinyConfig(), no_observer);
        QVERIFY(fresh.configure(larger));
        fresh.load(file);
        QCOMPARE(fresh.nextIteration(), 1);
        QCOMPARE(fresh.iterate().loss, run.iterate().loss);
    }

    void itLiesBesideTheRecording() {
        QCOMPARE(keptStateFile("a/run.bscope").string(), std::string("a/run.state.safetensors"));
        qputenv("XDG_STATE_HOME", "/somewhere");
        QVERIFY(keptStateFile({}).string().starts_with("/somewhere/bubblescope/kept-"));
    }
};

BUBBLESCOPE_TEST(TestKeptState)

}  // namespace tst_kept_state

#include "tst_kept_state.moc"
