// How close a GPU's operations come to what the GPU can do: a block's forward and backward and attention
// beside the rate of a large matrix product, LayerNorm and AdamW beside the bandwidth of a large copy, all in
// this run.
//   bench_gpu [hidden 4096] [sequence 2048] [seconds a measurement 1] [fp32|bf16]
// Floors: a block costs 72 B T C^2 floating-point operations in its matrix products and 7 B T^2 C in causal
// attention (forward 2, backward 5; Dao, arXiv:2307.08691), at the rate of a matrix product at best;
// LayerNorm moves 8 bytes an element forward (x, y; 6 in bf16) and 12 backward (dy, x, dx), AdamW 28 bytes a
// weight (w, m, v and the gradient read, w, m, v written), at the bandwidth of a copy at best. Where
// operations are small the host's time to hand them over is the limit; that is printed, too. Prints ratios,
// asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "kernels/linear_products.h"
#include "kernels/plugin/cuda_device.h"
#include "model/model.h"
#include "model/stage.h"

namespace {

using namespace bscope;

// One GPU with a stream and its operations; times work as it runs back to back.
class Bench {
public:
    Bench(Device& device, double budget_s) : device_(device), place_(device), budget_s_(budget_s) {}

    Ops& ops() { return place_.ops(); }
    Workplace& place() { return place_; }
    // Every float is small and none is a power of two.
    Buffer floats(std::size_t count) {
        Buffer buffer(device_, count * sizeof(float));
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 97) * 0.01F - 0.48F;
        device_.copy(buffer.as<void>(), values.data(), buffer.bytes());
        return buffer;
    }
    // The same as operands.
    Buffer operands(std::size_t count) {
        const Buffer from = floats(count);
        Buffer buffer(device_, count * bytesOf(device_.operandPrecision()));
        ops().run(Round{.to = operand(buffer), .from = from.as<float>(), .count = count});
        place_.stream().synchronize();
        return buffer;
    }
    Operand operand(const Buffer& buffer) const { return {buffer.as<void>(), device_.operandPrecision()}; }
    // Seconds of one call, the best of several rows of calls, after one that is not timed.
    double seconds(const std::function<void()>& work) {
        work();
        const double one = row(work, 1);
        const int calls = std::clamp(static_cast<int>(budget_s_ / 4 / one), 1, 1000);
        double best = one;
        for (int i = 0; i < 4; ++i) best = std::min(best, row(work, calls));
        return best;
    }

    // Seconds of the host for one call that only hands work over, the best of several rows.
    double hostSeconds(const std::function<void()>& work) {
        using Clock = std::chrono::steady_clock;
        constexpr int kCalls = 200;  // less than a GPU's queue holds
        double best = 1;
        for (int i = 0; i < 20; ++i) {
            place_.stream().synchronize();
            const auto begin = Clock::now();
            for (int call = 0; call < kCalls; ++call) work();
            best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() / kCalls);
        }
        return best;
    }

private:
    double row(const std::function<void()>& work, int calls) {
        using Clock = std::chrono::steady_clock;
        place_.stream().synchronize();
        const auto begin = Clock::now();
        for (int i = 0; i < calls; ++i) work();
        place_.stream().synchronize();
        return std::chrono::duration<double>(Clock::now() - begin).count() / calls;
    }

    Device& device_;
    Workplace place_;
    double budget_s_;
};

void print(const char* what, double seconds, double amount, double best, const char* unit, const char* goal) {
    std::printf("%-34s %10.3f ms %10.1f %s  %5.1f %% %s\n", what, seconds * 1e3, amount / seconds / 1e9, unit,
                100 * amount / seconds / best, goal);
}

// What the host needs to hand over one operation, while the GPU is busy with those before it.
void handOver(Bench& bench) {
    constexpr std::size_t n = 64;
    const Buffer x = bench.floats(n * n), y = bench.floats(n * n), a = bench.operands(n * n),
                 b = bench.operands(n * n), c = bench.operands(n * n);
    const double add = bench.hostSeconds(
        [&] { bench.ops().run(Add{.y = y.as<float>(), .x = x.as<float>(), .count = n * n}); });
    const double product = bench.hostSeconds([&] {
        bench.ops().run(forwardProduct(bench.operand(c), bench.operand(a), bench.operand(b), n, n, n));
    });
    std::printf("the host hands over a kernel in %.1f us, a product in %.1f us, %.2f times that\n", add * 1e6,
                product * 1e6, product / add);
}

double matrixRate(Bench& bench, std::size_t n) {
    const Buffer a = bench.operands(n * n), b = bench.operands(n * n), c = bench.operands(n * n);
    const double seconds = bench.seconds([&] {
        bench.ops().run(forwardProduct(bench.operand(c), bench.operand(a), bench.operand(b), n, n, n));
    });
    const double flops = 2 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    print("matrix product, square, 2 hidden", seconds, flops, flops / seconds, "GFLOP/s",
          "= the matrix rate");
    return flops / seconds;
}

