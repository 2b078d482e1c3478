// What the makers of questions share: settings, mistakes and the options made of them. Shares are percents
// from 0 to 100. One thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cards/quiz.h"
#include "cards/quiz_draw.h"

namespace bscope::quiz {

inline constexpr int kOptions = 4, kFewest = 3;

enum class Unit : std::uint8_t { Percent, Count, Times };

// "27.3 %", "4", "1.33".
std::string textOf(double value, Unit unit);
// Both with as many decimals as it takes that they differ, one at least: "5.00 %" and "5.04 %".
std::pair<std::string, std::string> percentsThatDiffer(double a, double b);

// As many decimals of a number, `least` at least, as it takes that what is printed of it leads to the same
// printed percentage: 21.875 and not 21.88 % where 1/(1 + y) is asked for.
template <class Percent>
int decimalsFor(double value, int least, Percent percent) {
    constexpr int kMost = 6;
    const auto printed = [&](int decimals) {
        const double scale = std::pow(10.0, decimals);
        return std::round(value * scale) / scale;
    };
    int decimals = least;
    while (decimals < kMost &&
           textOf(percent(printed(decimals)), Unit::Percent) != textOf(percent(value), Unit::Percent))
        ++decimals;
    return decimals;
}

struct Mistake {
    double value;
    Sentence name;
    const char* misconception;
    std::optional<QuizSetting> setting = {};  // that it is true of
};

QuizQuestion questionOf(QuizQuestion::Kind kind, const char* schedule, int p, int v, int m, int rank = -1);
QuizSetting settingOf(const QuizQuestion& question);
QuizSetting withSchedule(QuizSetting setting, const char* schedule, int v = 1);
// The same of other m; nothing where the schedule does not allow it.
std::optional<QuizSetting> withM(QuizSetting setting, int m);
Sentence titleOfSchedule(const QuizQuestion& question);

// The right option and up to three mistakes in a drawn order, of shares those alone that a share can be;
// nullopt: too few of them differ.
std::optional<QuizQuestion> withOptions(QuizQuestion question, Draw& draw, const QuizSetting& setting,
                                        double right, Unit unit, std::vector<Mistake> mistakes);
// Options of more than one number, the right one first; shuffled.
QuizQuestion withTexts(QuizQuestion question, Draw& draw, std::vector<QuizOption> options);

}  // namespace bscope::quiz
