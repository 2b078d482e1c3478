// Where the time of a stage's forward and backward goes on one core, operation by operation, and how fast
// each is beside its limit, measured within the same run; then the same for what runs outside of blocks;
// last, every operation with the instruction sets of older processors. Asserts nothing.
//   bench_operations [seconds per hidden size, default 1] [T, default 128]
// A product's limit is the best rate of a square product; attention's too, its FLOPs counted without regard
// to causality. The limit of any other operation is the greater of two times: moving all that it reads and
// writes without computing, in its place in every other iteration, so that its numbers lie where they lie for
// the operation, in a cache or in memory; and its own speed when its numbers lie in the first-level cache,
// which is what the processor's vector units give.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/timed.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/cpu_ops.h"
#include "kernels/unfused_ops.h"
#include "model/model.h"
#include "model/stage.h"

namespace {

using namespace bscope;
using bench::bestSeconds;
using bench::now_s;

// What an operation takes at least: multiply-adds, or tensors of so many numbers that it reads and writes.
struct Need {
    double flops = 0;
    std::size_t numbers = 0;
    std::vector<const float*> reads{};
    std::vector<float*> writes{};
};

double product(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) * static_cast<double>(b);
}

Need need(const Matmul& op) {
    return {.flops = 2 * product(op.rows * op.columns, op.inner)};
}
Need need(const AttentionForward& op) {
    return {.flops = 4 * product(op.B * op.T * op.T, op.C)};
}
Need need(const AttentionBackward& op) {
    return {.flops = 8 * product(op.B * op.T * op.T, op.C)};
}
// A segment's share: its queries look at half of its own keys and at all before them.
Need need(const SegmentAttentionForward& op) {
    return {.flops = 4 * product(op.B * op.T * (2 * op.first + op.T), op.C)};
}
Need need(const SegmentAttentionBackward& op) {
    return {.flops = 8 * product(op.B * op.T * (2 * op.first + op.T), op.C)};
}
Need need(const CopyFloats& op) {
    return {.numbers = op.count, .reads = {op.from}, .writes = {op.to}};
}
Need need(const FillZero& op) {
    return {.numbers = op.count, .writes = {op.x}};
}
Need need(const Round& op) {
    return {.numbers = op.count, .reads = {op.from}, .writes = {op.to.fp32()}};
}
Need need(const Add& op) {
    return {.numbers = op.count, .reads = {op.y, op.x}, .writes = {op.y}};
}
Need need(const AddBias& op) {
    return {.numbers = op.rows * op.columns, .reads = {op.y.fp32()}, .writes = {op.y.fp32()}};
}
Need need(const AddBiasResidual& op) {
    return {.numbers = op.rows * op.columns, .reads = {op.y, op.residual}, .writes = {op.y}};
}
Need need(const BiasGeluForward& op) {
    return {.numbers = op.rows * op.columns, .reads = {op.x.fp32()}, .writes = {op.x.fp32(), op.y.fp32()}};
}
Need need(const GeluBackward& op) {
    return {.numbers = op.count, .reads = {op.dy.fp32(), op.x.fp32()}, .writes = {op.dx.fp32()}};
}
Need need(const AdamW& op) {
    return {.numbers = op.count,
            .reads = {op.weight, op.m, op.v, op.gradient},
            .writes = {op.weight, op.m, op.v}};
}
Need need(const SumOfSquares& op) {
    return {.numbers = op.count, .reads = {op.x}};
}
Need need(const BiasBackward& op) {
    return {.numbers = op.rows * op.columns, .reads = {op.dy.fp32()}};
}
Need need(const LayernormForward& op) {
    return {.numbers = op.rows * op.C, .reads = {op.x}, .writes = {op.y.fp32()}};
}
Need need(const LayernormBackward& op) {
    Need of{.numbers = op.rows * op.C, .reads = {op.dy, op.x}, .writes = {op.dx}};
    if (op.d_residual != nullptr) of.reads.push_back(op.d_residual);
    return of;
}
Need need(const EmbeddingForward& op) {
    return {.numbers = op.B * op.T * op.C, .writes = {op.y}};
}
Need need(const EmbeddingBackward& op) {
    return {.numbers = op.B * op.T * op.C, .reads = {op.dy}};
}
Need need(const SoftmaxCrossEntropy& op) {
    return {.numbers = op.rows * op.V, .reads = {op.logits}, .writes = {op.logits}};
}
Need need(const RowMaximum& op) {
    return {.numbers = op.rows * op.columns, .reads = {op.x}};
}
Need need(const SoftmaxPart& op) {
    return {.numbers = op.rows * op.V, .reads = {op.logits}, .writes = {op.logits}};
}
Need need(const CrossEntropyPart& op) {
    return {.numbers = op.rows * op.V, .reads = {op.logits}, .writes = {op.logits}};
}

