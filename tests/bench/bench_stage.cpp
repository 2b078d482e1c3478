// How fast a stage's forward and backward are on one core, beside the best rate this core reaches in a matrix
// product within the same run, with the share of it that is the goal. Prints one line a hidden size; asserts
// nothing.
//   bench_stage [seconds per measurement, default 1]
// FLOPs are counted as usual: 2 per multiply-add of every matrix product, attention without regard to
// causality, backward twice the forward; LayerNorm, GELU and softmax count as nothing. Times are thread CPU
// time, the best of many, so that a busy machine disturbs the ratio little.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/timed.h"
#include "kernels/cpu/cpu_device.h"
#include "model/model.h"
#include "model/stage.h"

namespace {

using namespace bscope;
using bench::bestSeconds;
using bench::now_s;

constexpr int kLeastRuns = 12;
constexpr std::size_t kT = 128, kB = 4;  // positions, samples of a micro-batch

// FLOP/s of the fastest square matrix product.
double matmulPeak(Ops& ops, double budget_s) {
    double peak = 0;
    for (const std::size_t n : {512, 768, 1024, 1536, 2048}) {
        const std::vector<float> a(n * n, 0.5F), b(n * n, 0.25F);
        std::vector<float> c(n * n);
        const double seconds = bestSeconds(
            budget_s / 5, [&] { ops.run(bench::squareProduct(c.data(), a.data(), b.data(), n)); });
        peak = std::max(peak, 2 * static_cast<double>(n * n * n) / seconds);
    }
    return peak;
}

}  // namespace

int main(int argc, char** argv) {
    const double budget_s = argc > 1 ? std::atof(argv[1]) : 1.0;
    const std::unique_ptr<Device> device = makeCpuDevice();
    device->prepareThread();
    Workplace workplace(*device);
    double peak = matmulPeak(workplace.ops(), budget_s);
    struct Width {
        std::size_t C;
        int goal;  // percent of the peak
        double forward_s = 1e300, both_s = 0, recompute_s = 0;
    };
    std::array widths{Width{256, 85}, Width{512, 90}, Width{1024, 92}};
    for (Width& at : widths) {
        const std::size_t C = at.C;
        const ModelShape shape{.L = 2, .C = C, .heads = C / 64, .T = kT, .V = 256};
        Model model(*device, shape, 1);
        const auto stageWith = [&](Checkpointing checkpointing) {
            return Stage(model, workplace,
                         {.range = {.first_block = 0, .blocks = 2},
                          .micro_batch = kB,
                          .checkpointing = checkpointing});
        };
        Stage stage = stageWith(Checkpointing::None), full = stageWith(Checkpointing::Full);
        std::vector<float> x(stage.messageFloats(), 0.0F), y(x.size()), dy(x.size(), 1e-3F), dx(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) * 0.01F - 0.5F;
        const auto forwardAndBackward = [&] {
            stage.beginIteration({}, 1);
            const double start_s = now_s();
            stage.forward(0, x.data(), y.data());
            at.forward_s = std::min(at.forward_s, now_s() - start_s);
            stage.backward(0, dy.data(), dx.data());
        };
        at.both_s = bestSeconds(budget_s, forwardAndBackward, kLeastRuns);
        full.beginIteration({}, 1);
        at.recompute_s = bestSeconds(budget_s, [&] {
            full.forward(0, x.data(), y.data());
            full.recompute(0);
            full.abandon();
        });
        // In turns with what it is held against.
        peak = std::max(peak, matmulPeak(workplace.ops(), budget_s));
    }
    std::printf("matrix product, best of 512 to 2048: %.1f GFLOP/s\n", peak * 1e-9);
    std::printf("%6s %5s %3s %8s %8s %8s %8s %8s %6s\n", "hidden", "T", "B", "F ms", "B ms", "R full",
                "GFLOP/s", "of peak", "goal");
    for (const Width& at : widths) {
        constexpr double tokens = kT * kB;
        const auto width = static_cast<double>(at.C);
        const double rate = 3 * 2 * tokens * (24 * width * width + 4 * width * kT) / at.both_s;
        std::printf("%6zu %5zu %3zu %8.2f %8.2f %8.2f %8.1f %7.1f%% %5d%%\n", at.C, kT, kB,
                    at.forward_s * 1e3, (at.both_s - at.forward_s) * 1e3,
                    (at.recompute_s - at.forward_s) * 1e3, rate * 1e-9, rate / peak * 100, at.goal);
    }
}
