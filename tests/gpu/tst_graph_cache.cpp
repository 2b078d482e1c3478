// Sequences of operations as graphs, on the emulated GPU: which call of the driver is made when, and that the
// numbers are those of the single operations.
#include <QTest>

#include "emulated_run.h"
#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/cuda_ops.h"
#include "kernels/plugin/error_text.h"
#include "registered_test.h"

namespace tst_graph_cache {

using namespace bscope;

namespace {

int launches = 0, adds = 0, failing_add = 0;  // since the start of the test; the n-th add fails

decltype(BscopePlugin::graph_launch) real_launch = nullptr;
decltype(BscopePlugin::op_add) real_add = nullptr;

// The plugin's table with two entries that count.
BscopePlugin counting(const BscopePlugin& plugin) {
    BscopePlugin table = plugin;
    real_launch = plugin.graph_launch;
    real_add = plugin.op_add;
    table.graph_launch = [](BscopeGraph* graph, BscopeStream* stream) {
        ++launches;
        return real_launch(graph, stream);
    };
    table.op_add = [](BscopeOps* its_ops, const BscopeAdd* operation) -> BscopeError {
        return ++adds == failing_add ? lastError("no add today") : real_add(its_ops, operation);
    };
    return table;
}

}  // namespace

class TestGraphCache : public QObject {
    Q_OBJECT

    std::shared_ptr<const CudaPlugin> plugin;
    BscopePlugin table{};
    std::unique_ptr<Device> device;
    std::unique_ptr<Stream> stream;
    std::unique_ptr<CudaOps> ops;
    Buffer x, y;

    // y += x, three times.
    void addThrice(std::size_t count) {
        ops->together([&] {
            for (int i = 0; i < 3; ++i) ops->run(Add{.y = y.as<float>(), .x = x.as<float>(), .count = count});
        });
    }
    std::vector<float> values() {
        std::vector<float> result(8);
        stream->synchronize();
        device->copy(result.data(), y.as<void>(), y.bytes());
        return result;
    }

private slots:
    void initTestCase() {
        useEmulatedGpus("1");
        plugin = CudaPlugin::load();
        table = counting(plugin->api());
        device = makeCudaDevice(plugin, 0, Precision::Fp32);
    }
    void init() {
        launches = adds = failing_add = 0;
        stream = device->makeStream();
        ops = std::make_unique<CudaOps>(table, cudaStreamOf(*stream), Precision::Fp32);
        x = Buffer(*device, 8 * sizeof(float));
        y = Buffer(*device, 8 * sizeof(float));
        const std::vector<float> ones(8, 1.0F);
        device->copy(x.as<void>(), ones.data(), x.bytes());
        device->fillZero(y.as<void>(), y.bytes());
    }
    void cleanup() {
        stream->synchronize();
        ops.reset();
    }

    void theThirdTimeIsOneCall() {
        addThrice(8);
        QCOMPARE(std::pair(adds, launches), std::pair(3, 0));
        addThrice(8);
        QCOMPARE(std::pair(adds, launches), std::pair(6, 1));
        addThrice(8);
        QCOMPARE(std::pair(adds, launches), std::pair(6, 2));
        QCOMPARE(values(), std::vector<float>(8, 9.0F));
        ops->run(Add{.y = y.as<float>(), .x = x.as<float>(), .count = 8});  // by itself it is no graph
        QCOMPARE(std::pair(adds, launches), std::pair(7, 2));
        QCOMPARE(values(), std::vector<float>(8, 10.0F));
    }

    void otherArgumentsAreAnotherSequence() {
        for (int i = 0; i < 3; ++i) addThrice(8);
        addThrice(4);
        QCOMPARE(std::pair(adds, launches), std::pair(9, 2));
        std::vector<float> expected(8, 9.0F);
        for (std::size_t i = 0; i < 4; ++i) expected[i] = 12.0F;
        QCOMPARE(values(), expected);
    }

    void whatFailsWhileItIsMadeFails() {
        addThrice(8);
        failing_add = 5;
        try {
            addThrice(8);
            QFAIL("it was made");
        } catch (const DeviceError& error) {
            QCOMPARE(error.what(), "no add today");
        }
        QCOMPARE(values(), std::vector<float>(8, 3.0F));  // nothing of it was done
        addThrice(8);
        QCOMPARE(launches, 1);
        QCOMPARE(values(), std::vector<float>(8, 6.0F));
    }

    void anExceptionBeforeLeavesNothing() {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, ops->together([&] {
            ops->run(Add{.y = y.as<float>(), .x = x.as<float>(), .count = 8});
            throw std::runtime_error("the stage refuses");
        }));
        QCOMPARE(adds, 0);
        ops->run(Add{.y = y.as<float>(), .x = x.as<float>(), .count = 8});
        QCOMPARE(values(), std::vector<float>(8, 1.0F));
    }

    void whatIsNeverTheSameIsForgotten() {
        for (int i = 0; i < 3; ++i) addThrice(8);
        const Buffer many(*device, 8192 * sizeof(float));
        for (std::size_t i = 1; i <= 4096; ++i)
            ops->together([&] { ops->run(FillZero{.x = many.as<float>(), .count = i}); });
        QCOMPARE(std::pair(adds, launches), std::pair(6, 2));
        addThrice(8);
        QCOMPARE(std::pair(adds, launches), std::pair(9, 2));
        QCOMPARE(values(), std::vector<float>(8, 12.0F));
    }
};

BUBBLESCOPE_TEST(TestGraphCache)

}  // namespace tst_graph_cache

#include "tst_graph_cache.moc"
