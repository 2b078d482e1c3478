#include "config/serving_problems.h"

#include <algorithm>
#include <string>

namespace bscope {

namespace {

class ServingCheck {
public:
    ServingCheck(const RunConfig& config, const Serving& serving) : config_(config), serving_(serving) {}

    std::vector<Problem> run() {
        checkSizes();
        checkRequests();
        if (found_.empty()) checkSteps();
        checkConfiguration();
        return std::move(found_);
    }

private:
    void inRange(const char* field, int value, int least, int greatest) {
        if (value < least || value > greatest)
            found_.push_back(outsideRange(field, std::to_string(value), std::to_string(least),
                                          std::to_string(greatest), std::clamp(value, least, greatest)));
    }

    void checkSizes() {
        inRange("requests",
                static_cast<int>(std::min<std::size_t>(serving_.requests.size(), kMaxRequests + 1)), 1,
                kMaxRequests);
        inRange("groups", serving_.groups, 1, kMaxRequests);
        inRange("places", serving_.places, 1, kMaxRequests);
        const int budget = serving_.token_budget;
        if (budget != 0 && serving_.places >= 1 && budget < serving_.places)
            found_.push_back(
                {"token_budget",
                 "token_budget = {0} must be 0, no limit, or at least places = {1}, since all of them "
                 "may be decoding",
                 {std::to_string(budget), std::to_string(serving_.places)},
                 {serving_.places, 0}});
    }

    // The first of each kind: many requests may have the same.
    void checkRequests() {
        const int sequence = config_.model.sequence;
        const std::size_t before = found_.size();
        std::int64_t tokens = 0;
        for (std::size_t i = 0; i < serving_.requests.size() && found_.size() == before; ++i) {
            const Request& request = serving_.requests[i];
            inRange("prompt_tokens", request.prompt, 1, kMaxTokens);
            inRange("output_tokens", request.output, 1, kMaxTokens);
            if (found_.size() > before) return;
            tokens += request.kept();
            if (request.kept() <= sequence) continue;
            found_.push_back(
                {"sequence",
                 "request {0} has {1} tokens of its prompt and {2} of its answer, and all but the "
                 "last one must fit into sequence = {3}",
                 {std::to_string(i), std::to_string(request.prompt), std::to_string(request.output),
                  std::to_string(sequence)},
                 {request.kept()}});
        }
        if (found_.size() > before || tokens <= kMaxServedTokens) return;
        found_.push_back({"requests",
                          "the requests have {0} tokens in all, at most {1} can be served: fewer or shorter "
                          "requests",
                          {std::to_string(tokens), std::to_string(kMaxServedTokens)},
                          {}});
    }

    void checkSteps() {
        constexpr std::size_t kMost = kMaxMicrobatches;
        if (servingSteps(serving_, kMost).size() <= kMost) return;
        found_.push_back({"requests",
                          "the requests take more than {0} steps: fewer or shorter requests, or more places",
                          {std::to_string(kMost)},
                          {}});
    }

    void must(bool is_so, const char* field, const char* what, std::vector<long> legal) {
        if (!is_so) found_.push_back({field, what, {}, std::move(legal)});
    }

    void checkConfiguration() {
        const ScheduleParams& params = config_.params;
        must(params.v == 1, "v", "serving has one stage a rank: v must be 1", {1});
        must(params.d == 1, "d", "serving has one pipeline: d must be 1", {1});
        must(params.zero == 0, "zero", "serving has no optimizer: zero must be 0", {0});
        must(params.segments == 1, "segments",
             "serving cuts prompts by the token budget of a step: segments must be 1", {1});
        must(!config_.sequence_parallel, "sequence_parallel", "serving does not have sequence parallelism",
             {});
        must(config_.recompute == Recompute::None, "recompute", "serving has no backward to recompute for",
             {});
        must(config_.durations == Durations::Raw, "durations",
             "steps are not as long as each other: durations must be raw", {});
        must(config_.device != DeviceChoice::Cuda, "device", "serving runs on CPUs: device must be cpu", {});
    }

    static constexpr int kMaxTokens = 1 << 20;  // of a request's prompt, and of its answer

    const RunConfig& config_;
    const Serving& serving_;
    std::vector<Problem> found_;
};

}  // namespace

std::vector<Problem> servingProblems(const RunConfig& config, const Serving& serving) {
    return ServingCheck(config, serving).run();
}

}  // namespace bscope
