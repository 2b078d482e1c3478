// The state that is kept every N iterations: the last whole one, and training goes on from it as if nothing
// had happened.
#include <QTemporaryDir>
#include <QtTest>

#include "run/kept_state.h"
#include "run_fixture.h"

using namespace bscope;

class TestKeptState : public QObject {
    Q_OBJECT

private slots:
    void trainingGoesOnFromTheLastOne() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("deep/kept.safetensors").toStdString();
        RunObserver nobody;
        Run run(tinyConfig(), nobody);
        KeptState kept({2, file});
        QVERIFY(kept.wayOn().empty());
        std::vector<double> losses;
        for (int i = 0; i < 5; ++i) {
            losses.push_back(run.iterate().loss);
            kept.afterIteration(run);
            QCOMPARE(std::filesystem::exists(file), i >= 1);
        }
        QCOMPARE(kept.keptBefore(), 4);
        QVERIFY(kept.wayOn().find("--load " + file.string()) != std::string::npos);
        Run again(tinyConfig("gpipe", 4, 4), nobody);
        again.load(file);
        QCOMPARE(again.nextIteration(), 4);
        QCOMPARE(again.iterate().loss, losses[4]);
    }

    void whatCannotBeWrittenIsToldAndLosesNothing() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("kept.safetensors").toStdString();
        RunObserver nobody;
        Run run(tinyConfig(), nobody);
        KeptState kept({1, file});
        run.iterate();
        kept.afterIteration(run);
        std::filesystem::create_directory(file.string() + ".part");  // where the next one is written
        const auto size = std::filesystem::file_size(file);
        run.iterate();
        QVERIFY_THROWS_EXCEPTION(RunFailure, kept.afterIteration(run));
        QCOMPARE(std::filesystem::file_size(file), size);
        QCOMPARE(kept.keptBefore(), 1);
    }

    // As a window does with a fresh engine.
    void aChangeOfShapeHoldsBeforeAStateIsLoaded() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("state").toStdString();
        RunConfig larger = tinyConfig();
        larger.model.hidden = 64;
        RunObserver nobody;
        Run run(larger, nobody);
        run.iterate();
        run.save(file);
        Run fresh(tinyConfig(), nobody);
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

QTEST_GUILESS_MAIN(TestKeptState)
#include "tst_kept_state.moc"