// The same operation on so few rows that it stays in the first-level cache; nothing when it cannot be made
// smaller.
constexpr std::uint64_t kFewNumbers = 2048;
template <typename Operation>
bool shrink(Operation& op) {
    if constexpr (requires { op.count; }) return op.count = std::min(op.count, kFewNumbers), true;
    if constexpr (requires {
                      op.rows;
                      op.columns;
                      op.inner;
                  })
        return false;
    if constexpr (requires { op.rows; }) return op.rows = std::min<std::uint64_t>(op.rows, 2), true;
    return false;
}

std::string sizes(const Matmul& op) {
    return std::string(op.transpose_a == Transpose::Yes ? "T" : "N") +
           (op.transpose_b == Transpose::Yes ? "T " : "N ") + std::to_string(op.rows) + " x " +
           std::to_string(op.columns) + " x " + std::to_string(op.inner);
}
std::string sizes(const auto& op) {
    if constexpr (requires { op.count; }) return std::to_string(op.count);
    if constexpr (requires {
                      op.rows;
                      op.columns;
                  })
        return std::to_string(op.rows) + " x " + std::to_string(op.columns);
    if constexpr (requires {
                      op.rows;
                      op.C;
                  })
        return std::to_string(op.rows) + " x " + std::to_string(op.C);
    return {};
}

#if defined(__x86_64__)
#define FOR_EACH_VECTOR_LENGTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_VECTOR_LENGTH
#endif

FOR_EACH_VECTOR_LENGTH void readAll(const float* from, std::size_t count) {
    constexpr std::size_t kSums = 32;  // one would wait for its own last addition
    float sums[kSums] = {};
    for (std::size_t i = 0; i + kSums <= count; i += kSums) {
#pragma omp simd
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += from[i + k];
    }
    asm volatile("" ::"m"(sums));  // else nothing is read
}

// From one place to another or to where they are; null: nothing is read. By plain stores, as operations
// write: memcpy, which the compiler would call but for the factor, goes past the caches with some megabytes,
// and leaves it to who reads the result to fetch it.
FOR_EACH_VECTOR_LENGTH void writeAll(float* to, const float* from, std::size_t count, float factor) {
    if (from == nullptr) {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i) to[i] = factor;
    } else {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i) to[i] = factor * from[i];
    }
}

// All that an operation reads and writes, without what it computes; the numbers it writes are lost.
void moveAll(const Need& need) {
    volatile float one = 1;
    std::vector<const float*> reads = need.reads;
    for (float* const to : need.writes) {
        auto from = std::ranges::find(reads, to);
        if (from == reads.end()) from = reads.begin();
        writeAll(to, from == reads.end() ? nullptr : *from, need.numbers, one);
        if (from != reads.end()) reads.erase(from);
    }
    for (const float* const from : reads) readAll(from, need.numbers);
}

struct Record {
    Need need;
    int calls = 0;
    double best_s = 1e300;
    double move_s = 1e300;  // of what it reads and writes
    double in_cache_s = 0;  // what the vector units would need
};

