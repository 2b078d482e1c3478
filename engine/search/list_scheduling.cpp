#include "search/list_scheduling.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "schedule/index.h"

namespace bscope {

namespace {

class Walk {
public:
    Walk(const SearchInstance& instance, const ListRules& rules)
        : in_(instance),
          rules_(rules),
          forward_end_(in_.cell(in_.stages, 0), SearchInstance::kNever),
          gradient_end_(forward_end_),
          next_forward_(at(in_.stages), 0),
          next_backward_(at(in_.stages), 0),
          ranks_(at(in_.p)),
          orders_(at(in_.p)) {
        left_ = in_.stages * in_.m * (rules.split ? 3 : 2);
        for (int r = 0; r < in_.p; ++r) {
            const int window = rules.window - rules.window_per_rank * r;
            ranks_[at(r)].limit =
                rules.window == 0 ? in_.limit : std::clamp(window, std::min(in_.v, in_.limit), in_.limit);
        }
    }

    std::optional<Orders> run() {
        times_.push(0);
        while (left_ > 0) {
            if (times_.empty()) return std::nullopt;
            now_ = times_.top();
            while (!times_.empty() && times_.top() == now_) times_.pop();
            for (bool progress = true; progress;) {
                progress = false;
                for (int rank = 0; rank < in_.p; ++rank) progress |= serve(rank);
            }
        }
        return std::move(orders_);
    }

private:
    struct Rank {
        std::int64_t free_ns = 0;
        int limit = 0, in_flight = 0, inside = 0;  // inside: micro-batches that have entered and not left
        std::vector<Action> weights;               // pending, from `first_weight` on
        std::size_t first_weight = 0, next = 0;    // next of the skeleton
        bool last_was_forward = false;
        std::size_t pending() const { return weights.size() - first_weight; }
    };

    std::int64_t arrival(const Action& a) const {
        const int s = a.stage, i = a.microbatch;
        if (a.op == Op::Forward) return s == 0 ? 0 : forward_end_[in_.cell(s - 1, i)] + in_.hop(s - 1, s);
        const std::int64_t own = forward_end_[in_.cell(s, i)];
        return s == in_.stages - 1 ? own
                                   : std::max(own, gradient_end_[in_.cell(s + 1, i)] + in_.hop(s + 1, s));
    }

    bool serve(int rank_index) {
        Rank& rank = ranks_[at(rank_index)];
        if (rank.free_ns > now_) return false;
        next_arrival_ = SearchInstance::kNever;
        blocked_ = false;
        if (rules_.weights == ListRules::Weights::AtOnce && rank.pending() > 0)
            return startWeight(rank_index);
        if (rules_.weights == ListRules::Weights::Lagging && rank.pending() > at(rank_index))
            return startWeight(rank_index);
        const auto action = rules_.skeleton != nullptr ? nextOfSkeleton(rank_index) : choose(rank_index);
        if (action) {
            start(rank_index, *action);
            return true;
        }
        if (rank.pending() == 0) return false;
        const Action& weight = rank.weights[rank.first_weight];
        const auto worth_waiting =
            static_cast<std::int64_t>(rules_.patience * static_cast<double>(in_.duration(weight)));
        if (!blocked_ && next_arrival_ < now_ + worth_waiting) return false;
        return startWeight(rank_index);
    }

    bool startWeight(int rank_index) {
        Rank& rank = ranks_[at(rank_index)];
        start(rank_index, rank.weights[rank.first_weight++]);
        return true;
    }

    std::optional<Action> nextOfSkeleton(int rank_index) {
        Rank& rank = ranks_[at(rank_index)];
        const std::vector<Action>& order = (*rules_.skeleton)[at(rank_index)];
        while (rank.next < order.size() && order[rank.next].op == Op::BackwardWeight) ++rank.next;
        if (rank.next == order.size()) return std::nullopt;
        Action action = order[rank.next];
        action.overlaps_next = false;
        if (action.op != Op::Forward) action.op = rules_.split ? Op::BackwardInput : Op::Backward;
        if (!isReady(action) || !hasRoom(rank, action)) return std::nullopt;
        ++rank.next;
        return action;
    }

    // Notes when something will be ready.
    bool isReady(const Action& action) {
        const std::int64_t when = arrival(action);
        if (when <= now_) return true;
        next_arrival_ = std::min(next_arrival_, when);
        return false;
    }

