#include "hang/message_plan.h"

#include <algorithm>
#include <set>

#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

MessagePlan::MessagePlan(const Schedule& schedule, std::vector<std::vector<Action>> lists, bool is_given)
    : lists_(std::move(lists)), is_given_(is_given) {
    const Playback shape(schedule);
    std::set<Action> inputs;  // gradients that are made by I, not by B
    for (const std::vector<Action>& list : lists_)
        for (const Action& action : list)
            if (action.op == Op::BackwardInput) inputs.insert(action.as(action.op));
    const auto computation = [&inputs](int stage, bool forward, const Action& of) {
        const Action input = of.as(Op::BackwardInput, stage);
        if (forward) return of.as(Op::Forward, stage);
        return inputs.contains(input) ? input : of.as(Op::Backward, stage);
    };
    std::map<const void*, std::pair<std::size_t, std::size_t>> counts;  // sends, receives of two ranks
    for (int rank = 0; rank < ranks(); ++rank)
        for (std::size_t i = 0; i < lists_[at(rank)].size(); ++i) {
            const Action& action = lists_[at(rank)][i];
            if (!isCommunication(action.op)) continue;
            const bool forward = action.op == Op::SendForward || action.op == Op::RecvForward;
            const Action own = action.as(forward ? Op::Forward : Op::Backward);
            const bool sends = isSend(action.op);
            const int other = sends ? shape.outputStage(own) : shape.inputStage(own);
            std::vector<PlannedMessage>& all =
                sends ? messages_[{rank, shape.rank(other)}] : messages_[{shape.rank(other), rank}];
            const int from = sends ? action.stage : other, to = sends ? other : action.stage;
            // The k-th send meets the k-th receive: the first of them makes the entry of both.
            std::size_t& number = sends ? counts[&all].first : counts[&all].second;
            if (number == all.size()) all.emplace_back();
            PlannedMessage& message = all[number++];
            if (sends) {
                message.send = action;
                message.send_position = static_cast<int>(i);
                message.made_by = computation(from, forward, action);
                message.made_position = static_cast<int>(i);
                while (message.made_position > 0 &&
                       lists_[at(rank)][at(message.made_position)] != message.made_by)
                    --message.made_position;
            } else {
                message.receive = action;
                message.receive_position = static_cast<int>(i);
                message.needed_by = computation(to, forward, action);
            }
        }
}

const std::vector<PlannedMessage>& MessagePlan::messages(int from, int to) const {
    static const std::vector<PlannedMessage> none;
    const auto found = messages_.find({from, to});
    return found == messages_.end() ? none : found->second;
}

Action MessagePlan::computationAfter(int rank, int position) const {
    const std::vector<Action>& list = lists_[at(rank)];
    const auto computes = [](const Action& action) { return isCompute(action.op); };
    auto next = std::find_if(list.begin() + position + 1, list.end(), computes);
    if (next == list.end()) next = std::ranges::find_if(list, computes);
    return next == list.end() ? Action{} : *next;
}

}  // namespace bscope
