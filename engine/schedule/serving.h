// Serving: requests that a model answers token by token, and the steps a pipeline does it in. A step is what
// passes through all stages at once: prompts, or parts of them, that are read (prefill), and the last tokens
// of answers, of which the next ones come (decode). Of a group of requests one step is in the pipeline at a
// time, since a step needs the tokens that come of the one before; so p stages are busy only with p groups.
// Lengths are known before, so that the steps are. Values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bscope {

struct Request {
    int prompt = 1;  // tokens
    int output = 1;  // tokens that are generated, the first one from the prompt
    // Tokens whose keys and values are kept: all but the last one that is generated.
    int kept() const { return prompt + output - 1; }
    auto operator<=>(const Request&) const = default;
};

// When a group takes requests from the queue, which is in their order. At the start each group takes one in
// turn, until all places are taken.
enum class Batching : std::uint8_t {
    Static,      // when all of those it has are answered
    Continuous,  // whenever it has a free place (Orca, OSDI'22: iteration-level scheduling)
};

struct Serving {
    std::vector<Request> requests;  // in the order of the queue; all are there at the start. Empty: training
    int groups = 1;                 // that take turns
    int places = 1;                 // of each: requests at a time
    Batching batching = Batching::Continuous;
    // Most tokens of a step, decodes first; a longer prompt is read in several steps (chunked prefill,
    // Sarathi-Serve, arXiv:2403.02310). 0: any number. At least `places`.
    int token_budget = 0;
    bool operator==(const Serving&) const = default;
};

// Consecutive tokens of a request in a step.
struct ServedTokens {
    int request = 0;
    int first = 0;  // position of the first
    int count = 0;
    bool emits = false;  // a token comes of the last one
    bool operator==(const ServedTokens&) const = default;
};

struct ServingStep {
    int group = 0;
    int previous = -1;  // step of the same group, -1: none
    std::vector<ServedTokens> parts;

    int tokens() const;
    int emitted() const;                        // tokens that come of it
    int decoded(const Serving& serving) const;  // of its tokens, those of answers; the rest are of prompts
};

// (steps,) the step whose tokens each needs, and the one that needs its; -1: none.
struct StepLinks {
    std::vector<int> previous, next;
    bool operator==(const StepLinks&) const = default;
};

// In the order in which every stage takes them: groups in turns, those without requests left out. Of more
// than `most` only so many and one.
std::vector<ServingStep> servingSteps(const Serving& serving,
                                      std::size_t most = std::numeric_limits<std::size_t>::max() - 1);

// (steps,) tokens whose keys and values are kept during each: of a request all that it will need, from its
// first step to its last.
std::vector<int> keptTokens(const Serving& serving, const std::vector<ServingStep>& steps);
// That had requests: with few of these there are fewer than were asked for.
int groupsAtWork(const std::vector<ServingStep>& steps);

StepLinks linksOf(const std::vector<ServingStep>& steps);

}  // namespace bscope