    bool hasRoom(const Rank& rank, const Action& action) {
        const bool enters = rules_.whole_ways && action.stage < in_.p;
        const bool room = action.op != Op::Forward || (rank.in_flight < rank.limit &&
                                                       (!enters || (rank.inside + 1) * in_.v <= rank.limit));
        blocked_ |= !room;
        return room;
    }

    std::optional<Action> choose(int rank_index) {
        const Rank& rank = ranks_[at(rank_index)];
        const bool forward_first = rules_.prefer == ListRules::Prefer::Forward ||
                                   (rules_.prefer == ListRules::Prefer::Alternate && !rank.last_was_forward);
        const auto forward = bestForward(rank_index), backward = bestBackward(rank_index);
        return (forward_first ? forward : backward) ? (forward_first ? forward : backward)
                                                    : (forward_first ? backward : forward);
    }

    std::optional<Action> bestBackward(int rank_index) {
        std::optional<Action> best;
        for (const int s : in_.owned[at(rank_index)]) {
            if (next_backward_[at(s)] == in_.m) continue;
            const Action action{s, rules_.split ? Op::BackwardInput : Op::Backward, next_backward_[at(s)]};
            if (!isReady(action)) continue;
            if (!best || action.microbatch <= best->microbatch) best = action;
        }
        return best;
    }

    std::optional<Action> bestForward(int rank_index) {
        std::optional<Action> best;
        for (const int s : in_.owned[at(rank_index)]) {
            if (next_forward_[at(s)] == in_.m) continue;
            const Action action{s, Op::Forward, next_forward_[at(s)]};
            if (!isReady(action) || !hasRoom(ranks_[at(rank_index)], action)) continue;
            if (!best || comesBefore(action, *best)) best = action;
        }
        return best;
    }

    bool comesBefore(const Action& a, const Action& b) const {
        switch (rules_.chunks) {
            case ListRules::Chunks::Deepest:
                return a.stage > b.stage;
            case ListRules::Chunks::Groups:
                if (a.microbatch / in_.p != b.microbatch / in_.p)
                    return a.microbatch / in_.p < b.microbatch / in_.p;
                return a.stage < b.stage;
            case ListRules::Chunks::Oldest:
                return a.microbatch < b.microbatch;
        }
        return false;
    }

    void start(int rank_index, const Action& action) {
        Rank& rank = ranks_[at(rank_index)];
        const std::int64_t end = now_ + in_.duration(action);
        rank.free_ns = end;
        times_.push(end);
        orders_[at(rank_index)].push_back(action);
        --left_;
        const int s = action.stage;
        switch (action.op) {
            case Op::Forward:
                forward_end_[in_.cell(s, action.microbatch)] = end;
                next_forward_[at(s)] = action.microbatch + 1;
                ++rank.in_flight;
                if (s < in_.p) ++rank.inside;
                rank.last_was_forward = true;
                if (s + 1 < in_.stages && in_.hop(s, s + 1) > 0) times_.push(end + in_.hop(s, s + 1));
                break;
            case Op::BackwardInput:
            case Op::Backward:
                gradient_end_[in_.cell(s, action.microbatch)] = end;
                next_backward_[at(s)] = action.microbatch + 1;
                rank.last_was_forward = false;
                if (action.op == Op::BackwardInput)
                    rank.weights.push_back({s, Op::BackwardWeight, action.microbatch});
                else
                    release(rank, s);
                if (s > 0 && in_.hop(s, s - 1) > 0) times_.push(end + in_.hop(s, s - 1));
                break;
            default:
                release(rank, s);
        }
    }

    void release(Rank& rank, int stage) {
        --rank.in_flight;
        if (stage < in_.p) --rank.inside;
    }

    const SearchInstance& in_;
    const ListRules& rules_;
    std::vector<std::int64_t> forward_end_, gradient_end_;
    std::vector<int> next_forward_, next_backward_;  // (stages,)
    std::vector<Rank> ranks_;
    Orders orders_;
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> times_;
    std::int64_t now_ = 0, next_arrival_ = 0;
    bool blocked_ = false;  // a ready forward found no room
    int left_ = 0;
};

}  // namespace

std::optional<Orders> listSchedule(const SearchInstance& instance, const ListRules& rules) {
    return Walk(instance, rules).run();
}

}  // namespace bscope
