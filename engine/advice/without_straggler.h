// How long a run would take if its straggler were as fast as its peers, predicted with the run's own costs
// beside the run as it is. Pure functions.
#pragma once

#include <optional>

#include "advice/advisor.h"
#include "analysis/iteration_series.h"

namespace bscope {

struct WithoutStraggler {
    AdviceRequest request;  // the run, with the straggler's factor
    Candidate candidate;    // without it; predicted
    Prediction now;         // as it is
};

// nullopt: there is no such rank, stage, link or micro-batch, or the order cannot be played.
std::optional<WithoutStraggler> withoutStraggler(AdviceRequest request, const Straggler& found);

// "without it 3050.1 ms instead of 3213.3 ms, bubble 28.1 % instead of 34.7 % (predicted)".
Sentence withoutWords(const WithoutStraggler& without);

}  // namespace bscope
