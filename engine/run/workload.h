// Workload: what a pipeline works on, iteration by iteration: its input, and what comes of it. A training is
// one; so is anything that feeds micro-batches through the stages of a model. One thread.
#pragma once

#include <span>

#include "plan/plan.h"
#include "report/report.h"
#include "workers/worker_group.h"

namespace bscope {

class Workload {
public:
    virtual ~Workload() = default;
    // The number of the next iteration.
    virtual int nextIteration() const = 0;
    // What that needs: all but the place of the clocks. Of an asynchronous schedule, of the stream that
    // begins with it.
    virtual Work nextWork(const Plan& plan) const = 0;
    // It is over: what its outcome is goes into the report, and the next iteration is another one.
    virtual void complete(const Plan& plan, std::span<const RankIteration> shares,
                          IterationReport& report) = 0;
};

}  // namespace bscope
