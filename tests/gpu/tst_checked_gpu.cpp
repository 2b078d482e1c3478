// The plugin as it is built for GPUs, over a CUDA that refuses what its documents forbid: the operations of
// the selftest, tracing, CUDA graphs and links. The numbers are right, and no rule is broken.
#include <QTest>

#include "checked_gpu.h"
#include "kernels/plugin/cuda_device.h"
#include "selftest/gpu_checks.h"
#include "selftest/link_checks.h"
#include "selftest/op_checks.h"
#include "setting.h"

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

    // GELU within a product is tried where it pays; and what is named, is tried alone.
    void formsOfProductsAreChosen_data() {
        QTest::addColumn<QByteArray>("major");
        QTest::addColumn<QByteArray>("named");
        QTest::addColumn<std::uint32_t>("fused");
        const std::uint32_t bias = BSCOPE_FUSED_BIAS | BSCOPE_FUSED_BIAS_BACKWARD;
        QTest::newRow("sm_90") << QByteArray("9") << QByteArray()
                               << (bias | BSCOPE_FUSED_BIAS_GELU | BSCOPE_FUSED_GELU_BACKWARD);
        QTest::newRow("sm_80") << QByteArray("8") << QByteArray() << bias;
        QTest::newRow("named") << QByteArray("8") << QByteArray("gelu-backward,bias")
                               << std::uint32_t{BSCOPE_FUSED_BIAS | BSCOPE_FUSED_GELU_BACKWARD};
        QTest::newRow("none") << QByteArray("9") << QByteArray("none") << std::uint32_t{0};
    }
    void formsOfProductsAreChosen() {
        QFETCH(QByteArray, major);
        QFETCH(QByteArray, named);
        QFETCH(std::uint32_t, fused);
        const Setting gpu("BSCOPE_FAKE_MAJOR", major);
        if (!named.isEmpty()) qputenv("BSCOPE_FUSED", named);
        const auto device = makeCudaDevice(CudaPlugin::load(), 0, Precision::Bf16);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        qunsetenv("BSCOPE_FUSED");
        const std::size_t n = 8;
        const Buffer a(*device, n * n * 4), b(*device, n * n * 4), c(*device, n * n * 4),
            d(*device, n * n * 4);
        for (const Buffer* each : {&a, &b, &c, &d}) device->fillZero(each->as<void>(), each->bytes());
        const auto at = [](const Buffer& buffer) { return Operand(buffer.as<void>(), Precision::Bf16); };
        ops->linear_forward(at(c), at(a), at(b), at(a), nullptr, n, n, n);
        ops->linear_gelu_forward(at(c), at(d), at(a), at(b), at(a), n, n, n);
        ops->linear_gelu_backward_input(at(c), at(b), at(a), at(a), at(d), n, n, n);
        ops->linear_backward_weight(d.as<float>(), b.as<float>(), at(a), at(c), n, n, n);
        stream->synchronize();
        QCOMPARE(fusedForms(*ops).fused, fused);
        QCOMPARE(fusedForms(*ops).fused | fusedForms(*ops).apart,
                 std::uint32_t{BSCOPE_FUSED_BIAS | BSCOPE_FUSED_BIAS_GELU | BSCOPE_FUSED_GELU_BACKWARD |
                               BSCOPE_FUSED_BIAS_BACKWARD});
    }

    void aFormThatDoesNotExistIsNamed() {
        const Setting wrong("BSCOPE_FUSED", "bias,gelu");
        const auto device = makeCudaDevice(CudaPlugin::load(), 0, Precision::Bf16);
        const auto stream = device->makeStream();
        try {
            device->makeOps(*stream);
            QFAIL("it was taken");
        } catch (const DeviceError& error) {
            QVERIFY2(QByteArray(error.what()).contains("BSCOPE_FUSED names \"gelu\""), error.what());
        }
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
