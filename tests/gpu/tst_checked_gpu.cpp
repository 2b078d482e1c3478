// The plugin as it is built for GPUs, over a CUDA that refuses what its documents forbid: the operations of
// the selftest, tracing, CUDA graphs and links. The numbers are right, and no rule is broken.
#include <cublasLt.h>

#include <QTest>
#include <new>

#include "checked_gpu.h"
#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/gpu_event.h"
#include "registered_test.h"
#include "selftest/gpu_checks.h"
#include "selftest/link_checks.h"
#include "selftest/op_checks.h"
#include "setting.h"

namespace tst_checked_gpu {

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

// Floats on a GPU.
class Numbers {
public:
    Numbers(Device& device, const std::vector<float>& values)
        : device_(device), buffer_(device, values.size() * sizeof(float)) {
        device.copy(buffer_.as<void>(), values.data(), buffer_.bytes());
    }
    Operand at() const { return Operand(buffer_.as<float>()); }
    std::vector<float> read() const {
        std::vector<float> values(buffer_.bytes() / sizeof(float));
        device_.copy(values.data(), buffer_.as<void>(), buffer_.bytes());
        return values;
    }

private:
    Device& device_;
    Buffer buffer_;
};

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
        ops->run(LinearForward{.y = at(c),
                               .x = at(a),
                               .weight = at(b),
                               .bias = at(a),
                               .residual = nullptr,
                               .rows = n,
                               .in = n,
                               .out = n});
        ops->run(LinearGeluForward{.y = at(c),
                                   .hidden = at(d),
                                   .x = at(a),
                                   .weight = at(b),
                                   .bias = at(a),
                                   .rows = n,
                                   .in = n,
                                   .out = n});
        ops->run(LinearGeluBackwardInput{.d_hidden = at(c),
                                         .work = at(b),
                                         .dy = at(a),
                                         .weight = at(a),
                                         .hidden = at(d),
                                         .rows = n,
                                         .in = n,
                                         .out = n});
        ops->run(LinearBackwardWeight{.d_weight = d.as<float>(),
                                      .d_bias = b.as<float>(),
                                      .dy = at(a),
                                      .x = at(c),
                                      .rows = n,
                                      .in = n,
                                      .out = n});
        stream->synchronize();
        QCOMPARE(fusedForms(*ops).fused, fused);
        QCOMPARE(fusedForms(*ops).fused | fusedForms(*ops).apart,
                 std::uint32_t{BSCOPE_FUSED_BIAS | BSCOPE_FUSED_BIAS_GELU | BSCOPE_FUSED_GELU_BACKWARD |
                               BSCOPE_FUSED_BIAS_BACKWARD});
    }

    // Fails when a form that cublasLtMatmul alone refuses is not done apart (matmul.cpp, tryRun).
    void whatIsRefusedIsDoneApart_data() {
        QTest::addColumn<QByteArray>("when");
        QTest::newRow("by the heuristic") << QByteArray("BSCOPE_FAKE_REFUSE");
        QTest::newRow("by the product") << QByteArray("BSCOPE_FAKE_REFUSE_LATE");
    }
    void whatIsRefusedIsDoneApart() {
        QFETCH(QByteArray, when);
        const Setting refused(when.constData(), QByteArray::number(CUBLASLT_EPILOGUE_BIAS));
        const auto device = makeCudaDevice(CudaPlugin::load(), 0, Precision::Fp32);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        const Numbers x(*device, {1, 2, 3, 4}), weight(*device, {1, 0, 0, 1}), bias(*device, {10, 20}),
            y(*device, {0, 0, 0, 0});
        for (int again = 0; again < 2; ++again)
            ops->run(LinearForward{.y = y.at(),
                                   .x = x.at(),
                                   .weight = weight.at(),
                                   .bias = bias.at(),
                                   .residual = nullptr,
                                   .rows = 2,
                                   .in = 2,
                                   .out = 2});
        stream->synchronize();
        QVERIFY(y.read() == std::vector<float>({11, 22, 13, 24}));
        QCOMPARE(fusedForms(*ops).apart, std::uint32_t{BSCOPE_FUSED_BIAS});
        QCOMPARE(fusedForms(*ops).fused, std::uint32_t{0});
    }

    // Fails when INVALID_VALUE is taken for a form that cuBLASLt does not have.
    void aMistakeOfOursIsNotSwallowed() {
        const Setting invalid("BSCOPE_FAKE_INVALID", QByteArray::number(CUBLASLT_EPILOGUE_BIAS));
        const auto device = makeCudaDevice(CudaPlugin::load(), 0, Precision::Fp32);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        const Numbers x(*device, {1, 2, 3, 4});
        QVERIFY_THROWS_EXCEPTION(DeviceError, ops->run(LinearForward{.y = x.at(),
                                                                     .x = x.at(),
                                                                     .weight = x.at(),
                                                                     .bias = x.at(),
                                                                     .residual = nullptr,
                                                                     .rows = 2,
                                                                     .in = 2,
                                                                     .out = 2}));
        stream->synchronize();
    }

    // cuBLASLt says of a GPU that a kernel's fault has killed only that something failed. Fails when its word
    // is taken for the cause: then "run again" would be the advice.
    void aFaultIsReportedAsTheCauseOfWhatALibraryCannotDo() {
        bool is_lost = false;
        QByteArray text;
        {
            const auto device = makeCudaDevice(CudaPlugin::load(), 0, Precision::Fp32);
            device->prepareThread();
            const auto stream = device->makeStream();
            const auto ops = device->makeOps(*stream);
            const Numbers x(*device, {1, 2, 3, 4}), y(*device, {0, 0, 0, 0});
            const Setting fault("BSCOPE_FAKE_FAULT_BEFORE_PRODUCT", "1");
            try {
                ops->run(LinearForward{.y = y.at(),
                                       .x = x.at(),
                                       .weight = x.at(),
                                       .bias = x.at(),
                                       .residual = nullptr,
                                       .rows = 2,
                                       .in = 2,
                                       .out = 2});
            } catch (const DeviceError& error) {
                is_lost = error.gpu_is_lost;
                text = error.what();
            }
        }
        fake_cuda_restart();
        QVERIFY2(is_lost && text.contains("an illegal memory access") && text.contains("cuBLASLt"), text);
    }

    // Fails when a question whose answer is "not yet", or memory that is not there, leaves its error behind.
    void noErrorIsLeftToTheNextLaunch() {
        const auto plugin = CudaPlugin::load();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        const Numbers x(*device, std::vector<float>(64, 1.0F));
        GpuEvent event(plugin->api(), cudaDeviceOf(*device));
        bool waited = false;
        for (int i = 0; i < 50; ++i) {
            for (int k = 0; k < 20; ++k) ops->run(Add{.y = x.at().fp32(), .x = x.at().fp32(), .count = 64});
            event.record(cudaStreamOf(*stream));
            waited = !event.done() || waited;
        }
        QVERIFY(waited);
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, device->allocate(std::size_t{1} << 40));
        ops->run(Add{.y = x.at().fp32(), .x = x.at().fp32(), .count = 64});
        stream->synchronize();
    }

    // A graph that runs may go; fails when the fake frees what it does with it.
    void aGraphGoesWhileItRuns() {
        const auto plugin = CudaPlugin::load();
        const BscopePlugin& api = plugin->api();
        const auto device = makeCudaDevice(plugin, 0, Precision::Fp32);
        device->prepareThread();
        const auto stream = device->makeStream();
        const auto ops = device->makeOps(*stream);
        const Numbers x(*device, std::vector<float>(64, 1.0F)), y(*device, std::vector<float>(64, 2.0F));
        ops->run(Add{.y = y.at().fp32(), .x = x.at().fp32(), .count = 64});  // loads the kernel
        BscopeOps* raw = nullptr;
        check(api.ops_open(cudaStreamOf(*stream), BSCOPE_FP32, &raw));
        check(api.graph_begin(cudaStreamOf(*stream)));
        const BscopeAdd add{.y = y.at().fp32(), .x = x.at().fp32(), .count = 64};
        check(api.op_add(raw, &add));
        BscopeGraph* graph = nullptr;
        check(api.graph_end(cudaStreamOf(*stream), &graph));
        for (int i = 0; i < 40; ++i) check(api.graph_launch(graph, cudaStreamOf(*stream)));
        api.graph_close(graph);
        stream->synchronize();
        api.ops_close(raw);
        QVERIFY(y.read() == std::vector<float>(64, 43.0F));
    }

    // Fails when stop() disables what is disabled already.
    void aTracerIsStoppedAsOftenAsAnyoneLikes() {
        const auto plugin = CudaPlugin::load();
        const BscopePlugin& api = plugin->api();
        check(api.trace_start());
        check(api.trace_start());
        for (int i = 0; i < 4; ++i) check(api.trace_stop());
        check(api.trace_start());
        check(api.trace_stop());
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

BUBBLESCOPE_TEST(TestCheckedGpu)

}  // namespace tst_checked_gpu

#include "tst_checked_gpu.moc"
