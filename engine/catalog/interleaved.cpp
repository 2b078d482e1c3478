// Interleaved 1F1B (arXiv:2104.04473): every rank holds v chunks in a loop, and 1F1B walks
// the table of virtual micro-batches, N micro-batches of one chunk at a time. Megatron-LM: N is
// microbatch_group_size_per_vp_stage, p by default; PyTorch: N follows from m in equal rounds. Megatron's
// combined 1F1B has one more forward in the warm-up of every rank, so that the forward and the backward of
// one step do not depend on each other.
#include <algorithm>

#include "catalog/generators.h"
#include "catalog/nearest.h"
#include "catalog/virtual_microbatches.h"
#include "schedule/index.h"

namespace bscope::generators {

namespace {

// Megatron-LM: the last, shorter group must still fill the pipe.
bool groupsFillThePipe(const ScheduleParams& params, long group_size, long m) {
    return group_size >= params.p && group_size <= m && (m % group_size == 0 || m % group_size >= params.p);
}

Schedule interleave(const ScheduleParams& params, int n, int more_forwards = 0) {
    const int p = params.p, v = params.v, m = params.m;
    const std::vector<VirtualMicrobatch> table = virtualMicrobatches(v, m, n);
    const int total = m * v;
    Schedule schedule = singleChain(params, loopPlacement(p, v));
    for (int r = 0; r < p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        const auto forward = [&](int k) { order.push_back(forwardOf(table[at(k)], p, r)); };
        const auto backward = [&](int k) {
            order.push_back(backwardOf(table[at(k)], Op::Backward, p, v, r));
        };
        const int w = std::min(total, (v - 1) * n + 2 * (p - 1 - r) + more_forwards);
        for (int k = 0; k < w; ++k) forward(k);
        for (int k = 0; k < total - w; ++k) {
            forward(w + k);
            backward(k);
        }
        for (int k = total - w; k < total; ++k) backward(k);
    }
    return schedule;
}

}  // namespace

Schedule interleaved(const ScheduleParams& params) {
    return interleave(params, givenGroupSize(params));
}

Schedule interleavedCombined(const ScheduleParams& params) {
    return interleave(params, givenGroupSize(params), 1);
}

Schedule interleavedPyTorch(const ScheduleParams& params) {
    return interleave(params, roundGroupSize(params));
}

std::vector<Problem> interleavedProblems(const ScheduleParams& params) {
    const long n = givenGroupSize(params);
    const long m = params.m;
    if (groupsFillThePipe(params, n, m)) return {};
    const std::string p_text = std::to_string(params.p), m_text = std::to_string(m),
                      n_text = std::to_string(n);
    if (params.group_size > 0 && (n < params.p || n > m)) {
        const auto legal =
            nearestLegal(n, 1, m, [&](long value) { return groupsFillThePipe(params, value, m); });
        return {{"group_size",
                 "group size {0} must lie between p = {1} and m = {2}",
                 {n_text, p_text, m_text},
                 legal}};
    }
    const auto legal =
        nearestLegal(m, 1, kMaxMicrobatches, [&](long value) { return groupsFillThePipe(params, n, value); });
    if (params.group_size > 0)
        return {{"m",
                 "m = {0} leaves a last group smaller than p = {1} micro-batches with group size {2}",
                 {m_text, p_text, n_text},
                 legal}};
    return {
        {"m", "m = {0} must be a multiple of p = {1} for the interleaved schedule", {m_text, p_text}, legal}};
}

}  // namespace bscope::generators
