#include "cards/quiz.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cards/quiz_draw.h"

namespace bscope {

namespace {

constexpr Misconception kMisconceptions[] = {
    {"M1", "1F1B has a smaller bubble than GPipe at the same m", "1f1b-against-gpipe"},
    {"M2", "(p − 1)/m is a share of the total time", "two-formulas-one-bubble"},
    {"M3", "Of total and of ideal are the same number", "two-formulas-one-bubble"},
    {"M4", "Fill and drain count twice", "two-formulas-one-bubble"},
    {"M5", "The factor by which an iteration is longer is its bubble", "two-formulas-one-bubble"},
    {"M6", "m/(m + p − 1) is the bubble", "two-formulas-one-bubble"},
    {"M7", "The idle share does not depend on m", "micro-batches-fill-the-pipe"},
    {"M8", "v chunks mean v times the messages, or none more", "virtual-stages"},
    {"M9", "Recomputation costs nothing, or twice the time", "checkpointing"},
    {"M10", "A larger micro-batch makes the bubble smaller", "the-memory-wall"},
    {"M11", "A split backward is quicker whatever else is on", "zero-bubble-and-recomputation"},
    {"M12", "A formula with B and W means the same on every page", "split-the-backward"},
    {"M13", "Equal layers mean equal memory and equal time", "how-many-in-flight"},
    {"M14", "The rank that idles most is at fault", "one-slow-gpu"},
    {"M15", "An order is right when each rank has all its operations", "find-the-impossible-box"},
    {"M16", "The memory of activations grows with m under every schedule", "how-many-in-flight"},
    {"M17", "1F1B as it is used today has several versions of the weights", "never-flush"},
    {"M18", "Inference has a larger bubble, or none", "is-inference-worse"},
    {"M19", "Tensor parallelism communicates as rarely as a pipeline", "eight-devices"},
};

}  // namespace

std::span<const Misconception> misconceptions() {
    return kMisconceptions;
}

std::vector<QuizQuestion> makeQuiz(std::uint64_t seed, int questions) {
    if (questions < 1 || questions > kMostQuestions)
        throw std::invalid_argument("a quiz has 1 to " + std::to_string(kMostQuestions) + " questions");
    quiz::Draw draw(seed);
    std::vector<QuizQuestion> made;
    std::vector<quiz::Maker> kinds;  // of one round, group after group
    while (static_cast<int>(made.size()) < questions) {
        if (kinds.empty() || made.size() % kinds.size() == 0) {
            kinds.clear();
            for (const std::span<const quiz::Maker> group : quiz::makers()) {
                std::vector<quiz::Maker> shuffled(group.begin(), group.end());
                draw.shuffle(shuffled);
                kinds.insert(kinds.end(), shuffled.begin(), shuffled.end());
            }
        }
        const quiz::Maker maker = kinds[made.size() % kinds.size()];
        std::optional<QuizQuestion> question;
        while (!question) question = maker(draw);  // values for which too few mistakes differ are drawn again
        made.push_back(std::move(*question));
    }
    return made;
}

std::vector<QuizResult> resultsOf(std::span<const QuizQuestion> questions, std::span<const int> answers) {
    std::vector<QuizResult> results;
    for (const Misconception& each : kMisconceptions) {
        QuizResult result{&each};
        for (std::size_t i = 0; i < questions.size() && i < answers.size(); ++i) {
            const std::vector<QuizOption>& options = questions[i].options;
            const auto is_it = [&](const QuizOption& option) { return option.misconception == each.id; };
            if (answers[i] < 0 || std::ranges::none_of(options, is_it)) continue;
            ++result.offered;
            result.avoided += is_it(options[static_cast<std::size_t>(answers[i])]) ? 0 : 1;
        }
        if (result.offered > 0) results.push_back(result);
    }
    return results;
}

int rightAnswers(std::span<const QuizQuestion> questions, std::span<const int> answers) {
    int right = 0;
    for (std::size_t i = 0; i < questions.size() && i < answers.size(); ++i)
        right += answers[i] == static_cast<int>(questions[i].right) ? 1 : 0;
    return right;
}

}  // namespace bscope
