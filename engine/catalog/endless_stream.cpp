#include "catalog/endless_stream.h"

#include <algorithm>

#include "catalog/generators.h"

namespace bscope {

EndlessStream::EndlessStream(const Schedule& schedule, int m, Recompute recompute)
    : m_(m), steps_(m / schedule.step_every) {
    const int iterations_ahead = (schedule.params.p - 1 + m_ - 1) / m_;
    steady_ = iterations_ahead + 2;
    const int iterations = steady_ + 2 + iterations_ahead;
    ScheduleParams params = schedule.params;
    params.m = m_ * iterations;
    Schedule piece = generators::oneFOneB(params);
    piece.name = schedule.name;
    piece.params = params;
    piece.weights = schedule.weights;
    piece.step_every = schedule.step_every;
    piece_ = lower(piece, recompute);
    for (const std::vector<Action>& actions : piece_.actions) {
        std::vector<std::size_t>& cuts = cuts_.emplace_back(1, 0);
        int steps = 0;
        for (std::size_t i = 0; i < actions.size(); ++i)
            if (actions[i].op == Op::OptimizerStep && ++steps % steps_ == 0) cuts.push_back(i + 1);
    }
}

int EndlessStream::warmUp() const {
    return piece_.schedule.params.p - 1;
}

std::vector<Action> EndlessStream::share(int rank, int iteration) const {
    const auto index = static_cast<std::size_t>(rank);
    const int cut = std::min(iteration, steady_);
    const auto from = static_cast<std::ptrdiff_t>(cuts_[index][static_cast<std::size_t>(cut)]);
    const auto to = static_cast<std::ptrdiff_t>(cuts_[index][static_cast<std::size_t>(cut) + 1]);
    const auto& actions = piece_.actions[index];
    std::vector<Action> share(actions.begin() + from, actions.begin() + to);
    for (Action& action : share)
        if (action.op != Op::OptimizerStep) action.microbatch += (iteration - cut) * m_;
    return share;
}

}  // namespace bscope
