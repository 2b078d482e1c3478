// RankTally: one rank's part of an iteration as numbers, added up event by event in the order of the rank's
// time; so what is only predicted need not be kept to be summarised. summaryOf() makes the iteration of them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "timeline/analysis.h"

namespace bscope {

class RankTally {
public:
    explicit RankTally(int rank) { summary_.rank = rank; }
    // Of a piece of a stream: what is in flight before its first event, and when the event before that ended.
    RankTally(int rank, int carried_over, std::optional<std::int64_t> began_ns);

    void compute(const Event& event);  // optimizer steps and additions of gradients too
    void receive(const Event& event) {
        summary_.wait_ns += event.transfer_ns - event.start_ns;
        summary_.transfer_ns += event.end_ns - event.transfer_ns;
    }
    void memory(const MemoryPoint& point) {
        if (point.live_bytes > summary_.peak_activation_bytes)
            summary_.peak_activation_bytes = point.live_bytes;
    }

private:
    struct Gap {
        std::int64_t start_ns = 0, end_ns = 0;
        Action next;
    };
    friend IterationSummary summaryOf(std::span<const RankTally> ranks, Provenance provenance,
                                      std::int32_t iteration);

    // What the rank did not compute; optimizer steps between two operations are idle time, those of a stream
    // are not.
    void endIdleTime(const Event& event);
    void addTo(IterationSummary& summary, std::int64_t start_ns, std::int64_t end_ns) const;

    RankSummary summary_;  // without its bubble; peaks as if there were a backward
    bool is_stream_ = false;
    std::optional<std::int64_t> began_ns_;
    bool computes_ = false, starts_backward_ = false, goes_backward_ = false;
    std::int64_t latest_end_ns_ = std::numeric_limits<std::int64_t>::min();  // of compute
    std::int64_t over_ns_ = 0;                                               // end of the last event
    int until_weight_ = 0, until_input_ = 0;                                 // in flight
    bool has_events_ = false;
    std::optional<Gap> first_;  // its end is where the first event starts
    std::int64_t idle_since_ns_ = 0;
    std::vector<Gap> gaps_;
};

// Throws std::out_of_range when no rank has computed.
IterationSummary summaryOf(std::span<const RankTally> ranks, Provenance provenance, std::int32_t iteration);

}  // namespace bscope
