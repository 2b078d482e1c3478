// ServingRun: answers requests through a pipeline, all of them anew in every iteration, with the same tokens,
// since decoding is greedy. iterate() blocks and is called by one thread; abort() by any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "config/run_config.h"
#include "plan/failure.h"
#include "plan/plan.h"
#include "report/report.h"
#include "report/serving_report.h"
#include "timeline/timeline.h"

namespace bscope {

// (requests,) tokens of prompts that are parts of the training's text. Throws std::runtime_error when that
// cannot be read, or is shorter than a prompt.
std::vector<std::vector<std::int32_t>> promptsFromText(const RunConfig& config, const Serving& serving);

class ServingRun {
public:
    // prompts: (requests,) tokens of each, as many as it says. state: a saved one of the same shape, or empty:
    // fresh weights. The config must have no problems(), nor servingProblems(). Throws ConfigError with what
    // this machine cannot do, and TensorFileError.
    ServingRun(const RunConfig& config, const Serving& serving,
               const std::vector<std::vector<std::int32_t>>& prompts,
               const std::filesystem::path& state = {});
    ~ServingRun();

    // Answers all. The report says nothing of loss and gradients: there are none. Throws RunFailure.
    IterationReport iterate();
    // Makes a running iterate() throw RunFailure(reason) soon. Any thread.
    void abort(const Sentence& reason);

    const Plan& plan() const;
    // Of the last iteration: when its tokens came, they themselves (requests, tokens), and its events.
    ServingReport report() const;
    const std::vector<std::vector<std::int32_t>>& answers() const;
    const Timeline& timeline() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
