#include "lessons/claims_settled.h"

#include <algorithm>

namespace bscope {

namespace {

constexpr int kLeastRounds = 2;

LessonRuns beside(const LessonRuns& before, LessonRuns made) {
    made.insert(before.begin(), before.end());
    return made;
}

bool allShown(const Claims& claims, const LessonRuns& runs) {
    return std::ranges::all_of(claims,
                               [&](const auto& claim) { return claimHolds(claim, runs).value_or(false); });
}

}  // namespace

bool areSettled(const Claims& claims, const LessonCourse& course, const std::string& set,
                const LessonRuns& before) {
    if (claims.empty() || course.rounds() < kLeastRounds) return false;
    for (int round = 0; round < course.rounds(); ++round)
        if (!allShown(claims, beside(before, course.ofRound(round, set)))) return false;
    const LessonRuns all = beside(before, course.soFar(set));
    return allShown(claims, all) &&
           std::ranges::none_of(claims, [&](const auto& claim) { return claimIsOpen(claim, all); });
}

}  // namespace bscope
