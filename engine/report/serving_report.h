// What serving requests took, as those who asked see it: found in the events of an iteration whose
// micro-batches are the steps. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/timeline.h"

namespace bscope {

// Of one request, from the start of the first operation, when all requests are there: until the last stage
// has ended the step that its first token came of, and its last one.
struct AnswerTimes {
    std::int64_t first_ns = 0, last_ns = 0;
    int tokens = 0;
    // Between two tokens, on average; nullopt of a single one.
    std::optional<double> perToken_ns() const;
};

// Decoding while every group decodes, and nothing else, for four turns or more: from when the last prompt was
// read to when the first group has answered all that it will.
struct SteadyDecode {
    double tokens_per_s = 0;
    // What the stages allow, with their mean times of each group's steps and a free link: a turn of all
    // groups takes as long as the slowest stage needs for all of them, or, where that is longer, as one group
    // needs for all stages.
    double formula_tokens_per_s = 0;
};

struct ServingReport {
    std::vector<AnswerTimes> answers;  // (requests,)
    std::int64_t length_ns = 0;        // from the start of the first operation to the end of the last one
    std::int64_t prompt_tokens = 0, output_tokens = 0;
    double outputPerSecond() const;
    std::optional<SteadyDecode> steady;
};

// steps: as the schedule's micro-batches; the timeline is of the iteration alone. Throws
// std::invalid_argument when a step's F of a stage is missing.
ServingReport servingReport(const Serving& serving, const std::vector<ServingStep>& steps,
                            const Schedule& schedule, const Timeline& timeline);

}  // namespace bscope
