// Problem: one thing that is illegal in what a person asked for, and the nearest legal value.
// The English text is a template with {0}, {1}, ... so that the window can translate the template and fill in
// the same arguments; text() fills in English.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bscope {

struct Problem {
    std::string field;    // "m", "p", "v", "schedule", "heads", ... as in RunConfig's JSON form
    std::string message;  // template: "m = {0} must be a multiple of p = {1} for {2}"
    std::vector<std::string> arguments;
    std::vector<long> legal;  // nearest legal values of the field, best first; empty when not a number

    std::string text() const;  // English, with the legal values appended: "...; legal near it: 8, 12"
};

// Fills {0}, {1}, ... of a template; used for the English text and by the window for translated ones.
std::string fillTemplate(const std::string& message, const std::vector<std::string>& arguments);

}  // namespace bscope
