// bscope quiz: a sheet of questions for a class, and its answers apart; the same seed gives the same sheet.
#include <iostream>
#include <random>

#include "cards/quiz.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"

namespace bscope::cli {
namespace {

constexpr std::size_t kSheetColumns = 90;
// Few digits, since people write it down.
constexpr std::uint32_t kDrawnSeeds = 100'000;

struct QuizRequest {
    std::uint64_t seed = 0;
    int questions = 10;
    Language language = Language::English;
    std::string words(const Sentence& text) const { return say(text, language); }
};

char letterOf(std::size_t option) {
    return static_cast<char>('A' + option);
}

void printQuestions(const std::vector<QuizQuestion>& questions, const QuizRequest& request) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
        std::cout << wrapped(std::to_string(i + 1) + ".  " + request.words(questions[i].text), kSheetColumns)
                  << '\n';
        for (std::size_t k = 0; k < questions[i].options.size(); ++k)
            std::cout << "    " << letterOf(k) << "  " << request.words(questions[i].options[k].text) << '\n';
        std::cout << '\n';
    }
}

void printAnswers(const std::vector<QuizQuestion>& questions, const QuizRequest& request) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const QuizQuestion& question = questions[i];
        std::cout << i + 1 << ".  " << letterOf(question.right) << "  "
                  << request.words(question.options[question.right].text) << "  "
                  << request.words(question.because) << '\n';
        for (std::size_t k = 0; k < question.options.size(); ++k)
            if (k != question.right)
                std::cout << "    " << letterOf(k) << "  " << request.words(question.options[k].mistake)
                          << " (" << question.options[k].misconception << ")\n";
    }
    std::cout << '\n'
              << request.words(
                     sentence("The misconceptions behind the wrong options, and the lessons about them:"))
              << '\n';
    for (const Misconception& each : misconceptions())
        std::cout << "  " << padded(each.id, 5) << request.words(sentence(each.belief))
                  << "  (bscope lesson run " << each.lesson << ")\n";
}

void printJson(const std::vector<QuizQuestion>& questions, const QuizRequest& request) {
    for (const QuizQuestion& question : questions) {
        nlohmann::ordered_json options = nlohmann::ordered_json::array();
        for (const QuizOption& option : question.options) {
            nlohmann::ordered_json each = {{"text", request.words(option.text)}};
            if (!option.mistake.empty()) {
                each["mistake"] = request.words(option.mistake);
                each["misconception"] = option.misconception;
            }
            options.push_back(std::move(each));
        }
        std::cout << jsonText({{"question", request.words(question.text)},
                               {"options", std::move(options)},
                               {"right", question.right},
                               {"because", request.words(question.because)},
                               {"schedule", question.schedule},
                               {"p", question.p},
                               {"v", question.v},
                               {"m", question.m}})
                  << '\n';
    }
}

}  // namespace

int quizCommand(const Arguments& arguments) {
    CommandLine line(
        "quiz",
        "Prints questions whose right answers are computed from played schedules and whose wrong options are "
        "common mistakes for the same values. The same seed gives the same questions.",
        "bscope quiz --seed 7 --lang zh\nbscope quiz --seed 7 --lang zh --answers");
    QuizRequest request;
    std::optional<int> seed;
    bool answers = false, json = false;
    line.option("--seed", "N", "which questions (random, and printed)",
                setInteger([&](int value) { seed = value; }));
    line.integer("--questions", "how many (10)", request.questions);
    line.flag("--answers", "the answers instead, with the mistake behind each wrong option", answers);
    line.flag("--json", "one JSON object per question, with its answer", json);
    if (!line.parse(arguments)) return 0;
    request.language = line.language();
    if (seed && *seed < 0) line.refuse(sentence("--seed {0} must be 0 or more", *seed));
    if (request.questions < 1 || request.questions > kMostQuestions)
        line.refuse(sentence("--questions {0} must be from 1 to {1}", request.questions, kMostQuestions));
    if (answers && json) line.refuse(sentence("--json has the answers already; leave out --answers"));
    if (answers && !seed) line.refuse(sentence("--answers needs the --seed that is printed on the sheet"));
    line.check();
    request.seed = seed ? static_cast<std::uint64_t>(*seed) : std::random_device()() % kDrawnSeeds;
    const std::vector<QuizQuestion> questions = makeQuiz(request.seed, request.questions);
    if (json) {
        printJson(questions, request);
        return 0;
    }
    std::cout << request.words(answers ? sentence("Quiz {0}: answers", request.seed)
                                       : sentence("Quiz {0}; time for it: {1} minutes", request.seed,
                                                  (request.questions * kSecondsAQuestion + 59) / 60))
              << "\n\n";
    answers ? printAnswers(questions, request) : printQuestions(questions, request);
    return 0;
}

}  // namespace bscope::cli
