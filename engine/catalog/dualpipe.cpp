// DualPipe (arXiv:2412.19437; deepseek-ai/DualPipe): two replicas run through the ranks in opposite
// directions, forward of one overlapping the backward of the other in one cell. DualPipeV cuts it in half:
// one replica in a V, the way down and the way back take the parts of the two directions.
#include <array>
#include <deque>
#include <numeric>

#include "catalog/generators.h"
#include "catalog/nearest.h"

namespace bscope::generators {

namespace {

// The eight steps of one rank. Slot 0 is the stage (direction) whose forward reaches the rank first.
class DualPipeRank {
public:
    DualPipeRank(std::vector<Action>& order, int stage0, int stage1)
        : order_(order), stages_{stage0, stage1} {}

    // h: ranks from the outer end to the middle, q: distance from the outer end, n: micro-batches of each
    // slot.
    void run(int h, int q, int n) {
        const int to_middle = h - q - 1;
        for (int k = 0; k < 2 * to_middle; ++k) forward(0);
        for (int k = 0; k < q + 1; ++k) forward(0), forward(1);
        for (int k = 0; k < to_middle; ++k) input(1), weight(), forward(1);
        for (int k = 0; k < n - 2 * h + q + 1; ++k) {
            // In the middle the first backward has nothing to overlap with: its own forward has only just
            // ended.
            overlap(0, 1, !(k == 0 && to_middle == 0));
            overlap(1, 0, true);
        }
        for (int k = 0; k < to_middle; ++k) backward(1), overlap(1, 0, true);
        // The second half of the last backwards leaves its weight gradients for the drain.
        const int switch_at = (q + 1) / 2;
        for (int k = 0; k < q + 1; ++k) {
            const bool split1 = k > switch_at || (k == switch_at && q % 2 == 1);
            const bool split0 = k >= switch_at;
            last(1, split1);
            last(0, split0);
        }
        for (int k = 0; k < to_middle; ++k) weight(), input(0);
        for (int k = 0; k < q + 1; ++k) weight();
    }

private:
    void forward(std::size_t slot) { order_.push_back({stages_[slot], Op::Forward, forwards_[slot]++}); }
    void backward(std::size_t slot) { order_.push_back({stages_[slot], Op::Backward, backwards_[slot]++}); }
    void input(std::size_t slot) {
        owed_.push_back({stages_[slot], Op::BackwardWeight, backwards_[slot]});
        order_.push_back({stages_[slot], Op::BackwardInput, backwards_[slot]++});
    }
    void weight() {
        order_.push_back(owed_.front());
        owed_.pop_front();
    }
    void last(std::size_t slot, bool split) {
        if (split)
            input(slot);
        else
            backward(slot);
    }
    void overlap(std::size_t forward_slot, std::size_t backward_slot, bool one_cell) {
        forward(forward_slot);
        order_.back().overlaps_next = one_cell;
        backward(backward_slot);
    }

    std::vector<Action>& order_;
    std::array<int, 2> stages_;
    std::array<int, 2> forwards_ = {}, backwards_ = {};
    std::deque<Action> owed_;  // weight gradients, oldest first
};

Problem tooFewMicrobatches(const ScheduleParams& params, const std::vector<long>& legal) {
    return {"m",
            "m = {0} must be at least 2p = {1}",
            {std::to_string(params.m), std::to_string(2 * params.p)},
            legal};
}

}  // namespace

Schedule dualPipe(const ScheduleParams& params) {
    const int p = params.p;
    Schedule schedule = twoChains(params);
    for (int r = 0; r < p; ++r) {
        const int down = r, up = 2 * p - 1 - r;
        const bool near_start = r < p / 2;
        DualPipeRank rank(schedule.orders[static_cast<std::size_t>(r)], near_start ? down : up,
                          near_start ? up : down);
        rank.run(p / 2, std::min(r, p - 1 - r), params.m / 2);
    }
    return schedule;
}

std::vector<Problem> dualPipeProblems(const ScheduleParams& params) {
    std::vector<Problem> found = evenProblems(params);
    if (params.m >= 2 * params.p) return found;
    std::erase_if(found, [](const Problem& problem) { return problem.field == "m"; });
    found.push_back(tooFewMicrobatches(params, {2L * params.p}));
    return found;
}

Schedule dualPipeV(const ScheduleParams& params) {
    const int p = params.p;
    Schedule schedule = singleChain(params, zigzagPlacement(p, 2));
    for (int r = 0; r < p; ++r)
        DualPipeRank(schedule.orders[static_cast<std::size_t>(r)], r, 2 * p - 1 - r).run(p, r, params.m);
    return schedule;
}

std::vector<Problem> dualPipeVProblems(const ScheduleParams& params) {
    if (params.m >= 2 * params.p) return {};
    return {tooFewMicrobatches(params, {2L * params.p})};
}

}  // namespace bscope::generators
