// BuildingBlocks: V-shaped schedules made by repeating one micro-batch's pattern of slots (its building
// block) every kPeriod slots, and then pulling operations into idle slots without raising the memory
// (arXiv:2405.15362; the order of the steps as in sail-sg/zero-bubble). Stages in a V, two chunks a rank: a
// on the way down, b on the way back. Durations are whole slots: F, I and W one, an unsplit B two.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

class BuildingBlocks {
public:
    static constexpr int kPeriod = 6;  // F, I and W of two chunks
    // What a micro-batch passes on a rank, in this order; W follows I whenever there is room.
    enum Kind : int { ForwardA, ForwardB, BackwardB, BackwardA, Weight };
    // Slots of ForwardA, ForwardB, BackwardB, BackwardA of micro-batch 0 on one rank.
    using Block = std::array<int, 4>;
    enum class Backward { Split, Whole };

    // (p,) blocks; micro-batch j stands kPeriod * j slots later.
    BuildingBlocks(const std::vector<Block>& blocks, int m, Backward backward);

    // Puts one pending W into every idle slot, in the order of the I's.
    void fillWeights();
    void dropWeights();

    enum class Sweep {
        Everything,         // all operations
        WarmUpAndCoolDown,  // until rank 0's first BackwardA, and after the last ForwardA of some rank
        CoolDown,           // only the latter; W's are not there and count as run in idle slots
    };
    // In order of time, moves each operation to the earliest idle slot after its inputs at which no rank
    // holds more activations than the fullest rank did before the sweep.
    void sweep(Sweep what);
    // Keeps the order and starts everything as early as possible.
    void squeeze();

    // The orders; with a split backward the W's are placed anew into idle slots, chunk b's first.
    Schedule finish(const ScheduleParams& params) const;

private:
    struct Operation {
        int slot = 0, rank = 0;
        Kind kind = ForwardA;
        int index = 0;  // micro-batch; for W the position among the rank's W's
    };
    // Activations a rank holds after a slot, and I's whose W has not run.
    struct Level {
        int held = 0, pending = 0;
        bool operator==(const Level&) const = default;
    };
    enum class Use : std::uint8_t { Idle, Forward, Input, Weight, Whole, WholeEnd };

    int& slot(int rank, Kind kind, int index) { return slots_[position(rank, kind, index)]; }
    int slot(int rank, Kind kind, int index) const { return slots_[position(rank, kind, index)]; }
    std::size_t position(int rank, Kind kind, int index) const;
    int length(Kind kind) const;
    Use use(Kind kind) const;
    std::vector<Operation> inOrderOfTime() const;
    int earliest(const Operation& operation) const;
    void occupy(const Operation& operation, int at);
    void vacate(const Operation& operation, int at);
    bool isFree(const Operation& operation, int at) const;
    Level after(Level before, Use use) const;
    void prepare(bool weights_in_idle_slots);
    bool fits(const Operation& operation, int to);
    void move(const Operation& operation, int to);
    std::vector<Use> usesOf(int rank) const;

    int p_, m_;
    Backward backward_;
    std::vector<int> slots_;  // (p, 6m) by kind and index; W's last
    bool has_weights_ = false;
    std::vector<std::vector<Use>> uses_;      // (p, slots) during a sweep
    std::vector<std::vector<Level>> levels_;  // (p, slots) during a sweep
    std::vector<std::vector<int>> inputs_;    // (p, 2m) slots of the I's, sorted, during a sweep
    bool weights_in_idle_slots_ = false;
    int limit_ = 0;
};

}  // namespace bscope
