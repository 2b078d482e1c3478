// Iterations: to which iteration each part of a rank's trace belongs, by when the host came to it. For named,
// plain and unnamed operations alike: the profiler's step where there are steps, and within it (or within the
// whole file) the pass, which counts how often the rank went through its micro-batches. A pass ends
//   * where operations have numbers, at the first operation or message that this pass has had already;
//   * where they have none, at the last optimizer step between two backwards.
// An optimizer step belongs to the pass of the operation before it. Immutable; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

class Iterations {
public:
    struct Place {
        int iteration = -1;  // as the files number their steps, else 0; -1: outside every step
        int pass = 0;        // within the iteration
        auto operator<=>(const Place&) const = default;
    };

    explicit Iterations(const RawTrace& trace);

    // Of an operation or a message that the host came to at this time.
    Place at(std::int64_t host_ns) const;
    // Of an optimizer step that the host came to at this time: that of the operation before it.
    Place before(std::int64_t host_ns) const;

private:
    struct Begin {
        std::int64_t start_ns = 0;
        Place place;
    };
    const ProfilerStep* stepAt(std::int64_t host_ns) const;
    void begin(std::int64_t start_ns, const Place& place) { begins_.push_back({start_ns, place}); }
    void cutAtRepetitions(const std::vector<OperationRange>& ranges);
    void cutAtOptimizer(std::vector<HostRange> backwards, std::vector<HostRange> optimizer);

    std::vector<ProfilerStep> steps_;  // by start
    std::vector<Begin> begins_;        // of the passes, by start
};

}  // namespace bscope
