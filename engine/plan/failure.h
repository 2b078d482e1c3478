// What a Run throws: illegal wishes (nothing was changed) and a run that stopped by itself.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "schedule/action.h"
#include "schedule/problem.h"

namespace bscope {

// Everything a person asked for that is illegal; nothing was changed.
class ConfigError : public std::invalid_argument {
public:
    explicit ConfigError(std::vector<Problem> problems);
    const std::vector<Problem>& problems() const { return problems_; }

private:
    std::vector<Problem> problems_;
};

// A run that stopped by itself: what happened, where, and what to do.
struct RunFailure : std::runtime_error {
    RunFailure(std::string sentence, std::string what_to_do, int rank = -1, std::string action = {});
    std::string what_to_do;
    int rank;
    std::string action;
};

// A state that cannot be written, or is not worth it; the run itself may go on.
struct StateNotWritten : RunFailure {
    using RunFailure::RunFailure;
};

// What to do after that sentence: nothing but a restart helps a process whose GPU is lost to it.
std::string adviceFor(const std::string& sentence, const std::string& otherwise);

// The GPU of a rank stands still in an action that was handed to it before; or a link of it is broken.
struct StuckAction : std::runtime_error {
    StuckAction(const Action& its_action, const std::string& cause, double seconds);
    Action action;
};

// What a worker threw, and in which action.
struct WorkerError {
    int rank = -1;
    Action action;
    std::exception_ptr error;
};

// Throws the RunFailure that tells what happened: of the rank that stopped by itself if there is one, not of
// those it took along. errors is not empty.
[[noreturn]] void throwRunFailure(const std::vector<WorkerError>& errors);

}  // namespace bscope
