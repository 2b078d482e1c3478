// Slots: schedules given by a rule that says in which time slot an operation runs. A rank's order is its
// operations sorted by slot; two operations of a rank never share one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "schedule/action.h"

namespace bscope {

// Calls visit(i) for each of count things in the order of their slots, those of one slot in their own order:
// slots lie so close together that counting is quicker than comparing.
template <class SlotOf, class Visit>
void inOrderOfSlots(std::size_t count, SlotOf slot_of, Visit visit) {
    if (count == 0) return;
    int least = slot_of(0), greatest = least;
    for (std::size_t i = 1; i < count; ++i) {
        least = std::min(least, slot_of(i));
        greatest = std::max(greatest, slot_of(i));
    }
    const auto box = [&](std::size_t i) { return static_cast<std::size_t>(slot_of(i) - least); };
    std::vector<std::size_t> place(static_cast<std::size_t>(greatest - least) + 2);
    for (std::size_t i = 0; i < count; ++i) ++place[box(i) + 1];
    for (std::size_t t = 1; t < place.size(); ++t) place[t] += place[t - 1];
    std::vector<std::size_t> sorted(count);
    for (std::size_t i = 0; i < count; ++i) sorted[place[box(i)]++] = i;
    for (const std::size_t i : sorted) visit(i);
}

class SlotOrder {
public:
    void reserve(std::size_t count) { cells_.reserve(count); }
    void put(int slot, const Action& action) { cells_.emplace_back(slot, action); }

    std::vector<Action> sorted() const {
        std::vector<Action> order;
        order.reserve(cells_.size());
        inOrderOfSlots(
            cells_.size(), [this](std::size_t i) { return cells_[i].first; },
            [&](std::size_t i) { order.push_back(cells_[i].second); });
        return order;
    }

private:
    std::vector<std::pair<int, Action>> cells_;
};

}  // namespace bscope
