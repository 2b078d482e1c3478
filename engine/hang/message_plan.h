// MessagePlan: the messages of an order, by the two ranks that exchange them: the k-th that one rank sends
// another in an iteration, with the computation that makes it and the one that needs it. Immutable; any
// thread.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

struct PlannedMessage {
    Action send, receive;
    Action made_by, needed_by;
    int send_position = -1, receive_position = -1;  // in the lists of the two ranks
    int made_position = -1;                         // of made_by
};

class MessagePlan {
public:
    // lists (ranks, ...) as those of a Program; every message must have two ends. is_given: the order of
    // sends and receives was given, not made by lowering.
    MessagePlan(const Schedule& schedule, std::vector<std::vector<Action>> lists, bool is_given);

    int ranks() const { return static_cast<int>(lists_.size()); }
    bool isGiven() const { return is_given_; }
    const std::vector<std::vector<Action>>& lists() const { return lists_; }
    // In the order of their sends; empty when the two exchange none.
    const std::vector<PlannedMessage>& messages(int from, int to) const;
    // The next computation of a rank after a position in its list, also of the next iteration.
    Action computationAfter(int rank, int position) const;

private:
    std::vector<std::vector<Action>> lists_;
    std::map<std::pair<int, int>, std::vector<PlannedMessage>> messages_;
    bool is_given_;
};

}  // namespace bscope
