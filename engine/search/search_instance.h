// SearchInstance: one problem of the search: stages on ranks, durations, a limit of chunks in flight, and how
// long given orders take. Conventions as in predict(): an operation starts at max(rank free, inputs arrived).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "schedule/activation_ledger.h"
#include "schedule/schedule.h"
#include "timeline/costs.h"

namespace bscope {

using Orders = std::vector<std::vector<Action>>;  // (p, ...)

// No order is shorter, and why: what the longest of the necessary chains of work is.
struct LowerBound {
    enum class Rule : std::uint8_t {
        OneMicrobatch,  // the way of one micro-batch through all stages and back
        Work,           // a rank begins at start_ns and has work_ns to do
        Gradients,      // as Work, without weight gradients; then after_ns pass on other ranks
        Memory,         // as Work, but work_ns is what all micro-batches take when no more fit at a time
        // A rank's first gradient can begin at start_ns, no more forwards than fit run before it, and work_ns
        // of work are left.
        Fill,
        // As Gradients, with the weight gradients without which there is no room for the last forwards.
        RoomForGradients,
        FillAndGradients,  // both: from start_ns as Fill on, then as RoomForGradients
    };
    std::int64_t ns = 0;
    Rule rule = Rule::OneMicrobatch;
    int rank = -1;  // -1: all
    std::int64_t start_ns = 0, work_ns = 0, after_ns = 0;
};

struct SearchInstance {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

    // One chain 0..p*v-1 over the placement. Durations as predict() rounds them.
    SearchInstance(int p, int v, int m, std::vector<int> stage_ranks, const Costs& costs, int most_chunks);

    int p, v, m, stages, limit;
    std::int64_t hop_ns;
    std::vector<int> placement;                               // (stages,)
    std::vector<std::vector<int>> owned;                      // (p, v) stages of a rank, ascending
    std::vector<std::int64_t> forward, whole, input, weight;  // (stages,) ns

    std::int64_t duration(const Action& action) const;
    std::size_t cell(int stage, int microbatch) const {
        return static_cast<std::size_t>(stage) * static_cast<std::size_t>(m) +
               static_cast<std::size_t>(microbatch);
    }
    // Latency from `from` to the neighbouring stage `to`.
    std::int64_t hop(int from, int to) const {
        return placement[static_cast<std::size_t>(from)] == placement[static_cast<std::size_t>(to)] ? 0
                                                                                                    : hop_ns;
    }
    // No order of these stages with that limit is shorter: the greatest that a rule gives on a rank.
    LowerBound lowerBound() const;

private:
    std::int64_t sumOfFirst(const std::vector<std::int64_t>& durations, int count) const;
};

// Plays orders again and again without allocating.
class OrderPlayer {
public:
    explicit OrderPlayer(const SearchInstance& instance);
    // Makespan in ns; kNever when the orders can not be played to the end.
    std::int64_t makespan(const Orders& orders);

private:
    std::int64_t inputEnd(const Action& action) const;

    const SearchInstance& instance_;
    std::vector<std::int64_t> forward_end_, gradient_end_, free_;
    std::vector<std::size_t> next_;
    std::vector<int> queue_;
    std::vector<bool> queued_;
};

}  // namespace bscope
