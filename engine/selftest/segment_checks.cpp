// Samples cut into segments of unequal length, forward in order and backward in reverse, make what whole
// samples do.
#include <algorithm>
#include <string>

#include "selftest/op_check_list.h"

namespace bscope {

namespace {

constexpr std::size_t kB = 2, kT = 83, kHeads = 2;
constexpr std::size_t kCuts[] = {0, 5, 38, kT};
constexpr std::size_t kSegments = std::size(kCuts) - 1;

// Of whole samples, (B, T, C): what a segment has of each.
template <class Numbers>
Numbers segmentOf(const Numbers& all, std::size_t segment, std::size_t C) {
    Numbers part;
    for (std::size_t b = 0; b < kB; ++b)
        for (std::size_t i = (b * kT + kCuts[segment]) * C; i < (b * kT + kCuts[segment + 1]) * C; ++i)
            part.push_back(all[i]);
    return part;
}

// All segments of samples, and what their operations work on.
class CutSamples {
public:
    CutSamples(Ops& ops, OpRun& run, const Floats& qkv, Precision precision)
        : ops_(ops), C_(qkv.size() / (kB * kT * 3)), qkv_(run.operands(qkv, precision)) {
        for (std::size_t i = 0; i < kSegments; ++i) {
            y.push_back(run.operands(kB * (kCuts[i + 1] - kCuts[i]) * C_, precision));
            kept_.push_back(run.floats(ops.attentionKeptFloats(kB, kT, kHeads)));
        }
    }

    void forward(std::size_t i) {
        ops_.run(SegmentAttentionForward{.y = y[i],
                                         .kept = kept_[i],
                                         .qkv = qkv_,
                                         .B = kB,
                                         .T = kCuts[i + 1] - kCuts[i],
                                         .C = C_,
                                         .heads = kHeads,
                                         .first = kCuts[i],
                                         .tokens = kT});
    }
    void backward(std::size_t i, ConstOperand dy, float* d_qkv) {
        ops_.run(SegmentAttentionBackward{.d_qkv = d_qkv,
                                          .dy = dy,
                                          .y = y[i],
                                          .kept = kept_[i],
                                          .qkv = qkv_,
                                          .B = kB,
                                          .T = kCuts[i + 1] - kCuts[i],
                                          .C = C_,
                                          .heads = kHeads,
                                          .first = kCuts[i],
                                          .tokens = kT});
    }

    std::vector<Operand> y;  // (segments,)

private:
    Ops& ops_;
    std::size_t C_;
    Operand qkv_;
    std::vector<float*> kept_;
};

void addOfHeads(OpChecks& checks, std::size_t head_size) {
    const std::size_t C = kHeads * head_size;
    const reference::AttentionSizes sizes{kB, kT, C, kHeads};
    const std::string size = " d=" + std::to_string(head_size);
    const Precision p = checks.precision;
    const Floats qkv = checks.operandNoise(kB * kT * 3 * C, 43), dy = checks.operandNoise(kB * kT * C, 44);
    checks.add("segment_attention_forward" + size, checks.product_tolerance, [&](OpRun& run) {
        CutSamples samples(checks.ops, run, qkv, p);
        run.run([&] {
            for (std::size_t i = 0; i < kSegments; ++i) samples.forward(i);
        });
        const reference::Values expected = reference::attention(toDouble(qkv), sizes);
        double error = 0;
        for (std::size_t i = 0; i < kSegments; ++i)
            error = std::max(error, run.error(samples.y[i], segmentOf(expected, i, C)));
        return error;
    });
    checks.add("segment_attention_backward" + size, checks.product_tolerance, [&](OpRun& run) {
        CutSamples samples(checks.ops, run, qkv, p);
        std::vector<Operand> d_outs;
        for (std::size_t i = 0; i < kSegments; ++i) d_outs.push_back(run.operands(segmentOf(dy, i, C), p));
        float* const sums = run.floats(qkv.size());
        run.run([&] {
            for (std::size_t i = 0; i < kSegments; ++i) samples.forward(i);
            for (std::size_t i = kSegments; i-- > 0;) samples.backward(i, d_outs[i], sums);
        });
        return run.error(sums, reference::attentionBackward(toDouble(dy), toDouble(qkv), sizes));
    });
}

}  // namespace

void addSegmentAttention(OpChecks& checks, const std::vector<std::size_t>& head_sizes) {
    for (const std::size_t head_size : head_sizes) addOfHeads(checks, head_size);
}

}  // namespace bscope
