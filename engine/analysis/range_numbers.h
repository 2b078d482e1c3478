// RangeNumbers: what ranks did in a range of time of one iteration: busy and idle time, the idle time by
// cause, passes of micro-batches, peak of memory. The same for what passes a filter: its operations, and the
// idle time in front of them. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analysis/causes.h"
#include "config/run_config.h"

namespace bscope {

struct RangeQuery {
    std::int64_t from_ns = 0, to_ns = 0;
    std::vector<int> ranks;                               // none: all
    std::function<bool(int rank, const Action&)> passes;  // empty: everything does
};

struct RangeNumbers {
    struct Share {
        std::int64_t busy_ns = 0;
        // In gaps; of a filter those that end with one of its operations. A gap after which the rank has
        // nothing more to do belongs to none.
        std::int64_t idle_ns = 0;
        // Sum = idle_ns. A gap that the range cuts counts each of its causes by the share of the gap that
        // lies in the range, since causes have no place within a gap.
        CauseParts causes{};
        double bubbleOfTotal() const;  // idle / (idle + busy)
        bool operator==(const Share&) const = default;
    };
    struct OfRank {
        int rank = 0;
        Share all;
        bool operator==(const OfRank&) const = default;
    };

    std::vector<OfRank> ranks;
    Share all, passing;  // of these ranks
    // Passes that pass the filter and ran in the range, as a share of all passes of these ranks in the
    // iteration; what the range cuts counts by its share. Backward: B and I.
    double forward_share = 0, backward_share = 0;
    bool operator==(const RangeNumbers&) const = default;
};

// Of the iteration of `summary`, whose events `timeline` holds; causes: of the same, null: they stay zero.
RangeNumbers rangeNumbers(const IterationSummary& summary, const BubbleCauses* causes,
                          const Timeline& timeline, const RangeQuery& query);

// What a throughput counts of an iteration: tokens, or micro-batches, where files of other programs do not
// say how many tokens one has.
double amountOfIteration(const RunConfig& config, bool in_tokens);

// What is held at the greatest within [from_ns, to_ns), what was held before included; nullopt: nothing is
// known until then.
std::optional<MemoryPoint> peakIn(MemoryPoints points, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace bscope
