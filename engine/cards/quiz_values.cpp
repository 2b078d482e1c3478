#include "cards/quiz_values.h"

#include <algorithm>

#include "schedule/catalog.h"
#include "schedule/index.h"
#include "schedule/validate.h"
#include "timeline/predict.h"

namespace bscope::quiz {

Schedule scheduleOf(const QuizSetting& setting) {
    ScheduleParams params;
    params.p = setting.p;
    params.v = setting.v;
    params.m = setting.m;
    Schedule schedule = makeSchedule(setting.schedule, params);
    if (!setting.order.empty()) schedule.orders[at(setting.rank)] = setting.order;
    return schedule;
}

Played played(const QuizSetting& setting) {
    Played out;
    out.schedule = scheduleOf(setting);
    Costs costs = unitCosts(out.schedule.stageCount(), 1, setting.b / 2, setting.b / 2, 0);
    for (std::size_t stage = 0; stage < costs.stages.size(); ++stage)
        if (setting.is_slow && out.schedule.placement[stage] == setting.rank)
            for (const DurationField& field : kDurationFields) costs.stages[stage].*field.ns *= kSlowRank;
    out.timeline =
        predict(lower(out.schedule, setting.recomputes ? Recompute::Full : Recompute::None), costs);
    out.summary = summarize(out.timeline, 0);
    std::size_t messages = 0;
    for (int rank = 0; rank < out.timeline.ranks(); ++rank) messages += out.timeline.receives(rank).size();
    out.messages_of_microbatch = static_cast<int>(messages) / setting.m;
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
