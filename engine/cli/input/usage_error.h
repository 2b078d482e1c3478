// UsageError: everything that is wrong with a command line, one sentence each, each with what would be legal.
// The program prints them all and exits with 2.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace bscope::cli {

struct UsageError : std::runtime_error {
    explicit UsageError(std::vector<std::string> found)
        : std::runtime_error("the command line is not legal"), sentences(std::move(found)) {}
    std::vector<std::string> sentences;
};

}  // namespace bscope::cli
