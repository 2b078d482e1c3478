// analysis: the numbers of one iteration of a Timeline: bubble (both definitions, printed with every number),
// idle time by cause, waiting and transfer, memory. Pure functions over plain data.
//
// iteration_ns = first start .. last end of compute, over all ranks; the optimizer step comes after and is
// apart. bubble of total  = 1 - sum(busy) / (p * iteration_ns) bubble of ideal  = idle / busy = x / (1 - x)
// of the former
//
// An iteration of an endless stream is measured over each rank's own window: from the end of the rank's last
// operation of the iteration before (the iteration's first start where the stream begins in it) to the end of
// its own last one, without its optimizer steps; iteration_ns is then the mean of the windows. The order of
// an asynchronous schedule that is predicted as a whole is no stream, unless one rank does all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "timeline/idle_gaps.h"
#include "timeline/timeline.h"

namespace bscope {

struct RankSummary {
    int rank = 0;
    std::int64_t busy_ns = 0, wait_ns = 0, transfer_ns = 0, recompute_ns = 0, optimizer_ns = 0;
    double bubble_of_total = 0;
    std::int64_t first_start_ns = 0, last_end_ns = 0;  // of compute; span = last_end - first_start
    std::int64_t first_backward_ns = 0,
                 last_forward_end_ns = 0;  // phases by fact: warm-up, steady, cool-down
    std::int64_t peak_activation_bytes = 0;
    int peak_in_flight = 0;        // chunks, freed when B or W ends; forward-only: when F ends
    int peak_in_flight_dgrad = 0;  // chunks, freed when B or I ends
    bool operator==(const RankSummary&) const = default;
};

struct IterationSummary {
    std::int32_t iteration = 0;
    Provenance provenance = Provenance::Predicted;
    std::int64_t start_ns = 0, end_ns = 0;  // of all windows; optimizer steps of a stream included
    std::int64_t iteration_ns = 0, span_ns = 0, optimizer_ns = 0;
    double bubble_of_total = 0, bubble_of_ideal = 0;
    bool is_stream = false;  // each rank has a window of its own
    std::vector<RankSummary> ranks;
    IdleGaps gaps;  // all ranks, by rank and start
    bool operator==(const IterationSummary&) const = default;
};

IdlePhase phaseOf(const IterationSummary& summary, int rank, std::int64_t start_ns, std::int64_t end_ns);

// Whether a rank ran a compute operation of the iteration, without which there is nothing to summarise.
bool hasComputed(const Timeline& timeline, std::int32_t iteration);

// One iteration of the timeline. Throws std::out_of_range when the timeline has no compute event of it.
IterationSummary summarize(const Timeline& timeline, std::int32_t iteration);

// Bubble of total over any time range, all ranks (for a measured range in the window).
double bubbleOfTotal(const Timeline& timeline, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace bscope
