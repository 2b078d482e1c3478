// ZB-V (arXiv:2401.10241): two chunks a rank in a V (rank r owns stages r and 2p-1-r, the turn is
// local), backward split. Built for at least 2p-1 micro-batches; with fewer the surplus operations are left
// out.
#include <algorithm>
#include <array>

#include "catalog/generators.h"

namespace bscope::generators {

namespace {

// One rank's list, written chunk by chunk: a is the way down, b the way back. Each chunk's F, I and W each go
// through the micro-batches in order.
class ZbVRank {
public:
    ZbVRank(std::vector<Action>& order, int stage_a, int stage_b, int m)
        : order_(order), stages_{stage_a, stage_b}, m_(m) {}

    enum Chunk { a, b };
    void f(Chunk chunk) { next(chunk, Op::Forward, forwards[chunk]); }
    void i(Chunk chunk) { next(chunk, Op::BackwardInput, inputs[chunk]); }
    void w(Chunk chunk) { next(chunk, Op::BackwardWeight, weights[chunk]); }

    std::array<int, 2> forwards = {}, inputs = {}, weights = {};

private:
    void next(Chunk chunk, Op op, int& microbatch) {
        if (microbatch < m_) order_.push_back({stages_[chunk], op, microbatch});
        ++microbatch;
    }

    std::vector<Action>& order_;
    std::array<int, 2> stages_;
    int m_;
};

}  // namespace

Schedule zbV(const ScheduleParams& params) {
    const int p = params.p;
    const int n = std::max(2 * p - 1, params.m);
    Schedule schedule = singleChain(params, zigzagPlacement(p, 2));
    for (int r = 0; r < p; ++r) {
        ZbVRank rank(schedule.orders[static_cast<std::size_t>(r)], r, 2 * p - 1 - r, params.m);
        constexpr auto a = ZbVRank::a, b = ZbVRank::b;
        for (int k = 0; k < 2 * (p - r) - 1; ++k) rank.f(a);
        for (int k = 0; k < r; ++k) rank.f(b), rank.f(a);
        for (int k = 0; k < p - r; ++k) rank.f(b), rank.i(b), rank.w(b);
        while (rank.forwards[b] < rank.forwards[a] || rank.forwards[a] < n) {
            if (rank.forwards[a] < n) rank.f(a);
            rank.i(a), rank.w(a);
            rank.f(b), rank.i(b), rank.w(b);
        }
        for (int k = 0; k < r; ++k) rank.i(a), rank.i(b);
        for (int k = 0; k < p - r; ++k) rank.i(a), rank.w(a);
        while (rank.weights[b] < rank.inputs[b]) rank.w(b);
        while (rank.weights[a] < rank.inputs[a]) rank.w(a);
    }
    return schedule;
}

}  // namespace bscope::generators
