// History: what a viewer that attaches in the middle of a run is sent first, so that it draws something at
// once: the reports of the run, the last complete iteration and the current one so far. One thread at a time.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "server/out_frame.h"

namespace bscope {

class History {
public:
    static constexpr std::size_t kReports = 200;
    // Of one iteration; beyond it batches are not kept, kernels not beyond half of it.
    static constexpr std::size_t kIterationBytes = 16u << 20;

    // An IterationStart makes what was of its iteration and later ones forgotten; of iteration 0, the former
    // run.
    void add(const OutFrame& frame);
    // In the order of a stream: the start in force, older reports, the last complete iteration's batches and
    // report, then the current iteration.
    std::vector<OutFrame> catchUp() const;

private:
    struct Iteration {
        std::optional<OutFrame> start;  // IterationStart in force
        bool starts_here = false;       // it was said with this iteration
        std::vector<OutFrame> batches;
        std::size_t bytes = 0;
    };
    void dropFrom(std::int32_t iteration);

    std::deque<OutFrame> reports_;
    Iteration complete_, current_;
    std::optional<OutFrame> sweep_, failure_;
};

}  // namespace bscope
