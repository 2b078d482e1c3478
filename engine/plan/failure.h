// What a Run throws: an illegal configuration (nothing was changed) and a run that stopped by itself; and the
// one place where the failure of a rank is put into words.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "plan/rank_failure.h"
#include "schedule/action.h"
#include "schedule/problem.h"
#include "words/sentence_error.h"

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
struct RunFailure : SentenceError<> {
    RunFailure(const Sentence& sentence, Sentence what_to_do, int rank = -1, std::string action = {});
    Sentence what_to_do;
    int rank;
    std::string action;
};

// A state that cannot be written, or is not worth it; the run itself may go on.
struct StateNotWritten : RunFailure {
    using RunFailure::RunFailure;
};

// A rank's failure in words: "Rank 1 stopped in 2F3: ...", and what to do about it. advice replaces the usual
// one. For a stopped rank it is the reason of the stop alone: what to do depends on what the stop has left.
RunFailure runFailure(const RankFailure& failure, const Sentence& advice = {});
// The same in the middle of a sentence: "rank 1 stopped in 2F3: ..."; no full stop.
Sentence whatStopped(const RankFailure& failure);

// What to do about failures that are found in several places.
namespace advice {
Sentence useLessMemory();
Sentence changeConfiguration();
Sentence startProcessesAgain();
}  // namespace advice

// The GPU of a rank stands still in an action that was handed to it before; or a link of it is broken.
struct StuckAction : SentenceError<>, FailureDetail {
    StuckAction(const Action& action, const Sentence& cause, double seconds, bool gpu_is_lost = false);
};

}  // namespace bscope
