// bscope compare --fail-above: the exit status of a slowdown, and of what is none.
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "bscope_process.h"
#include "played_run.h"
#include "registered_test.h"

namespace tst_compare {

using namespace bscope;

class TestCompare : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString before_ = folder_.filePath("before.bscope"), after_ = folder_.filePath("after.bscope");

private slots:
    // Every operation of the second run takes a tenth longer.
    void initTestCase() {
        RunConfig config;
        config.params = {2, 1, 4, 0};
        config.micro_batch = 1;
        config.model = {4, 32, 2, 16, 256};
        recordPlayed(before_, config, 6);
        recordPlayed(after_, config, 6, [](Costs& costs) {
            for (StageCosts& stage : costs.stages) stage.forward_ns *= 1.1, stage.backward_ns *= 1.1;
        });
    }

    void aSlowdownAboveTheLimitFails() {
        const Outcome slower = bscopeRun({"compare", before_, after_, "--fail-above", "3"});
        QCOMPARE(slower.code, 1);
        QVERIFY2(slower.errors.contains("--fail-above allows 3 %"), slower.errors);
        QVERIFY(slower.out.contains("B - A"));
        QCOMPARE(bscopeRun({"compare", before_, after_, "--fail-above", "50"}).code, 0);
        QCOMPARE(bscopeRun({"compare", before_, after_}).code, 0);
    }

    void whatIsQuickerOrTheSamePasses() {
        QCOMPARE(bscopeRun({"compare", after_, before_, "--fail-above", "0"}).code, 0);
        QCOMPARE(bscopeRun({"compare", before_, before_, "--fail-above", "0"}).code, 0);
    }

    // Rank 1 of p = 2 holds the last stage, of p = 2 and t = 2 the second half of the first one.
    void ranksOfOtherShardsAreNotCompared() {
        RunConfig config;
        config.params = {2, 1, 4, 0};
        config.params.t = 2;
        config.micro_batch = 1;
        config.model = {4, 32, 2, 16, 256};
        const QString sharded = folder_.filePath("sharded.bscope");
        recordPlayed(sharded, config, 2);
        const Outcome beside = bscopeRun({"compare", before_, sharded});
        QCOMPARE(beside.code, 0);
        QVERIFY2(beside.out.contains("Ranks are not compared one by one"), beside.out);
        QVERIFY2(!beside.out.contains("rank 1 busy"), beside.out);
        QVERIFY(bscopeRun({"compare", before_, after_}).out.contains("rank 1 busy"));
        const auto json =
            nlohmann::json::parse(bscopeRun({"compare", before_, sharded, "--json"}).out.toStdString());
        QCOMPARE(json["difference"]["ranks"].size(), 0U);
        QCOMPARE(json["b"]["t"].get<int>(), 2);
        QCOMPARE(json["b"]["ranks"].size(), 4U);
    }

    // An operation of a shard is no operation of a whole stage; replicas run the same, and one is taken.
    void costsAreOfTheShardsThatRan() {
        RunConfig config;
        config.params = {2, 1, 4, 0};
        config.params.t = config.params.d = 2;
        config.micro_batch = 1;
        config.model = {4, 32, 2, 16, 256};
        const QString run = folder_.filePath("shards.bscope"), kept = folder_.filePath("costs.json");
        recordPlayed(run, config, 2);
        const auto tOf = [](const QString& file) {
            const Outcome outcome = bscopeRun({"schedule", "gpipe", "--costs-from", file, "--json"});
            return outcome.code == 0 ? nlohmann::json::parse(outcome.out.toStdString()).value("t", 1) : 0;
        };
        QCOMPARE(tOf(run), 2);
        QCOMPARE(bscopeRun({"import", run, "--replica", "0", "--save-costs", kept}).code, 0);
        QCOMPARE(tOf(kept), 2);
        for (const QString& file : {run, kept}) {
            const Outcome other = bscopeRun({"schedule", "gpipe", "-t", "1", "--costs-from", file});
            QCOMPARE(other.code, 2);
            QVERIFY2(other.errors.contains("-t 1 needs durations of other shards"), other.errors);
            QVERIFY2(other.errors.contains("legal: -t 2"), other.errors);
        }
        QCOMPARE(tOf(before_), 1);
    }

    void oneIterationEachIsComparedAsItIs() {
        QCOMPARE(bscopeRun({"compare", before_, after_, "--iterations", "2,2", "--fail-above", "3", "--json"})
                     .code,
                 1);
        const Outcome illegal = bscopeRun({"compare", before_, after_, "--fail-above", "-1"});
        QCOMPARE(illegal.code, 2);
        QVERIFY2(illegal.errors.contains("from 0 on"), illegal.errors);
    }
};

BUBBLESCOPE_TEST(TestCompare)

}  // namespace tst_compare

#include "tst_compare.moc"
