#include "cards/quiz_values.h"

#include <algorithm>
#include <optional>

#include "catalog/catalog.h"
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
    for (std::size_t stage = 0; stage < setting.stage_times.size(); ++stage)
        for (const DurationField& field : kDurationFields)
            costs.stages[stage].*field.ns *= setting.stage_times[stage];
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

// The first backward before its own forward.
std::optional<Action> backwardThatComesFirst(const std::vector<Action>& order) {
    for (const Action& action : order) {
        const auto forward = std::ranges::find(order, Action{action.stage, Op::Forward, action.microbatch});
        if (&*forward > &action) return action;
    }
    return std::nullopt;
}

std::string nameOf(const Action& action) {
    return orderText({action});
}

// What an action needs that another stage makes; of a pipeline with a stage a rank.
std::optional<Action> inputOf(const Action& action, int stages) {
    const bool forward = action.op == Op::Forward;
    const int from = action.stage + (forward ? -1 : 1);
    if (from < 0 || from >= stages) return std::nullopt;
    return Action{from, action.op, action.microbatch};
}

// Plays the orders until nothing can run: how many actions of each rank did.
std::vector<std::size_t> playedUntilStuck(const Schedule& schedule) {
    const int stages = schedule.stageCount();
    std::vector<std::size_t> done(schedule.orders.size(), 0);
    const auto isDone = [&](const Action& action) {
        const std::vector<Action>& order = schedule.orders[at(action.stage)];
        return std::ranges::find(order, action) - order.begin() <
               static_cast<std::ptrdiff_t>(done[at(action.stage)]);
    };
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::size_t rank = 0; rank < done.size(); ++rank) {
            if (done[rank] == schedule.orders[rank].size()) continue;
            const Action& next = schedule.orders[rank][done[rank]];
            const std::optional<Action> input = inputOf(next, stages);
            if (input && !isDone(*input)) continue;
            ++done[rank];
            goes_on = true;
        }
    }
    return done;
}

// Whether `wanted` of a stuck rank has to be done before `action` of another can be, by inputs and by the
// orders of the others.
bool needs(const Schedule& schedule, const std::vector<std::size_t>& done, const Action& action,
           const Action& wanted, std::vector<Action>& seen) {
    if (action == wanted) return true;
    if (std::ranges::find(seen, action) != seen.end()) return false;
    seen.push_back(action);
    const std::vector<Action>& order = schedule.orders[at(action.stage)];
    const auto place = static_cast<std::size_t>(std::ranges::find(order, action) - order.begin());
    if (place < done[at(action.stage)]) return false;
    const std::optional<Action> input = inputOf(action, schedule.stageCount());
    if (input && needs(schedule, done, *input, wanted, seen)) return true;
    return action.stage != wanted.stage && place > done[at(action.stage)] &&
           needs(schedule, done, order[place - 1], wanted, seen);
}

// What is wrong in this rank's order, said of it and not of those that wait for it.
Sentence faultOf(const Schedule& schedule, int rank) {
    const std::vector<Action>& order = schedule.orders[at(rank)];
    if (const auto backward = backwardThatComesFirst(order))
        return sentence("{0} comes before {1}, whose activations it needs", nameOf(*backward),
                        nameOf({rank, Op::Forward, backward->microbatch}));
    const std::vector<std::size_t> done = playedUntilStuck(schedule);
    const Action& stuck = order[done[at(rank)]];
    for (std::size_t later = done[at(rank)] + 1; later < order.size(); ++later) {
        std::vector<Action> seen;
        if (needs(schedule, done, *inputOf(stuck, schedule.stageCount()), order[later], seen))
            return sentence(
                "it stops at {0}: what that needs is made from {1}, which comes later in the same order",
                nameOf(stuck), nameOf(order[later]));
    }
    return locateErrors(schedule).front().what;
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
            if (!locateErrors(changed).empty())
                broken.push_back(
                    {swapped, faultOf(changed, rank), backwardThatComesFirst(swapped).has_value()});
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
