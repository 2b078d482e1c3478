// Causes of the bubble: every idle stretch of a rank as an object with its length taken apart by cause, in
// whole nanoseconds: the causes of an iteration sum to its idle time exactly. What each cause is stands in
// docs/NUMBERS.md, "Causes of the bubble". Pure functions over a Timeline, which must outlive the result and
// not be appended to meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/event_graph.h"
#include "analysis/usual.h"
#include "timeline/analysis.h"

namespace bscope {

enum class BubbleCause : std::uint8_t {
    Fill,
    Drain,
    Dependency,  // of the order
    Imbalance,
    SlowRank,
    LinkLatency,
    LinkBandwidth,
    Recomputation,
    LaunchGaps,
    Optimizer,  // and the flush, between two operations
    Noise,
};
inline constexpr int kBubbleCauses = 11;
// "fill", "slow_rank": the name in files; and in words.
const char* toText(BubbleCause cause);
Sentence wordsOf(BubbleCause cause);

using CauseParts = std::array<std::int64_t, kBubbleCauses>;  // ns by cause

struct Gap {
    int rank = 0;
    std::int64_t start_ns = 0, end_ns = 0;
    std::optional<Action> next;             // what the rank did after it; nullopt: its part was done
    BubbleCause cause = BubbleCause::Fill;  // of its greatest part
    CauseParts parts{};                     // none below 0, sum = length
    int before = EventGraph::kNone, after = EventGraph::kNone;  // the rank's operations around it
    std::int64_t length_ns() const { return end_ns - start_ns; }
};

// One thing on the way from a gap back to what it hung on.
struct Reason {
    enum class Kind : std::uint8_t {
        Operation,  // `action` of `rank` ran
        Message,    // from `rank` to `to`, with what `action` of `rank` had made; rank -1: of an operation
                    // that is not in the iteration, for `action` of `to`
        Pause,      // `rank` had all it needed for `action` and did not begin
        Start,      // of the iteration, or of what is known of it: no length
    };
    Kind kind = Kind::Operation;
    int rank = -1, to = -1;
    Action action;
    std::int64_t start_ns = 0, end_ns = 0;
    int node = EventGraph::kNone;  // of `action`
    bool operator==(const Reason&) const = default;
};

// How a sentence about a gap writes what it names; as files do by itself.
struct GapWording {
    bool ranks_are_gpus = false;
    std::function<std::string(std::int64_t ns)> duration = durationText;  // "77.8 ms"
    std::function<std::string(const Action&)> action = [](const Action& a) { return toText(a); };  // "2F0"

    // In ms, three digits that matter and at most three behind the point.
    static std::string durationText(std::int64_t ns);
};

class BubbleCauses {
public:
    // Throws std::out_of_range when the timeline has no compute event of the iteration.
    BubbleCauses(const Timeline& timeline, std::int32_t iteration, const RunFacts& facts);
    // With this summary, of whose gaps some may be left out: of an iteration that still runs.
    BubbleCauses(const Timeline& timeline, IterationSummary summary, const RunFacts& facts);

    const IterationSummary& summary() const { return summary_; }
    const EventGraph& graph() const { return graph_; }
    const Usual& usual() const { return usual_; }
    // The longest first; of equal ones the earlier, then the lower rank.
    const std::vector<Gap>& gaps() const { return gaps_; }
    std::int64_t idle_ns() const { return idle_ns_; }  // of all ranks
    const CauseParts& totals() const { return totals_; }

    // From the gap's end back to what ran, or was on its way, when it began; that is the last one. Without a
    // hole as far as the iteration knows.
    std::vector<Reason> reasons(const Gap& gap) const;
    // "Rank 1 waits 77.8 ms for ...": what it waited for, how long that way was, and its parts.
    Sentence words(const Gap& gap, const GapWording& wording = {}) const;

private:
    CauseParts partsOf(const EventGraph::Node& node) const;
    CauseParts waitingFor(const EventGraph::Node& node) const;
    void followChains();
    void collect();
    void add(Gap gap, BubbleCause of_order);

    IterationSummary summary_;
    EventGraph graph_;
    Usual usual_;
    std::vector<CauseParts>
        until_;  // (nodes,) of the chain that ends with the node's end; gone once the gaps are known
    std::vector<Gap> gaps_;
    std::int64_t idle_ns_ = 0;
    CauseParts totals_{};
};

}  // namespace bscope
