// Pictures of a question: its setting played, and the setting that a wrong answer is true of.
#include <algorithm>

#include "cards/quiz.h"
#include "cards/quiz_values.h"
#include "catalog/catalog.h"
#include "schedule/validate.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr std::int64_t kF_ns = 1'000'000'000;  // unitCosts

// The longest of F, a half and a quarter of it, at whose multiples all boxes begin and end.
std::int64_t stepOf(const Timeline& timeline) {
    std::int64_t step = kF_ns;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            while (step > kF_ns / 4 && (event.start_ns % step != 0 || event.end_ns % step != 0)) step /= 2;
    return step;
}

Sentence titleOf(const QuizSetting& setting, const std::string& idle) {
    const Sentence name = sentence(findSchedule(setting.schedule)->title);
    const Sentence base =
        idle.empty() ? sentence("{0}, p = {1}, v = {2}, m = {3}", name, setting.p, setting.v, setting.m)
                     : sentence("{0}, p = {1}, v = {2}, m = {3}: {4} % of the total time idle", name,
                                setting.p, setting.v, setting.m, idle);
    if (setting.recomputes) return sentence("{0}; full recomputation", base);
    if (setting.is_slow)
        return sentence("{0}; rank {1} takes {2} times as long", base, setting.rank, fixedText(kSlowRank, 1));
    return base;
}

QuizPicture pictureOf(const QuizSetting& setting) {
    QuizPicture picture{{}, quiz::scheduleOf(setting), std::nullopt, 0};
    if (!locateErrors(picture.schedule).empty()) {
        picture.title = sentence("{0}; rank {1} with the order of the answer: it cannot run",
                                 titleOf(setting, {}), setting.rank);
        return picture;
    }
    quiz::Played run = quiz::played(setting);
    picture.title = titleOf(setting, percentNumber(run.summary.bubble_of_total));
    picture.step_ns = stepOf(run.timeline);
    picture.played = std::move(run.timeline);
    return picture;
}

}  // namespace

std::vector<QuizPicture> quizPictures(const QuizQuestion& question, int answer) {
    std::vector<QuizPicture> pictures{pictureOf(*question.options[question.right].setting)};
    if (answer >= 0 && answer != static_cast<int>(question.right))
        if (const auto& other = question.options[static_cast<std::size_t>(answer)].setting)
            pictures.push_back(pictureOf(*other));
    return pictures;
}

}  // namespace bscope