class TimedOps final : public UnfusedOps {
public:
    explicit TimedOps(std::unique_ptr<Ops> ops) : ops_(std::move(ops)) {}
    std::size_t workspaceBytes() const override { return ops_->workspaceBytes(); }
    std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return ops_->attentionKeptFloats(B, T, heads);
    }
    using UnfusedOps::run;
#define TIMED(Name, name)               \
    void run(const Name& op) override { \
        time(#name, op);                \
    }
    BSCOPE_PLAIN_OPERATIONS(TIMED)
    BSCOPE_KERNEL_OPERATIONS(TIMED)
#undef TIMED

    std::map<std::string, Record> records;
    bool moves = false;  // in this iteration, before the operations, which are not timed then

private:
    static void timeMoves(Record& record) {
        const double start_s = now_s();
        moveAll(record.need);
        record.move_s = std::min(record.move_s, now_s() - start_s);
    }

    template <typename Operation>
    void time(const char* name, const Operation& op) {
        if (moves) {
            const auto at = records.find(std::string(name) + "  " + sizes(op));
            if (at != records.end()) {
                at->second.need = need(op);
                timeMoves(at->second);
            }
            return ops_->run(op);
        }
        const double start_s = now_s();
        ops_->run(op);
        const double took_s = now_s() - start_s;
        const auto [at, is_new] = records.try_emplace(std::string(name) + "  " + sizes(op));
        Record& record = at->second;
        ++record.calls;
        record.best_s = std::min(record.best_s, took_s);
        if (!is_new) return;
        record.need = need(op);
        Operation small = op;
        if (record.need.flops > 0 || !shrink(small)) return;
        // Repeated calls change the numbers, which no later result is asked for.
        const auto many = [&] {
            for (int i = 0; i < 64; ++i) ops_->run(small);
        };
        record.in_cache_s = bestSeconds(0.005, many) / 64 * static_cast<double>(record.need.numbers) /
                            static_cast<double>(need(small).numbers);
    }

    std::unique_ptr<Ops> ops_;
};

class TimedDevice final : public Device {
public:
    explicit TimedDevice(const simd::Level& level) : level_(level) {}
    std::string name() const override { return device_->name(); }
    std::unique_ptr<Stream> makeStream() override { return device_->makeStream(); }
    std::unique_ptr<Ops> makeOps(Stream&) override {
        auto timed = std::make_unique<TimedOps>(std::make_unique<CpuOps>(level_));
        ops = timed.get();
        return timed;
    }
    void prepareThread() override { device_->prepareThread(); }
    void* allocate(std::size_t bytes) override { return device_->allocate(bytes); }
    void release(void* memory, std::size_t bytes) noexcept override { device_->release(memory, bytes); }
    void copy(void* to, const void* from, std::size_t bytes) override { device_->copy(to, from, bytes); }
    void fillZero(void* memory, std::size_t bytes) override { device_->fillZero(memory, bytes); }

    TimedOps* ops = nullptr;

private:
    const simd::Level& level_;
    std::unique_ptr<Device> device_ = makeCpuDevice();
};

double squareRate(Ops& ops) {
    constexpr std::size_t n = 1024;
    const std::vector<float> a(n * n, 0.5F), b(n * n, 0.25F);
    std::vector<float> c(n * n);
    const Matmul square = bench::squareProduct(c.data(), a.data(), b.data(), n);
    return need(square).flops / bestSeconds(0.3, [&] { ops.run(square); });
}

void print(const std::map<std::string, Record>& records, int iterations, double flop_rate) {
    double sum_s = 0;
    for (const auto& [name, record] : records) sum_s += record.best_s * record.calls / iterations;
    std::printf("%-42s %6s %9s %6s %9s  %s\n", "operation", "calls", "us each", "share", "of limit", "limit");
    for (const auto& [name, record] : records) {
        const int calls = record.calls / iterations;
        const double product_s = record.need.flops / flop_rate;
        const double move_s = record.need.flops > 0 ? 0 : record.move_s;
        const double limit_s = std::max({product_s, move_s, record.in_cache_s});
        std::printf("%-42s %6d %9.1f %5.1f%% %8.1f%%  %s\n", name.c_str(), calls, record.best_s * 1e6,
                    record.best_s * calls / sum_s * 100, limit_s / record.best_s * 100,
                    limit_s == product_s ? "square product"
                    : limit_s == move_s  ? "memory"
                                         : "first-level cache");
    }
}

