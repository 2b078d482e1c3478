// Work on all cores: each part once, whatever the number of parts and of cores, and a model's first weights
// are the same numbers.
#include <sched.h>

#include <QTest>
#include <atomic>
#include <vector>

#include "host/all_cores.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "registered_test.h"

namespace tst_all_cores {

using namespace bscope;

namespace {

// For the calling thread and those that it starts, while this lives.
class OneCore {
public:
    OneCore() {
        sched_getaffinity(0, sizeof(before_), &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        sched_setaffinity(0, sizeof(one), &one);
    }
    ~OneCore() { sched_setaffinity(0, sizeof(before_), &before_); }

private:
    cpu_set_t before_;
};

void everyPartIsDoneOnce(std::size_t parts) {
    std::vector<std::atomic<int>> done(parts);
    onAllCores(parts, [&](std::size_t part) { ++done[part]; });
    for (const auto& each : done) QCOMPARE(each.load(), 1);
}

// Of a block's products, so many that several threads draw them.
std::vector<float> firstWeights() {
    const auto device = makeCpuDevice();
    const Model model(*device, {.L = 1, .C = 256, .heads = 4, .T = 8, .V = 64}, 7);
    std::vector<float> all;
    for (std::size_t layer = 0; layer < model.layerCount(); ++layer)
        for (std::size_t i = 0; i < model.layer(layer).parameters().size(); ++i) {
            const std::vector<float> values = model.read(layer, i, TensorKind::Weight);
            all.insert(all.end(), values.begin(), values.end());
        }
    return all;
}

}  // namespace

class TestAllCores : public QObject {
    Q_OBJECT

private slots:
    void everyPartIsDoneOnceByTheThreadsThereAre() {
        for (const std::size_t parts : {0u, 1u, 2u, 3u, 1000u}) everyPartIsDoneOnce(parts);
        const OneCore one;
        for (const std::size_t parts : {0u, 1u, 1000u}) everyPartIsDoneOnce(parts);
    }

    void weightsDoNotDependOnTheCores() {
        const std::vector<float> by_all = firstWeights();
        const OneCore one;
        QCOMPARE(firstWeights(), by_all);
    }

    void aNewModelHasNoGradientsAndMoments() {
        const auto device = makeCpuDevice();
        const Model model(*device, {.L = 1, .C = 32, .heads = 2, .T = 8, .V = 64}, 7);
        for (const TensorKind kind : {TensorKind::Gradient, TensorKind::AdamM, TensorKind::AdamV})
            for (const float value : model.read(1, 2, kind)) QCOMPARE(value, 0.0F);
    }
};

BUBBLESCOPE_TEST(TestAllCores)

}  // namespace tst_all_cores

#include "tst_all_cores.moc"
