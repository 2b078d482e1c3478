// PipeDream (SOSP'19) and PipeDream-2BW (arXiv:2006.09503): the order of 1F1B over an endless stream, without
// a flush. PipeDream steps after every backward and keeps a version of the weights for each mini-batch in
// flight; 2BW steps once a batch and keeps two versions.
#include "catalog/generators.h"

namespace bscope::generators {

Schedule pipeDream(const ScheduleParams& params) {
    Schedule schedule = oneFOneB(params);
    schedule.weights = WeightRule::Stashed;
    schedule.step_every = 1;
    return schedule;
}

Schedule pipeDream2bw(const ScheduleParams& params, int batches) {
    ScheduleParams stream = params;
    stream.m = params.m * batches;
    Schedule schedule = oneFOneB(stream);
    schedule.weights = WeightRule::DoubleBuffer;
    schedule.step_every = params.m;
    return schedule;
}

Schedule pipeDream2bwStream(const ScheduleParams& params) {
    return pipeDream2bw(params, kStreamBatches);
}

std::vector<Problem> doubleBufferProblems(const ScheduleParams& params) {
    if (params.m >= params.p) return {};
    return {{"m",
             "m = {0} must be at least p = {1}: with fewer a third version of the weights would be needed",
             {std::to_string(params.m), std::to_string(params.p)},
             {params.p}}};
}

}  // namespace bscope::generators