double copyRate(Bench& bench, std::size_t count) {
    const Buffer from = bench.floats(count), to = bench.floats(count);
    const double seconds = bench.seconds(
        [&] { bench.ops().run(CopyFloats{.to = to.as<float>(), .from = from.as<float>(), .count = count}); });
    const double bytes = 8.0 * static_cast<double>(count);
    print("copy", seconds, bytes, bytes / seconds, "GB/s   ", "= the bandwidth");
    return bytes / seconds;
}

void block(Bench& bench, Device& device, std::size_t C, std::size_t T, double rate) {
    Model model(device, {.L = 1, .C = C, .heads = std::max<std::size_t>(1, C / 128), .T = T, .V = 256}, 1);
    Stage stage(model, bench.place(), {.range = {.first_block = 0, .blocks = 1}, .micro_batch = 1});
    const Buffer x = bench.floats(T * C), y = bench.floats(T * C), dy = bench.floats(T * C),
                 dx = bench.floats(T * C);
    stage.beginIteration({}, 1);
    const double seconds = bench.seconds([&] {
        stage.forward(0, x.as<float>(), y.as<float>());
        stage.backward(0, dy.as<float>(), dx.as<float>());
    });
    const auto width = static_cast<double>(C), tokens = static_cast<double>(T);
    const double flops = 72 * tokens * width * width + 7 * tokens * tokens * width;
    print("block, forward and backward", seconds, flops, rate, "GFLOP/s", "of the matrix rate (goal 60 %)");
}

void attention(Bench& bench, std::size_t C, std::size_t T, double rate) {
    const std::size_t heads = std::max<std::size_t>(1, C / 128);
    const Buffer qkv = bench.operands(3 * T * C), d_qkv = bench.operands(3 * T * C),
                 y = bench.operands(T * C), dy = bench.operands(T * C),
                 kept = bench.floats(bench.ops().attentionKeptFloats(1, T, heads));
    const double flops = static_cast<double>(T) * static_cast<double>(T) * static_cast<double>(C);
    const double forward = bench.seconds([&] {
        bench.ops().run(AttentionForward{.y = bench.operand(y),
                                         .kept = kept.as<float>(),
                                         .qkv = bench.operand(qkv),
                                         .B = 1,
                                         .T = T,
                                         .C = C,
                                         .heads = heads});
    });
    print("attention, forward", forward, 2 * flops, rate, "GFLOP/s", "of the matrix rate");
    const double backward = bench.seconds([&] {
        bench.ops().run(AttentionBackward{.d_qkv = bench.operand(d_qkv),
                                          .dy = bench.operand(dy),
                                          .y = bench.operand(y),
                                          .kept = kept.as<float>(),
                                          .qkv = bench.operand(qkv),
                                          .B = 1,
                                          .T = T,
                                          .C = C,
                                          .heads = heads});
    });
    print("attention, backward", backward, 5 * flops, rate, "GFLOP/s", "of the matrix rate");
    print("attention, both", forward + backward, 7 * flops, rate, "GFLOP/s",
          "of the matrix rate (goal 50 %)");
}

void layernorm(Bench& bench, Precision precision, std::size_t C, std::size_t rows, double bandwidth) {
    const Buffer x = bench.floats(rows * C), y = bench.operands(rows * C), dx = bench.floats(rows * C),
                 dy = bench.floats(rows * C), mean = bench.floats(rows), rstd = bench.floats(rows),
                 weight = bench.floats(C), bias = bench.floats(C);
    const double elements = static_cast<double>(rows * C);
    const double forward = bench.seconds([&] {
        bench.ops().run(LayernormForward{.y = bench.operand(y),
                                         .mean = mean.as<float>(),
                                         .rstd = rstd.as<float>(),
                                         .x = x.as<float>(),
                                         .weight = weight.as<float>(),
                                         .bias = bias.as<float>(),
                                         .rows = rows,
                                         .C = C});
    });
    const auto written = static_cast<double>(bytesOf(precision));
    print("LayerNorm, forward", forward, (4 + written) * elements, bandwidth, "GB/s   ",
          "of the bandwidth (goal 80 %)");
    const Buffer weight_sum = bench.floats(C), bias_sum = bench.floats(C);
    const double backward = bench.seconds([&] {
        bench.ops().run(LayernormBackward{.dx = dx.as<float>(),
                                          .weight_sum = weight_sum.as<float>(),
                                          .bias_sum = bias_sum.as<float>(),
                                          .dy = dy.as<float>(),
                                          .x = x.as<float>(),
                                          .mean = mean.as<float>(),
                                          .rstd = rstd.as<float>(),
                                          .weight = weight.as<float>(),
                                          .d_residual = nullptr,
                                          .rows = rows,
                                          .C = C});
    });
    print("LayerNorm, backward", backward, 12 * elements, bandwidth, "GB/s   ",
          "of the bandwidth (goal 80 %)");
}

