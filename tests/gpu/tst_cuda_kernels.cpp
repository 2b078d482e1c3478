// Every kernel of the CUDA plugin, run on the CPU by the emulation, against the double-precision reference;
// and that the emulation notices what a GPU would not forgive.
#include <QDir>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "emulated_ops.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/plugin/error_text.h"
#include "registered_test.h"
#include "selftest/op_checks.h"

namespace tst_cuda_kernels {

using namespace bscope;

namespace {

using namespace cuda;

__global__ void divergentBarrier(int* reached) {
    if (threadIdx.x == 0) return;
    ++*reached;
    if (threadIdx.x % 2 == 0) *reached += __shfl_sync(kAllLanes, 1, 0);
}

__global__ void twoBarriers(int* reached) {
    ++*reached;
    if (threadIdx.x < kWarp)
        __syncthreads();
    else
        __syncthreads();
}

__global__ void twoShuffles(float* to) {
    *to = threadIdx.x % 2 == 0 ? warp_max(1.0F) : warp_max(2.0F) + __shfl_sync(kAllLanes, 1.0F, 0);
}

__global__ void halfAWarp(float* to) {
    *to = __shfl_xor_sync(0xffffU, 1.0F, 1);
}

// Every block leaves the next one a number in its shared memory, and says what it found there.
__global__ void readsBeforeItWrites(float* found) {
    __shared__ float left[kWarp];
    uninitialised(left);
    if (threadIdx.x == 0) found[blockIdx.x] = left[0];
    __syncthreads();
    left[threadIdx.x] = 1.0F;
}

__global__ void whoComes(unsigned* order, unsigned* next) {
    order[(*next)++] = blockIdx.x + blockIdx.y * gridDim.x;
}

__global__ void misalignedLoad(const std::uint16_t* memory, std::uint32_t* to) {
    *to = load_pair(memory + 1);
}

__global__ void productOfOnes(float* to) {
    const std::uint32_t one = pack_bf16(1.0F, 1.0F);
    const std::uint32_t a[4] = {one, one, one, one}, b[2] = {one, one};
    float c[4] = {};
    mma_16x8x16(c, a, b);
    for (int i = 0; i < 4; ++i) to[threadIdx.x * 4 + static_cast<unsigned>(i)] = c[i];
}

}  // namespace

class TestCudaKernels : public QObject {
    Q_OBJECT

private slots:
    void everyKernelAgainstTheReference_data() {
        QTest::addColumn<bool>("bf16");
        QTest::newRow("fp32") << false;
        QTest::newRow("bf16") << true;
    }

    void everyKernelAgainstTheReference() {
        QFETCH(bool, bf16);
        const auto device = makeCpuDevice();
        const auto stream = device->makeStream();
        EmulatedOps ops(bf16);
        const auto checks = checkOps(*device, *stream, ops, {.bf16 = bf16});
        QVERIFY(checks.size() > 28);
        QStringList failed;
        for (const Check& check : checks)
            if (!check.passed())
                failed += QString("%1: error %2, allowed %3%4 %5")
                              .arg(check.name.c_str())
                              .arg(check.error)
                              .arg(check.tolerance)
                              .arg(check.same_bits ? "" : ", other bits the second time")
                              .arg(check.failure.c_str());
        QVERIFY2(failed.isEmpty(), qPrintable("\n" + failed.join("\n")));
    }

    void aHeadSizeWithoutAKernelIsRefused() {
        EmulatedOps ops(true);
        std::vector<float> memory(4096);
        const Operand operand(memory.data(), Precision::Bf16);
        try {
            ops.run(AttentionForward{
                .y = operand, .kept = memory.data(), .qkv = operand, .B = 1, .T = 4, .C = 96, .heads = 2});
            QFAIL("48 was taken");
        } catch (const Refusal& refusal) {
            QVERIFY2(QString(refusal.what()).contains("32, 64 or 128 numbers, not {0}"), refusal.what());
            QCOMPARE(refusal.arguments, std::vector<std::string>{"48"});
        }
    }

    void aRowThatIsTooLongIsRefused() {
        EmulatedOps ops(false);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 ops.run(LayernormForward{.y = static_cast<float*>(nullptr),
                                                          .mean = nullptr,
                                                          .rstd = nullptr,
                                                          .x = nullptr,
                                                          .weight = nullptr,
                                                          .bias = nullptr,
                                                          .rows = 1,
                                                          .C = 8193}));
    }

    void aWarpThatIsNotTogetherIsNoticed() {
        int reached = 0;
        QVERIFY_THROWS_EXCEPTION(std::logic_error,
                                 cuda::EmulatedLaunch()({1, 1}, 32, &divergentBarrier, &reached));
        QVERIFY(reached > 0);
    }