// Times a stage of two blocks; returns in how many iterations.
int runStage(TimedDevice& device, Workplace& workplace, std::size_t C, std::size_t T, double budget_s) {
    const ModelShape shape{.L = 2, .C = C, .heads = C / 64, .T = T, .V = 256};
    Model model(device, shape, 1);
    Stage stage(model, workplace, {.range = {.first_block = 0, .blocks = 2}, .micro_batch = 4});
    std::vector<float> x(stage.messageFloats(), 0.0F), y(x.size()), dy(x.size(), 1e-3F), dx(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) * 0.01F - 0.5F;
    device.ops->records.clear();
    int iterations = 0;
    bestSeconds(budget_s, [&] {
        for (const bool moves : {false, true}) {
            device.ops->moves = moves;
            stage.beginIteration({}, 1);
            stage.forward(0, x.data(), y.data());
            stage.backward(0, dy.data(), dx.data());
        }
        ++iterations;
    });
    return iterations;
}

// A loop with registers half as long takes up to twice the time, and one that the compiler took apart number
// by number far more. Products: by oneDNN with its own instructions, or by the loops.
void printLevels(double budget_s) {
    std::map<std::string, std::vector<double>> seconds;
    for (const simd::Level& level : simd::levels()) {
        TimedDevice device(level);
        Workplace workplace(device);
        runStage(device, workplace, 256, 128, budget_s);
        for (const auto& [name, record] : device.ops->records) seconds[name].push_back(record.best_s);
    }
    std::printf("\n%-42s", "hidden 256, T 128, B 4: us, of the set before");
    for (const simd::Level& level : simd::levels()) std::printf(" %16s", level.name);
    for (const auto& [name, levels] : seconds) {
        std::printf("\n%-42s", name.c_str());
        for (std::size_t i = 0; i < levels.size(); ++i)
            std::printf(" %9.1f %5.0f%%", levels[i] * 1e6, i > 0 ? levels[i] / levels[i - 1] * 100 : 100.0);
    }
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    const double budget_s = argc > 1 ? std::atof(argv[1]) : 1.0;
    const std::size_t T = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 128;
    TimedDevice device(simd::bestLevel());
    device.prepareThread();
    Workplace workplace(device);
    const double rate = squareRate(workplace.ops());
    std::printf("square product: %.1f GFLOP/s\n", rate * 1e-9);
    for (const std::size_t C : {256U, 512U, 1024U}) {
        const int iterations = runStage(device, workplace, C, T, budget_s);
        std::printf("\nhidden %zu, T %zu, B 4\n", C, T);
        print(device.ops->records, iterations, rate);
    }
    device.ops->records.clear();
    constexpr std::uint64_t count = 1 << 20, V = 256, rows = 512;
    std::vector<float> weight(count), m(count), v(count), gradient(count, 1e-3F), logits(rows * V);
    std::vector<std::int32_t> targets(rows);
    double result = 0;
    for (int i = 0; i < 40; ++i) {
        device.ops->moves = i % 2 == 1;
        workplace.ops().run(AdamW{.weight = weight.data(),
                                  .m = m.data(),
                                  .v = v.data(),
                                  .gradient = gradient.data(),
                                  .count = count,
                                  .step = {}});
        workplace.ops().run(SumOfSquares{.result = &result, .x = gradient.data(), .count = count});
        workplace.ops().run(SoftmaxCrossEntropy{.mean_loss = &result,
                                                .logits = logits.data(),
                                                .targets = targets.data(),
                                                .rows = rows,
                                                .V = V,
                                                .gradient_scale = 1.0});
    }
    std::printf("\noptimizer, norm and loss\n");
    print(device.ops->records, 20, rate);
    printLevels(budget_s);
}
