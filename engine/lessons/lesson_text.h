// What a lesson says, with the numbers of its runs: {A.bubble} is a number, {=100*A.p/A.m|1} an expression
// with so many decimals; and what it claims: "A.iteration_ms ~3% B.iteration_ms". Expressions have + - * /,
// parentheses, min(a, b), max(a, b), numbers and the names of lesson_numbers.h. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lessons/lesson_numbers.h"
#include "report/noise_verdict.h"
#include "wire/bubblescope.pb.h"

namespace bscope {

// NaN while a number of it is not there. Throws LessonError.
double lessonValue(std::string_view expression, const LessonRuns& runs);

// What is not there yet is "…", what a run does not have "–". Throws LessonError for a brace that never
// closes, too.
std::string fillNumbers(std::string_view text, const LessonRuns& runs);

// LEFT RELATION RIGHT, two expressions and one of < > = ~N% (they differ by at most N % of the greater) ~Npt
// (by at most N). nullopt while a number is not there. Throws LessonError.
std::optional<bool> claimHolds(std::string_view claim, const LessonRuns& runs);

// A typed estimate beside what the runs say.
struct LessonGuess {
    bool is_right = false;  // within the lesson's tolerance
    double answer = 0;      // NaN: not there
    Sentence words;
};
LessonGuess judge(const wire::NumberGuess& guess, double estimated, const LessonRuns& runs);

// Of a claim that one side is greater, by the rule of every comparison of runs (docs/NUMBERS.md, "Difference
// or noise"): the two sides over the iterations that count. nullopt: it claims something else, or nothing
// scatters in its numbers. Throws LessonError.
std::optional<NoiseVerdict> claimNoise(std::string_view claim, const LessonRuns& runs);

// Whether the iterations that count leave a claim open: what it compares, of ~ the distance and the permitted
// one, differs by no more than it scatters. Throws LessonError.
bool claimIsOpen(std::string_view claim, const LessonRuns& runs);

// Of a lesson's reveal, or of what is said after a set of tries.
using Claims = google::protobuf::RepeatedPtrField<std::string>;

// False when a claim is belied or noise; what is not there yet belies none. Throws LessonError.
bool allClaimsHold(const Claims& claims, const LessonRuns& runs);
// When none is belied and some are noise: the least certain one. Throws LessonError.
std::optional<NoiseVerdict> noiseOfClaims(const Claims& claims, const LessonRuns& runs);

// A run that something else on the machine held up.
bool anyDisturbed(const LessonRuns& runs);

}  // namespace bscope
