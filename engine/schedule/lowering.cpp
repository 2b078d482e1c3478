#include "schedule/lowering.h"

#include <algorithm>
#include <array>

#include "schedule/lowering_pass.h"

namespace bscope {

namespace {

constexpr std::size_t kActiveStages = 3;  // PyTorch keeps the weights of the next three distinct stages

// Up to three distinct stages, the next needed first.
struct Upcoming {
    std::array<int, kActiveStages> stages = {};
    std::size_t count = 0;

    const int* begin() const { return stages.data(); }
    const int* end() const { return stages.data() + count; }
    bool contains(int stage) const { return std::find(begin(), end(), stage) != end(); }
};

// The stages of an order read from its back, the latest first.
class RecentStages {
public:
    void see(int stage) {
        const auto found = std::find(stages_.begin(), stages_.end(), stage);
        if (found == stages_.end())
            stages_.insert(stages_.begin(), stage);
        else
            std::rotate(stages_.begin(), found, found + 1);
    }
    Upcoming upcoming() const {
        Upcoming first;
        first.count = std::min(kActiveStages, stages_.size());
        std::copy_n(stages_.begin(), first.count, first.stages.begin());
        return first;
    }

private:
    std::vector<int> stages_;
};

// What stands between two needs, in the order of the list.
void addChanges(const Upcoming& before, const Upcoming& after, std::size_t position,
                std::vector<WeightCell>& cells) {
    for (const int stage : before)
        if (!after.contains(stage))
            cells.push_back({position, {Cell::Kind::Reshard, {stage, Op::Forward, -1}}});
    for (const int stage : after)
        if (!before.contains(stage))
            cells.push_back({position, {Cell::Kind::Unshard, {stage, Op::Forward, -1}}});
}

}  // namespace

std::vector<WeightCell> weightCells(const std::vector<Action>& order) {
    std::vector<WeightCell> cells;  // from the back, of one position in order
    RecentStages recent;
    Upcoming later;  // from position i + 1 on
    for (std::size_t i = order.size(); i-- > 0;) {
        const int stage = order[i].stage;
        if (later.count > 0 && later.stages[0] == stage) continue;
        recent.see(stage);
        const Upcoming upcoming = recent.upcoming();
        if (i + 1 < order.size() && !later.contains(stage)) {
            const auto first = static_cast<std::ptrdiff_t>(cells.size());
            addChanges(upcoming, later, i + 1, cells);
            std::reverse(cells.begin() + first, cells.end());
        }
        later = upcoming;
    }
    const auto first = static_cast<std::ptrdiff_t>(cells.size());
    addChanges({}, later, 0, cells);
    std::reverse(cells.begin() + first, cells.end());
    std::reverse(cells.begin(), cells.end());
    return cells;
}

std::vector<std::vector<Cell>> lowerCells(const Schedule& schedule) {
    std::vector<std::vector<Cell>> lists(schedule.orders.size());
    const auto place = [&lists](std::size_t rank, const Cell& cell) { lists[rank].push_back(cell); };
    LoweringPass(schedule, place).run();
    return lists;
}

}  // namespace bscope
