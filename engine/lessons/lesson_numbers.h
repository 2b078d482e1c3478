// lessonNumber: the numbers that a lesson's texts and claims may name, "A.bubble" of a run or "A.peak_mb.0"
// of one of its ranks. All are taken from the run's report and events (docs/NUMBERS.md); none is kept
// anywhere. Pure functions.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "timeline/timeline.h"
#include "words/sentence_error.h"

namespace bscope {

// An iteration of one of a lesson's runs; what is kept of the run is its median one.
struct LessonRun {
    RunConfig config;
    IterationReport report;
    std::shared_ptr<const Timeline> ran;  // of that iteration; null: numbers of events are not there
    // The runs whose durations it shares, "A, B": placed anew with their medians (pooled_runs.h). Empty: as
    // it ran.
    std::string pooled_over = {};
    int problems = -1;  // broken rules of a table; -1: it is none
    // All its iterations that count, of which it is one: how far its numbers scatter. Null where they are not
    // those of single iterations (pooled, predicted, a table).
    std::shared_ptr<const std::vector<LessonRun>> counted = nullptr;
};

// By name: A, B and C; T1A for run A of the first set of tries. nullopt: it has not run yet.
using LessonRuns = std::map<std::string, std::optional<LessonRun>, std::less<>>;

// "A" of a lesson's first run.
inline std::string runName(std::size_t run) {
    return std::string(1, static_cast<char>('A' + run));
}

// "T1" of the first set of tries.
inline std::string setName(int set) {
    return "T" + std::to_string(set + 1);
}

// A name or an expression that no lesson may have.
struct LessonError : SentenceError<std::invalid_argument> {
    using SentenceError::SentenceError;
};

struct LessonNumber {
    double value = std::numeric_limits<double>::quiet_NaN();  // NaN: this run has no such number
    int decimals = 1;                                         // as it is printed
    bool is_there = false;                                    // false: its run has not run yet
};

// Throws LessonError for a name, a run or a rank that does not exist.
LessonNumber lessonNumber(std::string_view name, const LessonRuns& runs);

}  // namespace bscope