    void placesOfBarriersAndShufflesAreDistinguished() {
        int reached = 0;
        QVERIFY_THROWS_EXCEPTION(std::logic_error,
                                 cuda::EmulatedLaunch()({1, 1}, 2 * kWarp, &twoBarriers, &reached));
        QCOMPARE(reached, static_cast<int>(2 * kWarp));
        float to = 0;
        QVERIFY_THROWS_EXCEPTION(std::logic_error, cuda::EmulatedLaunch()({1, 1}, kWarp, &twoShuffles, &to));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, cuda::EmulatedLaunch()({1, 1}, kWarp, &halfAWarp, &to));
        cuda::EmulatedLaunch()({1, 1}, kWarp, &productOfOnes, std::vector<float>(128).data());  // it goes on
    }

    void aGridHasNoMoreRowsThanItsSecondDimension() {
        const cuda::AttentionBlocks blocks{8, 128};
        QCOMPARE(cuda::attentionGrid(2, {8 * 65535, 64, 2}, blocks).y, 65535U);
        try {
            cuda::attentionGrid(2, {8 * 65535 + 1, 64, 2}, blocks);
            QFAIL("not refused");
        } catch (const Refusal& refusal) {
            QVERIFY(QString(refusal.what()).contains("samples of up to"));
            QCOMPARE(refusal.arguments, (std::vector<std::string>{"524280", "524281"}));
        }
    }

    void sharedMemoryBeginsAsNothing() {
        std::vector<float> found(4);
        cuda::EmulatedLaunch()({4, 1}, kWarp, &readsBeforeItWrites, found.data());
        for (const float each : found) QVERIFY(std::isnan(each));
    }

    // Under the emulation, that is: each declaration is followed by the call that spoils it.
    void allSharedMemoryIsSpoiled() {
        const QDir folder(QStringLiteral(BUBBLESCOPE_SOURCE_DIR) + "/kernels/cuda");
        int declarations = 0;
        for (const QString& name : folder.entryList({"*.cuh", "*.cu"})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = file.readAll();
            static const QRegularExpression group(
                "((?:\\n +__shared__ [^;]*;[^\\n]*)+)(\\n *uninitialised\\(([^)]*)\\);)?");
            static const QRegularExpression declared("(?:__shared__ \\w+(?:<[^>]*>)? |, )(\\w+)(?=[\\[,;])");
            for (auto found = group.globalMatch(text); found.hasNext();) {
                const auto match = found.next();
                QStringList names;
                for (auto each = declared.globalMatch(match.captured(1)); each.hasNext();)
                    names += each.next().captured(1);
                QVERIFY(!names.isEmpty());
                QVERIFY2(match.captured(3) == names.join(", "), qPrintable(name + match.captured(0)));
                ++declarations;
            }
        }
        QVERIFY(declarations >= 11);
    }

    void blocksComeInAnyOrderAndEachOnce() {
        bool in_order = true;
        for (const unsigned blocks : {1U, 2U, 12U, 30U}) {
            std::vector<unsigned> order(blocks, blocks);
            unsigned next = 0;
            const unsigned y = blocks % 3 == 0 ? 3 : 1;
            cuda::EmulatedLaunch()({blocks / y, y}, 1, &whoComes, order.data(), &next);
            QCOMPARE(next, blocks);
            in_order = in_order && std::is_sorted(order.begin(), order.end());
            std::sort(order.begin(), order.end());
            for (unsigned i = 0; i < blocks; ++i) QCOMPARE(order[i], i);
        }
        QVERIFY(!in_order);
    }

    // In bf16 a thread takes eight numbers where memory allows it: the same bits as one at a time, which an
    // odd place in memory is made to take.
    void eightAtATimeComputeTheSame_data() {
        QTest::addColumn<int>("columns");
        for (const int columns : {8, 16, 2056, 20, 1}) QTest::addRow("%d", columns) << columns;
    }
    void eightAtATimeComputeTheSame() {
        QFETCH(int, columns);
        const std::size_t rows = 3, n = static_cast<std::size_t>(columns), count = rows * n;
        struct Numbers {
            explicit Numbers(std::size_t size, std::size_t first) : memory(size / 8 + 2), offset(first) {}
            cuda::Bf16* at() { return reinterpret_cast<cuda::Bf16*>(memory.data()) + offset; }
            std::vector<cuda::Sixteen> memory;
            std::size_t offset;
        };
        const auto fill = [](Numbers& to, std::size_t size, unsigned seed) {
            std::minstd_rand chance(seed);
            for (std::size_t i = 0; i < size; ++i)
                to.at()[i] = cuda::narrow<cuda::Bf16>(static_cast<float>(chance() % 2001) * 0.003F - 3.0F);
        };
        std::vector<std::vector<std::uint16_t>> found;
        for (const std::size_t offset : {0U, 1U}) {
            Numbers y(count, offset), x(count, offset), dx(count, offset), bias(n, offset),
                rounded(count, offset);
            fill(y, count, 1);
            fill(x, count, 2);
            fill(bias, n, 3);
            std::vector<cuda::Sixteen> wide(count / 4 + 2);
            auto* const from = reinterpret_cast<float*>(wide.data()) + offset;
            for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<float>(i) * 0.017F - 1.0F;
            const cuda::EmulatedLaunch launch;
            cuda::add_bias(launch, y.at(), bias.at(), rows, n);
            cuda::gelu_backward(launch, dx.at(), y.at(), x.at(), count);
            cuda::bias_gelu_forward(launch, y.at(), x.at(), bias.at(), rows, n);
            cuda::convert_to_bf16(launch, rounded.at(), from, rows, n, n);
            found.emplace_back();
            for (Numbers* const each : {&y, &x, &dx, &rounded})
                for (std::size_t i = 0; i < count; ++i) found.back().push_back(each->at()[i].bits);
        }
        QVERIFY(found[0] == found[1]);
    }

    void aMisalignedLoadIsNoticed() {
        alignas(16) std::uint16_t memory[4] = {};
        std::uint32_t to = 0;
        QVERIFY_THROWS_EXCEPTION(std::logic_error,
                                 cuda::EmulatedLaunch()({1, 1}, 32, &misalignedLoad,
                                                        static_cast<const std::uint16_t*>(memory), &to));
    }

    void aTensorCoreProductSumsSixteen() {
        std::vector<float> result(128);
        cuda::EmulatedLaunch()({1, 1}, 32, &productOfOnes, result.data());
        for (const float value : result) QCOMPARE(value, 16.0F);
    }
};

BUBBLESCOPE_TEST(TestCudaKernels)

}  // namespace tst_cuda_kernels

#include "tst_cuda_kernels.moc"
