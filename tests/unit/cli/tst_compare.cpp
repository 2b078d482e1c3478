// bscope compare --fail-above: the exit status of a slowdown, and of what is none.
#include <QTemporaryDir>
#include <QTest>

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

    void oneIterationEachIsComparedAsItIs() {
        QCOMPARE(bscopeRun({"compare", before_, after_, "--iterations", "1,1", "--fail-above", "3", "--json"})
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
