// Problem: one thing that is illegal in a configuration, and the nearest legal values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "words/sentence.h"

namespace bscope {

struct Problem {
    Problem() = default;
    Problem(std::string of_field, Sentence what, std::vector<long> legal_values = {})
        : field(std::move(of_field)), words(std::move(what)), legal(std::move(legal_values)) {}
    Problem(std::string of_field, std::string id, std::vector<Argument> arguments,
            std::vector<long> legal_values)
        : Problem(std::move(of_field), Sentence{std::move(id), std::move(arguments)},
                  std::move(legal_values)) {}

    std::string field;        // "m", "p", "v", "schedule", "heads", ... as in RunConfig's JSON form
    Sentence words;           // "m = {0} must be a multiple of p = {1} for {2}"
    std::vector<long> legal;  // nearest legal values of the field, best first; empty when not a number

    Sentence withLegal() const;  // "...; legal near it: 8, 12"
    std::string text() const;    // that in English
};

// Of a number, as `text` has it; {least, greatest} likewise. nearest: the legal value next to it.
Problem outsideRange(const char* field, const std::string& text, const std::string& least,
                     const std::string& greatest, long nearest);

}  // namespace bscope
