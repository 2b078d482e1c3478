#include "cards/quiz_options.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "words/number_text.h"

namespace bscope::quiz {

namespace {

constexpr double kNearestPercent = 1.5;  // options are at least so far from each other

double least(Unit unit) {
    return unit == Unit::Percent ? kNearestPercent : unit == Unit::Count ? 0.5 : 0.05;
}

}  // namespace

std::string textOf(double value, Unit unit) {
    if (unit == Unit::Percent) return fixedText(value, 1) + " %";
    return fixedText(value, unit == Unit::Count ? 0 : 2);
}

std::pair<std::string, std::string> percentsThatDiffer(double a, double b) {
    int decimals = 1;
    while (decimals < 4 && fixedText(a, decimals) == fixedText(b, decimals)) ++decimals;
    return {fixedText(a, decimals) + " %", fixedText(b, decimals) + " %"};
}

QuizQuestion questionOf(QuizQuestion::Kind kind, const char* schedule, int p, int v, int m, int rank) {
    QuizQuestion question;
    question.kind = kind;
    question.schedule = schedule;
    question.p = p;
    question.v = v;
    question.m = m;
    question.rank = rank;
    return question;
}

QuizSetting settingOf(const QuizQuestion& question) {
    return {.schedule = question.schedule, .p = question.p, .v = question.v, .m = question.m};
}

QuizSetting withSchedule(QuizSetting setting, const char* schedule, int v) {
    setting.schedule = schedule;
    setting.v = v;
    return setting;
}

std::optional<QuizSetting> withM(QuizSetting setting, int m) {
    ScheduleParams params;
    params.p = setting.p;
    params.v = setting.v;
    params.m = setting.m = m;
    return canBeMade(setting.schedule, params) ? std::optional(setting) : std::nullopt;
}

Sentence titleOfSchedule(const QuizQuestion& question) {
    return sentence(findSchedule(question.schedule)->title);
}

QuizQuestion withTexts(QuizQuestion question, Draw& draw, std::vector<QuizOption> options) {
    draw.shuffle(options);
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].mistake.empty()) question.right = i;
    question.options = std::move(options);
    return question;
}

std::optional<QuizQuestion> withOptions(QuizQuestion question, Draw& draw, const QuizSetting& setting,
                                        double right, Unit unit, std::vector<Mistake> mistakes) {
    draw.shuffle(mistakes);
    std::vector<QuizOption> options{{sentence("{0}", textOf(right, unit)), right, {}, {}, setting}};
    for (const Mistake& mistake : mistakes) {
        const bool can_be = unit != Unit::Percent || (mistake.value >= 0 && mistake.value <= 100);
        const bool differs = std::ranges::all_of(options, [&](const QuizOption& option) {
            return std::abs(option.value - mistake.value) >= least(unit);
        });
        if (can_be && differs && static_cast<int>(options.size()) < kOptions)
            options.push_back({sentence("{0}", textOf(mistake.value, unit)), mistake.value, mistake.name,
                               mistake.misconception, mistake.setting});
    }
    if (static_cast<int>(options.size()) < kFewest) return std::nullopt;
    return withTexts(std::move(question), draw, std::move(options));
}

}  // namespace bscope::quiz
