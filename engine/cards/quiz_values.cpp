#include "cards/quiz_values.h"

#include <algorithm>

#include "schedule/catalog.h"
#include "schedule/index.h"
#include "schedule/validate.h"
#include "timeline/predict.h"

namespace bscope::quiz {

Played played(const std::string& schedule, int p, int v, int m, double b, bool recomputes, int slow_rank) {
    constexpr double kSlow = 1.5;
    ScheduleParams params;
    params.p = p;
    params.v = v;
    params.m = m;
    Played out;
    out.schedule = makeSchedule(schedule, params);
    Costs costs = unitCosts(out.schedule.stageCount(), 1, b / 2, b / 2, 0);
    for (std::size_t stage = 0; stage < costs.stages.size(); ++stage)
        if (out.schedule.placement[stage] == slow_rank)
            for (const DurationField& field : kDurationFields) costs.stages[stage].*field.ns *= kSlow;
    const Timeline timeline =
        predict(lower(out.schedule, recomputes ? Recompute::Full : Recompute::None), costs);
    out.summary = summarize(timeline, 0);
    std::size_t messages = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank) messages += timeline.receives(rank).size();
    out.messages_of_microbatch = static_cast<int>(messages) / m;
    return out;
}

namespace {

bool backwardComesFirst(const std::vector<Action>& order) {
    return std::ranges::any_of(order, [&](const Action& action) {
        const auto forward = std::ranges::find(order, Action{action.stage, Op::Forward, action.microbatch});
        return &*forward > &action;
    });
}

}  // namespace

std::vector<BrokenOrder> brokenOrders(const Schedule& schedule, int rank) {
    std::vector<BrokenOrder> broken;
    const std::vector<Action>& order = schedule.orders[at(rank)];
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            Schedule changed = schedule;
            std::vector<Action>& swapped = changed.orders[at(rank)];
            std::swap(swapped[i], swapped[k]);
            const std::vector<ScheduleError> errors = locateErrors(changed);
            if (!errors.empty())
                broken.push_back({swapped, errors.front().what, backwardComesFirst(swapped)});
        }
    return broken;
}

std::string orderText(const std::vector<Action>& order) {
    std::string text;
    for (const Action& action : order)
        text += (text.empty() ? "" : " ") + std::string(action.op == Op::Forward ? "F" : "B") +
                std::to_string(action.microbatch);
    return text;
}

}  // namespace bscope::quiz