// What a linear layer does besides its product, in one kernel with it and in one of its own; which forms the
// plugin tries in one on this GPU, BSCOPE_FUSED can say.
void fusedForms(Device& device, double budget_s, std::size_t C, std::size_t T) {
    const std::size_t wide = 4 * C;
    struct Form {
        const char* name;
        double seconds[2];
    } forms[] = {{"bias", {}}, {"bias-gelu", {}}, {"gelu-backward", {}}, {"bias-backward", {}}};
    for (Form& form : forms)
        for (const bool fused : {false, true}) {
            setenv("BSCOPE_FUSED", fused ? form.name : "none", 1);
            Bench bench(device, budget_s / 4);
            const Buffer x = bench.operands(T * C), weight = bench.operands(wide * C),
                         bias = bench.operands(wide), hidden = bench.operands(T * wide),
                         y = bench.operands(T * wide), d_weight = bench.floats(wide * C),
                         d_bias = bench.floats(wide);
            const auto at = [&](const Buffer& buffer) { return bench.operand(buffer); };
            const std::string name = form.name;
            form.seconds[fused ? 1 : 0] = bench.seconds([&] {
                Ops& ops = bench.ops();
                if (name == "bias")
                    ops.run(LinearForward{.y = at(y),
                                          .x = at(x),
                                          .weight = at(weight),
                                          .bias = at(bias),
                                          .residual = nullptr,
                                          .rows = T,
                                          .in = C,
                                          .out = wide});
                if (name == "bias-gelu")
                    ops.run(LinearGeluForward{.y = at(y),
                                              .hidden = at(hidden),
                                              .x = at(x),
                                              .weight = at(weight),
                                              .bias = at(bias),
                                              .rows = T,
                                              .in = C,
                                              .out = wide});
                if (name == "gelu-backward")  // x stands for dy, whose layer goes from wide to C
                    ops.run(LinearGeluBackwardInput{.d_hidden = at(y),
                                                    .work = at(y),
                                                    .dy = at(x),
                                                    .weight = at(weight),
                                                    .hidden = at(hidden),
                                                    .rows = T,
                                                    .in = wide,
                                                    .out = C});
                if (name == "bias-backward")
                    ops.run(LinearBackwardWeight{.d_weight = d_weight.as<float>(),
                                                 .d_bias = d_bias.as<float>(),
                                                 .dy = at(hidden),
                                                 .x = at(x),
                                                 .rows = T,
                                                 .in = C,
                                                 .out = wide});
            });
        }
    unsetenv("BSCOPE_FUSED");
    for (const Form& form : forms)
        std::printf("%-34s %10.3f ms in one kernel, %.3f ms apart: %s\n", form.name, form.seconds[1] * 1e3,
                    form.seconds[0] * 1e3, form.seconds[1] < form.seconds[0] ? "one pays" : "apart pays");
}

void adamw(Bench& bench, std::size_t count, double bandwidth) {
    const Buffer weight = bench.floats(count), m = bench.floats(count), gradient = bench.floats(count);
    Buffer v = bench.floats(count);
    bench.ops().run(FillZero{.x = v.as<float>(), .count = count});  // a mean of squares is not negative
    const double seconds = bench.seconds([&] {
        bench.ops().run(AdamW{.weight = weight.as<float>(),
                              .m = m.as<float>(),
                              .v = v.as<float>(),
                              .gradient = gradient.as<float>(),
                              .count = count,
                              .step = {}});
    });
    print("AdamW", seconds, 28 * static_cast<double>(count), bandwidth, "GB/s   ",
          "of the bandwidth (goal 80 %)");
}

}  // namespace

int main(int argc, char** argv) try {
    askForQueues();
    const auto number = [&](int at, double otherwise) { return argc > at ? std::atof(argv[at]) : otherwise; };
    const auto C = static_cast<std::size_t>(number(1, 4096)), T = static_cast<std::size_t>(number(2, 2048));
    const bool fp32 = argc > 4 && std::string(argv[4]) == "fp32";
    const auto device = makeCudaDevice(CudaPlugin::load(), 0, fp32 ? Precision::Fp32 : Precision::Bf16);
    device->prepareThread();
    std::printf("%s, %s, hidden %zu, sequence %zu, micro-batch 1\n", device->name().c_str(),
                fp32 ? "fp32" : "bf16", C, T);
    Bench bench(*device, number(3, 1));
    const double rate = matrixRate(bench, 2 * C), bandwidth = copyRate(bench, 16 * C * T);
    handOver(bench);
    block(bench, *device, C, T, rate);
    attention(bench, C, T, rate);
    layernorm(bench, device->operandPrecision(), C, 8 * T, bandwidth);
    adamw(bench, 12 * C * C, bandwidth);
    if (!std::getenv("BSCOPE_FUSED")) fusedForms(*device, number(3, 1), C, T);
    return 0;
} catch (const PluginError& error) {
    std::printf("not measured: %s\n", error.what());
    return 77;  // skipped
} catch (const std::exception& error) {
    std::fprintf(stderr, "bench_gpu: %s\n", error.what());
    return 1;
}
