// Slots: schedules given by a rule that says in which time slot an operation runs. A rank's order is its
// operations sorted by slot; two operations of a rank never share one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/action.h"

namespace bscope {

class SlotOrder {
public:
    void put(int slot, const Action& action) { cells_.emplace_back(slot, action); }

    std::vector<Action> sorted() && {
        std::sort(cells_.begin(), cells_.end());
        std::vector<Action> order;
        order.reserve(cells_.size());
        for (const auto& [slot, action] : cells_) order.push_back(action);
        return order;
    }

private:
    std::vector<std::pair<int, Action>> cells_;
};

}  // namespace bscope
