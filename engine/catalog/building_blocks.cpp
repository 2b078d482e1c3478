#include "catalog/building_blocks.h"

#include <algorithm>

#include "catalog/generators.h"
#include "catalog/slots.h"
#include "schedule/index.h"

namespace bscope {

namespace {

constexpr BuildingBlocks::Kind kComputeKinds[] = {BuildingBlocks::ForwardA, BuildingBlocks::ForwardB,
                                                  BuildingBlocks::BackwardB, BuildingBlocks::BackwardA};

bool isForward(BuildingBlocks::Kind kind) {
    return kind == BuildingBlocks::ForwardA || kind == BuildingBlocks::ForwardB;
}
bool isBackward(BuildingBlocks::Kind kind) {
    return kind == BuildingBlocks::BackwardA || kind == BuildingBlocks::BackwardB;
}
// The rank before this one on the micro-batch's way: down the V for ForwardA and BackwardB, up for the
// others.
int rankBefore(BuildingBlocks::Kind kind, int rank) {
    return kind == BuildingBlocks::ForwardA || kind == BuildingBlocks::BackwardB ? rank - 1 : rank + 1;
}

}  // namespace

BuildingBlocks::BuildingBlocks(const std::vector<Block>& blocks, int m, Backward backward)
    : p_(static_cast<int>(blocks.size())), m_(m), backward_(backward), slots_(at(p_) * 6 * at(m)) {
    for (int rank = 0; rank < p_; ++rank)
        for (Kind kind : kComputeKinds)
            for (int i = 0; i < m; ++i) slot(rank, kind, i) = blocks[at(rank)][at(kind)] + kPeriod * i;
}

std::size_t BuildingBlocks::position(int rank, Kind kind, int index) const {
    return at(rank) * 6 * at(m_) + at(kind) * at(m_) + at(index);
}

int BuildingBlocks::length(Kind kind) const {
    return isBackward(kind) && backward_ == Backward::Whole ? 2 : 1;
}

BuildingBlocks::Use BuildingBlocks::use(Kind kind) const {
    if (isForward(kind)) return Use::Forward;
    if (kind == Weight) return Use::Weight;
    return backward_ == Backward::Whole ? Use::Whole : Use::Input;
}

std::vector<BuildingBlocks::Use> BuildingBlocks::usesOf(int rank) const {
    int end = 0;
    for (int i = 0; i < m_; ++i)
        for (Kind kind : kComputeKinds) end = std::max(end, slot(rank, kind, i) + length(kind));
    if (has_weights_)
        for (int i = 0; i < 2 * m_; ++i) end = std::max(end, slot(rank, Weight, i) + 1);
    std::vector<Use> uses(at(end), Use::Idle);
    for (int i = 0; i < m_; ++i)
        for (Kind kind : kComputeKinds) {
            uses[at(slot(rank, kind, i))] = use(kind);
            if (length(kind) == 2) uses[at(slot(rank, kind, i) + 1)] = Use::WholeEnd;
        }
    if (has_weights_)
        for (int i = 0; i < 2 * m_; ++i) uses[at(slot(rank, Weight, i))] = Use::Weight;
    return uses;
}

void BuildingBlocks::fillWeights() {
    for (int rank = 0; rank < p_; ++rank) {
        const std::vector<Use> uses = usesOf(rank);
        int pending = 0, placed = 0;
        for (int t = 0; placed < 2 * m_; ++t) {
            const Use here = at(t) < uses.size() ? uses[at(t)] : Use::Idle;
            if (here == Use::Input) ++pending;
            if (here != Use::Idle || pending == 0) continue;
            slot(rank, Weight, placed++) = t;
            --pending;
        }
    }
    has_weights_ = true;
}

void BuildingBlocks::dropWeights() {
    has_weights_ = false;
}

std::vector<BuildingBlocks::Operation> BuildingBlocks::inOrderOfTime() const {
    std::vector<Operation> operations;
    operations.reserve(slots_.size());
    for (int rank = 0; rank < p_; ++rank) {
        for (Kind kind : kComputeKinds)
            for (int i = 0; i < m_; ++i) operations.push_back({slot(rank, kind, i), rank, kind, i});
        if (has_weights_)
            for (int i = 0; i < 2 * m_; ++i) operations.push_back({slot(rank, Weight, i), rank, Weight, i});
    }
    std::vector<Operation> sorted;
    sorted.reserve(operations.size());
    inOrderOfSlots(
        operations.size(), [&](std::size_t i) { return operations[i].slot; },
        [&](std::size_t i) { sorted.push_back(operations[i]); });
    return sorted;
}

// First slot after all inputs of the operation.
int BuildingBlocks::earliest(const Operation& operation) const {
    const auto [old_slot, rank, kind, i] = operation;
    int first = i > 0 ? slot(rank, kind, i - 1) + length(kind) : 0;
    if (kind == Weight) return std::max(first, inputs_[at(rank)][at(i)] + 1);
    const int before = rankBefore(kind, rank);
    if (before >= 0 && before < p_) first = std::max(first, slot(before, kind, i) + length(kind));
    if (kind == ForwardA) return first;
    const auto previous = static_cast<Kind>(kind - 1);
    return std::max(first, slot(rank, previous, i) + length(previous));
}

void BuildingBlocks::occupy(const Operation& operation, int to) {
    std::vector<Use>& uses = uses_[at(operation.rank)];
    uses[at(to)] = use(operation.kind);
    if (length(operation.kind) == 2) uses[at(to) + 1] = Use::WholeEnd;
}

void BuildingBlocks::vacate(const Operation& operation, int from) {
    std::fill_n(uses_[at(operation.rank)].begin() + from, length(operation.kind), Use::Idle);
}

bool BuildingBlocks::isFree(const Operation& operation, int to) const {
    const auto first = uses_[at(operation.rank)].begin() + to;
    return std::all_of(first, first + length(operation.kind), [](Use use) { return use == Use::Idle; });
}

BuildingBlocks::Level BuildingBlocks::after(Level before, Use use) const {
    switch (use) {
        case Use::Forward:
            return {before.held + 1, before.pending};
        case Use::Weight:
        case Use::Whole:
            return {before.held - 1, before.pending};
        case Use::WholeEnd:
            return before;
        case Use::Input:
            return {before.held, before.pending + (weights_in_idle_slots_ ? 1 : 0)};
        case Use::Idle:
            break;
    }
    return before.pending > 0 ? Level{before.held - 1, before.pending - 1} : before;
}

void BuildingBlocks::prepare(bool weights_in_idle_slots) {
    weights_in_idle_slots_ = weights_in_idle_slots;
    uses_.clear();
    levels_.clear();
    inputs_.clear();
    limit_ = 0;
    for (int rank = 0; rank < p_; ++rank) {
        uses_.push_back(usesOf(rank));
        std::vector<Level>& levels = levels_.emplace_back();
        std::vector<int>& inputs = inputs_.emplace_back();
        Level level;
        for (std::size_t t = 0; t < uses_.back().size(); ++t) {
            level = after(level, uses_.back()[t]);
            levels.push_back(level);
            limit_ = std::max(limit_, level.held);
            if (uses_.back()[t] == Use::Input) inputs.push_back(static_cast<int>(t));
        }
    }
}

// Whether the rank stays within the limit when the operation, taken out of its slot, is put into an earlier
// one. From there on the levels are followed until they are what they were.
bool BuildingBlocks::fits(const Operation& operation, int to) {
    occupy(operation, to);
    const std::vector<Use>& uses = uses_[at(operation.rank)];
    const std::vector<Level>& levels = levels_[at(operation.rank)];
    const int settled = operation.slot + length(operation.kind);
    Level level = to > 0 ? levels[at(to - 1)] : Level{};
    bool within = true;
    for (auto t = at(to); within && t < uses.size(); ++t) {
        level = after(level, uses[t]);
        within = level.held <= limit_;
        if (at(settled) <= t + 1 && level == levels[t]) break;
    }
    vacate(operation, to);
    return within;
}

void BuildingBlocks::move(const Operation& operation, int to) {
    const auto [from, rank, kind, i] = operation;
    occupy(operation, to);
    if (to == from) return;
    slot(rank, kind, i) = to;
    const std::vector<Use>& uses = uses_[at(rank)];
    std::vector<Level>& levels = levels_[at(rank)];
    Level level = to > 0 ? levels[at(to - 1)] : Level{};
    for (auto t = at(to); t < uses.size(); ++t) {
        level = after(level, uses[t]);
        if (at(from + length(kind)) <= t + 1 && level == levels[t]) break;
        levels[t] = level;
    }
    if (use(kind) != Use::Input) return;
    std::vector<int>& inputs = inputs_[at(rank)];
    const auto old_place = std::lower_bound(inputs.begin(), inputs.end(), from);
    const auto new_place = std::lower_bound(inputs.begin(), old_place, to);
    std::rotate(new_place, old_place, old_place + 1);
    *new_place = to;
}

void BuildingBlocks::sweep(Sweep what) {
    enum class Phase { WarmUp, Steady, CoolDown } phase = Phase::WarmUp;
    prepare(what == Sweep::CoolDown);
    for (const Operation& operation : inOrderOfTime()) {
        if (phase == Phase::WarmUp && operation.rank == 0 && operation.kind == BackwardA)
            phase = Phase::Steady;
        const bool movable = what == Sweep::Everything || phase == Phase::CoolDown ||
                             (phase == Phase::WarmUp && what == Sweep::WarmUpAndCoolDown);
        if (phase == Phase::Steady && operation.kind == ForwardA && operation.index == m_ - 1)
            phase = Phase::CoolDown;
        if (!movable) continue;
        vacate(operation, operation.slot);
        int to = earliest(operation);
        while (to < operation.slot && !(isFree(operation, to) && fits(operation, to))) ++to;
        move(operation, to);
    }
}

void BuildingBlocks::squeeze() {
    const std::vector<Operation> operations = inOrderOfTime();
    std::vector<int> free(at(p_), 0);
    for (const Operation& operation : operations) {
        int start = free[at(operation.rank)];
        if (operation.kind != Weight) {
            // Operations earlier in time already stand where they belong.
            const int before = rankBefore(operation.kind, operation.rank);
            if (before >= 0 && before < p_)
                start =
                    std::max(start, slot(before, operation.kind, operation.index) + length(operation.kind));
        }
        slot(operation.rank, operation.kind, operation.index) = start;
        free[at(operation.rank)] = start + length(operation.kind);
    }
}

Schedule BuildingBlocks::finish(const ScheduleParams& params) const {
    Schedule schedule = generators::singleChain(params, zigzagPlacement(p_, 2));
    for (int rank = 0; rank < p_; ++rank) {
        const int stage_a = rank, stage_b = 2 * p_ - 1 - rank;
        const Op backward = backward_ == Backward::Whole ? Op::Backward : Op::BackwardInput;
        SlotOrder order;
        order.reserve(6 * at(m_));
        for (int i = 0; i < m_; ++i) {
            order.put(slot(rank, ForwardA, i), {stage_a, Op::Forward, i});
            order.put(slot(rank, ForwardB, i), {stage_b, Op::Forward, i});
            order.put(slot(rank, BackwardB, i), {stage_b, backward, i});
            order.put(slot(rank, BackwardA, i), {stage_a, backward, i});
        }
        if (backward_ == Backward::Split) {
            const std::vector<Use> uses = usesOf(rank);
            int weights_a = 0, weights_b = 0;
            for (int t = 0; weights_a < m_ || weights_b < m_; ++t) {
                if (at(t) < uses.size() && uses[at(t)] != Use::Idle) continue;
                if (weights_b < m_ && slot(rank, BackwardB, weights_b) < t)
                    order.put(t, {stage_b, Op::BackwardWeight, weights_b++});
                else if (weights_a < m_ && slot(rank, BackwardA, weights_a) < t)
                    order.put(t, {stage_a, Op::BackwardWeight, weights_a++});
            }
        }
        schedule.orders[at(rank)] = order.sorted();
    }
    return schedule;
}

}  // namespace bscope
