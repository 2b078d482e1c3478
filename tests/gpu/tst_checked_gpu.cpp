// The plugin as it is built for GPUs, over a CUDA that refuses what its documents forbid: the operations of
// the selftest, tracing, CUDA graphs and links. The numbers are right, and no rule is broken.
#include <QTest>

#include "checked_gpu.h"
#include "kernels/plugin/cuda_device.h"
#include "selftest/gpu_checks.h"
#include "selftest/link_checks.h"
#include "selftest/op_checks.h"

using namespace bscope;

namespace {

QByteArray failures(const std::vector<Check>& checks) {
    QByteArray failed;
    for (const Check& check : checks)
        if (!check.passed())
            failed +=
                (check.name + ": error " + std::to_string(check.error) + " " + check.failure + "\n").c_str();
    return failed;
}

}  // namespace

class TestCheckedGpu : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { useCheckedGpus("2"); }
    void init() { brokenRules(); }
    void cleanup() {
        const QByteArray broken = brokenRules();
        QVERIFY2(broken.isEmpty(), broken);
    }

    void theSelftestPasses_data() {
        QTest::addColumn<bool>("bf16");
        QTest::newRow("fp32") << false;
        QTest::newRow("bf16") << true;
    }
    void theSelftestPasses() {
        QFETCH(bool, bf16);
        const auto plugin = CudaPlugin::load();
        const auto device = makeCudaDevice(plugin, 0, bf16 ? Precision::Bf16 : Precision::Fp32);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        const QByteArray failed = failures(checkOps(*device, *stream, *ops, {.bf16 = bf16}));
        QVERIFY2(failed.isEmpty(), failed);
    }

    void tracingMemoryAndLinksPass() {
        const auto plugin = CudaPlugin::load();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        device->prepareThread();
        const auto tracing = keepTracing(*plugin);
        QByteArray failed = failures(checkGpu(*plugin, *device));
        failed += failures(checkLinks(plugin));
        QVERIFY2(failed.isEmpty(), failed);
    }
};

QTEST_GUILESS_MAIN(TestCheckedGpu)
#include "tst_checked_gpu.moc"
