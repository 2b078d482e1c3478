// StepEvent: an event of a trace that names operations `forward` and `backward` and numbers them in its
// arguments: micro-batch, chunk, iteration. Such traces are written by MegatronApp (pairs of begin and end,
// whose numbers may stand with the end alone) and by the straggler analysis of a fleet (whole events,
// `forward-compute`). Any thread.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "schedule/action.h"

namespace bscope {

// Ranks in the dimensions of a training; -1: not said.
struct StepPlace {
    int data = -1, pipeline = -1, tensor = -1;
    // Takes what is not known yet.
    void fillFrom(const StepPlace& other) {
        if (data < 0) data = other.data;
        if (pipeline < 0) pipeline = other.pipeline;
        if (tensor < 0) tensor = other.tensor;
    }
};

struct StepEvent {
    enum class Phase : std::uint8_t { Begin, End, Whole } phase = Phase::Whole;
    Op op = Op::Forward;
    std::int64_t start_ns = 0, end_ns = 0;  // the same but of a whole event
    std::int64_t process = 0, thread = 0;
    int iteration = -1, microbatch = -1, chunk = -1;  // -1: not said
    StepPlace place;
};

// Whether a trace that begins like this is of the kind.
bool looksLikeSteps(std::string_view beginning);

// The operation of a name; nullopt: the name of something else.
std::optional<Op> opOfStep(std::string_view name);

// nullopt: no such operation, or no time that a clock can tell.
std::optional<StepEvent> stepEvent(const simdjson::dom::element& event);

// A whole number from 0 under any of the names, of the arguments or, where the event has none, of itself.
std::optional<int> stepNumber(const simdjson::dom::element& event, std::initializer_list<const char*> names);

// "PP rank 1, TP rank 0, compute", "DP rank [3]", "DP0-PP1-TP0", "benchmark-data-0-pipeline-1-tensor-0.json".
StepPlace placeInName(std::string_view name);

}  // namespace bscope
