// bscope selftest: passes on the CPU, and without a GPU says so and fails.
#include <QTest>

#include "bscope_process.h"
#include "registered_test.h"

namespace tst_selftest {

using namespace bscope;

class TestSelftest : public QObject {
    Q_OBJECT

private slots:
    void theCpuPasses() {
        const auto outcome = bscopeRun({"selftest", "--device", "cpu"});
        QVERIFY2(outcome.code == 0, outcome.out + outcome.errors);
        for (const char* check : {"matmul TN", "attention_backward, in place d=128", "embedding_backward",
                                  "softmax_cross_entropy", "adamw_step", "network: gradients", ", 0 failed"})
            QVERIFY2(outcome.out.contains(check), check);
        QVERIFY(!outcome.out.contains("FAILED"));
        QVERIFY(outcome.out.count('\n') < 60);  // one page
    }

    void withoutAPluginItSaysSo() {
        qputenv("BSCOPE_CUDA_PLUGIN", "/no/such/plugin.so");
        const auto outcome = bscopeRun({"selftest", "--device", "cuda"});
        qunsetenv("BSCOPE_CUDA_PLUGIN");
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.errors.contains("/no/such/plugin.so is not there"), outcome.errors);
    }

    void clocksAreComparedOnCpusAlone() {
        const auto gpu = bscopeRun({"selftest", "--clocks", "--device", "cuda"});
        QCOMPARE(gpu.code, 2);
        QVERIFY2(gpu.errors.contains("leave out --device cuda"), gpu.errors);
        const auto json = bscopeRun({"selftest", "--json"});
        QCOMPARE(json.code, 2);
        QVERIFY2(json.errors.contains("--json belongs to --clocks"), json.errors);
    }

    void aDeviceThatDoesNotExistIsRefused() {
        const auto outcome = bscopeRun({"selftest", "--device", "tpu"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.errors.contains("cpu, cuda"), outcome.errors);
    }
};

BUBBLESCOPE_TEST(TestSelftest)

}  // namespace tst_selftest

#include "tst_selftest.moc"
