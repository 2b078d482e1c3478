// Pairing: two iterations laid beside each other: how long the same operation took in the other one, and the
// instant at which both are put above each other. Pure functions; everything is copied out of the Timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "timeline/timeline.h"

namespace bscope {

// What stands at the same place of the time axis.
enum class Alignment : std::uint8_t {
    Start,          // of the iterations
    Microbatch,     // the beginning of the first operation of one micro-batch
    FirstBackward,  // the beginning of the first operation of any rank that is no forward: the warm-up's end
    LastForward,    // the end of the last forward of any rank: the cool-down's beginning
};

// One iteration. Endless streams count their micro-batches on: first_microbatch is its first one, else 0.
struct IterationPart {
    const Timeline& timeline;
    std::int32_t iteration = 0, first_microbatch = 0;
};

// The instant, ns of the timeline; microbatch counts from 0 in the iteration. nullopt: no operation of the
// iteration has it; always for Start, which is the iteration's own.
std::optional<std::int64_t> anchorOf(const IterationPart& part, Alignment alignment, int microbatch);

// Durations of an iteration's computation by stage, kind, micro-batch and segment, whichever rank it ran on.
// What is there more than once is left out.
class PairedDurations {
public:
    explicit PairedDurations(const IterationPart& part);
    // Of the same operation; its micro-batch counts from 0 in the iteration. nullopt: there is none.
    std::optional<std::int64_t> of(const Action& action) const;

private:
    std::unordered_map<std::uint64_t, std::int64_t> durations_ns_;  // below 0: more than once
};

}  // namespace bscope
