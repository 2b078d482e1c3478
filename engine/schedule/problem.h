// Problem: one thing that is illegal in what a person asked for, and the nearest legal value. What it says is
// a Sentence; text() says it in English.
#pragma once

#include <string>
#include <vector>

#include "words/sentence.h"

namespace bscope {

struct Problem {
    std::string field;    // "m", "p", "v", "schedule", "heads", ... as in RunConfig's JSON form
    std::string message;  // Sentence::id: "m = {0} must be a multiple of p = {1} for {2}"
    std::vector<Argument> arguments;
    std::vector<long> legal;  // nearest legal values of the field, best first; empty when not a number

    Sentence words() const { return {message, arguments}; }
    Sentence withLegal() const;  // "...; legal near it: 8, 12"
    std::string text() const;    // that in English
};

}  // namespace bscope
