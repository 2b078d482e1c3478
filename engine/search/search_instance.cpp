#include "search/search_instance.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "schedule/index.h"

namespace bscope {

SearchInstance::SearchInstance(int p_, int v_, int m_, std::vector<int> stage_ranks, const Costs& costs,
                               int most_chunks)
    : p(p_),
      v(v_),
      m(m_),
      stages(p_ * v_),
      limit(most_chunks),
      hop_ns(std::llround(costs.hopNs())),
      placement(std::move(stage_ranks)),
      owned(at(p_)) {
    for (int stage = 0; stage < stages; ++stage) {
        owned[at(placement[at(stage)])].push_back(stage);
        const StageCosts& each = costs.stages.at(at(stage));
        forward.push_back(std::llround(each.forward_ns));
        whole.push_back(std::llround(each.backward_ns));
        input.push_back(std::llround(each.input_ns));
        weight.push_back(std::llround(each.weight_ns));
    }
}

std::int64_t SearchInstance::duration(const Action& action) const {
    switch (action.op) {
        case Op::Forward:
            return forward[at(action.stage)];
        case Op::Backward:
            return whole[at(action.stage)];
        case Op::BackwardInput:
            return input[at(action.stage)];
        default:
            return weight[at(action.stage)];
    }
}

// Of so many chunks, m of each duration and the first durations first.
std::int64_t SearchInstance::sumOfFirst(const std::vector<std::int64_t>& durations, int count) const {
    std::int64_t sum = 0;
    for (const std::int64_t duration : durations) {
        sum += std::min(count, m) * duration;
        count -= std::min(count, m);
    }
    return sum;
}

LowerBound SearchInstance::lowerBound() const {
    // The least a stage can take for its gradient to go on, for its whole backward, and to have nothing left.
    const auto gradient = [this](int s) { return std::min(input[at(s)], whole[at(s)]); };
    const auto backward = [this](int s) { return std::min(input[at(s)] + weight[at(s)], whole[at(s)]); };
    std::vector<std::int64_t> head(at(stages), 0);   // until F(s, 0) can start
    std::vector<std::int64_t> tail(at(stages), 0);   // after the gradient of s has gone on: stages before it
    std::vector<std::int64_t> below(at(stages), 0);  // from the end of F(s) to the arrival of its gradient
    const std::int64_t last_step = backward(0) - gradient(0);
    tail[0] = last_step;
    for (int s = 1; s < stages; ++s) {
        head[at(s)] = head[at(s - 1)] + forward[at(s - 1)] + hop(s - 1, s);
        tail[at(s)] = std::max(tail[at(s - 1)] + gradient(s - 1) + hop(s, s - 1), backward(s) - gradient(s));
    }
    for (int s = stages - 2; s >= 0; --s)
        below[at(s)] = below[at(s + 1)] + forward[at(s + 1)] + gradient(s + 1) + 2 * hop(s, s + 1);
    LowerBound bound;
    bound.ns = bound.work_ns = forward[0] + below[0] + gradient(0) + tail[0];
    const auto raise = [&bound](LowerBound::Rule rule, int rank, std::int64_t start, std::int64_t work,
                                std::int64_t after) {
        if (start + work + after > bound.ns) bound = {start + work + after, rule, rank, start, work, after};
    };
    for (int rank = 0; rank < p; ++rank) {
        const std::vector<int>& mine = owned[at(rank)];
        std::int64_t start = kNever, after = kNever, work = 0, urgent = 0, held = 0;
        std::int64_t first_gradient = kNever;  // can begin
        std::vector<std::int64_t> forwards, weights;
        for (const int s : mine) {
            start = std::min(start, head[at(s)]);
            after = std::min(after, tail[at(s)]);
            first_gradient = std::min(first_gradient, head[at(s)] + forward[at(s)] + below[at(s)]);
            work += m * (forward[at(s)] + backward(s));
            urgent += m * (forward[at(s)] + gradient(s));
            held += m * (forward[at(s)] + below[at(s)] + backward(s));
            forwards.push_back(forward[at(s)]);
            weights.push_back(backward(s) - gradient(s));
        }
        raise(LowerBound::Rule::Work, rank, start, work, 0);
        raise(LowerBound::Rule::Gradients, rank, start, urgent, after);
        raise(LowerBound::Rule::Memory, rank, start, (held + limit - 1) / limit, 0);
        // Nothing gives memory back before the first gradient, and when the last one is over no more than
        // `limit` weight gradients are left.
        std::ranges::sort(forwards, std::greater());
        std::ranges::sort(weights);
        const std::int64_t before = sumOfFirst(forwards, limit);
        const int chunks = m * static_cast<int>(mine.size());
        const std::int64_t in_room = urgent + sumOfFirst(weights, std::max(0, chunks - limit));
        raise(LowerBound::Rule::Fill, rank, first_gradient, work - before, 0);
        raise(LowerBound::Rule::RoomForGradients, rank, start, in_room, after);
        raise(LowerBound::Rule::FillAndGradients, rank, first_gradient, in_room - before, after);
    }
    return bound;
}

OrderPlayer::OrderPlayer(const SearchInstance& instance)
    : instance_(instance), free_(at(instance.p)), next_(at(instance.p)), queued_(at(instance.p)) {}

std::int64_t OrderPlayer::inputEnd(const Action& action) const {
    const SearchInstance& in = instance_;
    const int s = action.stage, i = action.microbatch;
    if (action.op == Op::Forward) return s == 0 ? 0 : forward_end_[in.cell(s - 1, i)] + in.hop(s - 1, s);
    if (action.op == Op::BackwardWeight) return gradient_end_[in.cell(s, i)];
    const std::int64_t own = forward_end_[in.cell(s, i)];
    return s == in.stages - 1 ? own : std::max(own, gradient_end_[in.cell(s + 1, i)] + in.hop(s + 1, s));
}

std::int64_t OrderPlayer::makespan(const Orders& orders) {
    const SearchInstance& in = instance_;
    forward_end_.assign(in.cell(in.stages, 0), SearchInstance::kNever);
    gradient_end_.assign(in.cell(in.stages, 0), SearchInstance::kNever);
    std::fill(free_.begin(), free_.end(), 0);
    std::fill(next_.begin(), next_.end(), 0);
    std::fill(queued_.begin(), queued_.end(), true);
    queue_.resize(at(in.p));
    std::iota(queue_.begin(), queue_.end(), 0);
    while (!queue_.empty()) {
        const int rank = queue_.back();
        queue_.pop_back();
        queued_[at(rank)] = false;
        const std::vector<Action>& order = orders[at(rank)];
        for (std::size_t& next = next_[at(rank)]; next < order.size(); ++next) {
            const Action& action = order[next];
            const std::int64_t ready = inputEnd(action);
            if (ready >= SearchInstance::kNever) break;
            const std::int64_t end = std::max(free_[at(rank)], ready) + in.duration(action);
            free_[at(rank)] = end;
            if (action.op == Op::BackwardWeight) continue;
            const bool forward = action.op == Op::Forward;
            (forward ? forward_end_ : gradient_end_)[in.cell(action.stage, action.microbatch)] = end;
            const int consumer = action.stage + (forward ? 1 : -1);
            if (consumer < 0 || consumer >= in.stages) continue;
            const int waiting = in.placement[at(consumer)];
            if (waiting == rank || queued_[at(waiting)]) continue;
            queued_[at(waiting)] = true;
            queue_.push_back(waiting);
        }
    }
    for (int rank = 0; rank < in.p; ++rank)
        if (next_[at(rank)] < orders[at(rank)].size()) return SearchInstance::kNever;
    return *std::max_element(free_.begin(), free_.end());
}

}  // namespace bscope
