// Advisor: what would shorten a run's iteration, and by how much, all of it PREDICTED with the costs of the
// run; nothing runs. What is compared, how costs carry over to other stages, and what a prediction leaves out
// stands in docs/NUMBERS.md, "What would help". Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "analysis/cost_estimate.h"
#include "advice/framework_flags.h"
#include "config/run_config.h"
#include "search/search.h"
#include "timeline/costs.h"
#include "words/sentence.h"

namespace bscope {

// A run that is advised about.
struct AdviceRequest {
    // Its configuration, the costs of its stages, its order and its slow ranks. Of the configuration nothing
    // but schedule, p, v, m, d and recompute counts when the model is not known. The order is there.
    KnownCosts known;
    bool knows_model = true;
    double memory_cap_bytes = 0;  // activations of any one rank; 0: no cap. Of a known model
    // Most micro-batches in flight on any rank, 1 is what one leaves there, that is v chunks; 0: no cap. Of a
    // model that is not known.
    double most_in_flight = 0;
    bool one_copy = false;  // of the weights: neither replicas nor versions
    bool flush = false;     // every iteration ends before the weights change
    std::optional<Framework> framework;  // has it itself; what changes the machine needs none

    const RunConfig& config() const { return known.config; }
    const Schedule& schedule() const { return *known.order; }
};
// Of a run of another program: its costs, the link among them, are those of the files.
AdviceRequest requestOfImport(const RunConfig& config, const Costs& costs,
                              std::shared_ptr<const Schedule> order, std::vector<double> slowness);

// What may be changed: the configuration, and what is no part of it.
struct Setting {
    RunConfig config;
    int repaired_rank = -1;   // computes as fast as the others
    bool equal_work = false;  // of a model that is not known: the work spread evenly over the stages
    std::shared_ptr<const Schedule> order = nullptr;  // null: the catalog has it
    int lightened_stage = -1;                         // computes in a lightened_by-th of its time
    double lightened_by = 1;
    bool even = false;  // no link is slower and no micro-batch longer than the others

    // Whether a run can be made so.
    bool isConfiguration() const { return repaired_rank < 0 && !equal_work && lightened_stage < 0 && !even; }
};

struct Prediction {
    std::int64_t iteration_ns = 0;
    std::int64_t samples = 0;  // of an iteration; without a model: micro-batches
    double bubble_of_total = 0;
    // Idle share of the longest rank's span on all ranks, what papers on zero bubble count; nothing of a
    // stream.
    std::optional<double> bubble_of_span;
    std::vector<std::int64_t> peak_bytes;  // (ranks,) activations; empty: unknown
    // On any rank, in micro-batches; 1: v chunks. Without a model 1 is what one leaves on a rank of the run.
    double most_in_flight = 0;
    bool flushes = true;
    int weight_copies = 1;      // most that a rank holds of one stage's weights: replicas, versions
    int replicas = 1;           // of every stage, on all ranks
    int staleness = 0;          // updates that the weights of a gradient are old, at most; 0: none
    std::int64_t messages = 0;  // of an iteration
    double message_bytes = 0;   // of all of them; 0: unknown
    // Weights, gradients and optimizer state of the rank with most of them, older versions included; 0:
    // unknown.
    std::int64_t state_bytes = 0;
    // After the iteration, on the slowest rank: gradients of all copies added, weights updated.
    std::int64_t optimizer_ns = 0;
    double nsPerSample() const;
    std::int64_t greatestPeak() const;  // 0 when unknown
};

struct Candidate {
    enum class Kind : std::uint8_t {
        Schedule,      // and with it v
        Microbatches,  // m
        MiniBatch,     // m with the same samples an iteration
        Recompute,
        Split,  // layers of the stages
        World,  // p against d
        Link,
        Rank,
        Searched,  // an order that was searched for these costs
    };
    Kind kind = Kind::Schedule;
    Sentence change;  // "schedule zb-h1"
    Setting setting;
    std::optional<Prediction> predicted;  // nullopt: it is not legal
    // Share of the time of a sample that is saved, that is of the iteration where the samples stay the same.
    double gain = 0;
    Sentence excluded;  // why it is out; empty: it is not

    // Asynchronous: gradients are of older weights, so that it trains another way. Set apart everywhere.
    bool trainsDifferently() const { return predicted && !predicted->flushes; }
};

struct Advice {
    Prediction now;                     // the run, predicted like the candidates
    std::vector<Candidate> candidates;  // by gain, the greatest first; asynchronous ones behind, illegal ones last
    Sentence refusal;                   // why nothing of it is known; else empty
};

// The run's configuration, changed, with its own costs carried over. Throws std::invalid_argument when it is
// not legal.
Prediction predictSetting(const AdviceRequest& request, const Setting& setting);
// Order and costs of that prediction.
Schedule scheduleOfSetting(const AdviceRequest& request, const Setting& setting);
Costs costsOfSetting(const AdviceRequest& request, const Setting& setting, const Schedule& schedule);

// It changes the machine or the model: no framework has an option for that.
bool changesTheMachine(const AdviceRequest& request, const Setting& setting);
// What is typed into a framework for it.
FrameworkFlags flagsOfSetting(const AdviceRequest& request, const Setting& setting, Framework framework);
// Why request.framework does not have it itself; empty: it has, or no framework is asked for.
Sentence whyNotIn(const AdviceRequest& request, const Setting& setting);

// Numbers and gain of a candidate that is legal, and whether it is out for what it holds.
void predictCandidate(const AdviceRequest& request, const Prediction& now, Candidate& candidate);

// Single changes, and pairs of the best ones; what a search finds is not among them. Stopped: what was
// predicted until then.
Advice advise(const AdviceRequest& request, const std::stop_token& stop = {});
// The best order that searchSchedule() finds in the given time for the run's stages, as a candidate; nothing
// when it is no better than the run's own or the run cannot have one (several replicas or shards, no
// backward, no flush).
std::optional<Candidate> searchedCandidate(const AdviceRequest& request, const Prediction& now,
                                           std::chrono::milliseconds budget,
                                           const std::stop_token& stop = {});
// For a search, whose operations follow each other at once: each lasts as long with its handing over.
Costs withHandoverInside(Costs costs);
void addInOrder(Advice& advice, Candidate candidate);
// What a search for a run's order asks for: recomputation is a part of its backward there, and the cap counts
// what one micro-batch holds on the rank that holds most.
SearchRequest searchRequestOf(const RunConfig& config, const Schedule& schedule, Costs costs);

}  // namespace bscope
