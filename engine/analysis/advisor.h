// Advisor: what would shorten a run's iteration, and by how much, all of it PREDICTED with the costs of the
// run; nothing runs. What is compared, how costs carry over to other stages, and what a prediction leaves out
// stands in docs/NUMBERS.md, "What would help". Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/activation_ledger.h"
#include "schedule/run_config.h"
#include "timeline/costs.h"
#include "words/sentence.h"

namespace bscope {

// A run that is advised about.
struct AdviceRequest {
    // Of it nothing but schedule, p, v, m, d and recompute counts when the model is not known.
    RunConfig config;
    bool knows_model = true;
    Schedule schedule;  // its order
    Costs costs;        // of its stages
    // (ranks,) times as slow as the others (Usual::slowness); empty: none is.
    std::vector<double> slowness;
    double memory_cap_bytes = 0;  // activations of any one rank; 0: no cap
    // (stages,) activations under another configuration; not callable: unknown, as the peaks then are.
    std::function<std::vector<ChunkBytes>(const RunConfig&, const Schedule&)> activations;
};

// What may be changed: the configuration, and two things that are no part of it.
struct Setting {
    RunConfig config;
    double link_speed = 1;   // times as fast, latency and bandwidth
    int repaired_rank = -1;  // computes as fast as the others
};

struct Prediction {
    std::int64_t iteration_ns = 0;
    std::int64_t samples = 0;  // of an iteration; without a model: micro-batches
    double bubble_of_total = 0;
    std::vector<std::int64_t> peak_bytes;  // (ranks,) activations; empty: unknown
    int weight_copies = 1;      // most that a rank holds of one stage's weights: replicas, versions
    std::int64_t messages = 0;  // of an iteration
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
    };
    Kind kind = Kind::Schedule;
    Sentence change;  // "schedule zb-h1"
    Setting setting;
    std::optional<Prediction> predicted;  // nullopt: it is not legal
    // Share of the time of a sample that is saved, that is of the iteration where the samples stay the same.
    double gain = 0;
    Sentence excluded;  // why it is out; empty: it is not
};

struct Advice {
    Prediction now;                     // the run, predicted like the candidates
    std::vector<Candidate> candidates;  // by gain, the greatest first; illegal ones last
};

// The run's configuration, changed, with its own costs carried over. Throws std::invalid_argument when it is
// not legal.
Prediction predictSetting(const AdviceRequest& request, const Setting& setting);
// The costs of that prediction for the stages of a schedule.
Costs costsOfSetting(const AdviceRequest& request, const Setting& setting, const Schedule& schedule);

// Single changes, and pairs of the best ones.
Advice advise(const AdviceRequest& request);

}  // namespace bscope
