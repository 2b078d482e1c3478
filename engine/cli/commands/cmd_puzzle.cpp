// bscope puzzle: the levels of "Build your own schedule" with their pars, and what a file reaches in one of
// them. Nothing runs.
#include <iostream>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "files/user_file.h"
#include "puzzle/puzzle_status.h"
#include "puzzle/starting_point.h"
#include "schedule/nearest_word.h"
#include "timeline/event.h"

namespace bscope::cli {
namespace {

constexpr std::size_t kPuzzleColumns = 90;
constexpr int kNotSolved = 2;

struct PuzzleRequest {
    Language language = Language::English;
    bool json = false;
    std::string words(const Sentence& text) const { return say(text, language); }
};

nlohmann::ordered_json levelJson(const PuzzleLevel& level, const PuzzleRequest& request) {
    const PuzzlePar& par = parOf(level);
    return {{"level", level.id},
            {"title", request.words(sentence(level.title))},
            {"p", level.p},
            {"v", level.v},
            {"m", level.m},
            {"placement", level.empty().placement},
            {"split_backward", level.split},
            {"memory_cap", level.cap > 0 ? nlohmann::ordered_json(level.cap) : nullptr},
            {"par",
             {{"steps", par.steps},
              {"peak", par.peak},
              {"steps_proved", par.steps_proved},
              {"peak_proved", par.peak_proved},
              {"found_by", par.found_by}}}};
}

void printLevels(const PuzzleRequest& request) {
    for (const PuzzleLevel& level : puzzleLevels()) {
        if (request.json) {
            std::cout << jsonText(levelJson(level, request)) << '\n';
            continue;
        }
        std::cout << level.id << "  " << request.words(sentence(level.title)) << "  (p=" << level.p
                  << " v=" << level.v << " m=" << level.m << ")\n";
        for (const Sentence& each : {sentence(level.goal), parSentence(level), boundSentence(level)})
            std::cout << wrapped("    " + request.words(each), kPuzzleColumns) << '\n';
        std::cout << '\n';
    }
}

ScheduleFile fileFor(const std::string& path) {
    try {
        return readScheduleFile(readUserFile(path, kMaxScheduleFileBytes), path);
    } catch (const FileError& error) {
        throw SentenceError<>(sentence("{0}: {1}", path, error.said));
    }
}

int checkFile(const PuzzleLevel& level, const std::string& path, const PuzzleRequest& request) {
    const ScheduleFile file = fileFor(path);
    PuzzleGrid grid(level);
    const Sentence refusal = openFile(grid, file);
    const bool legal = refusal.empty();
    const PuzzleStatus standing = legal ? standingOf(grid) : PuzzleStatus{};
    if (request.json) {
        nlohmann::ordered_json json = levelJson(level, request);
        json["legal"] = legal;
        json["complete"] = legal && standing.isComplete();
        json["verdict"] = request.words(legal ? starSentence(level, standing) : refusal);
        if (legal) {
            json["missing"] = standing.missing;
            json["steps"] = standing.steps;
            json["idle"] = standing.idle;
            json["bubble_of_total"] = standing.bubble_of_total;
            json["in_flight"] = standing.in_flight;
            json["peak"] = standing.peak();
        }
        json["stars"] = standing.stars;
        json["provenance"] = toText(Provenance::Predicted);
        std::cout << jsonText(json) << '\n';
    } else if (legal) {
        std::cout << std::string(static_cast<std::size_t>(standing.stars), '*')
                  << std::string(static_cast<std::size_t>(3 - standing.stars), '.') << "  "
                  << request.words(starSentence(level, standing)) << '\n'
                  << request.words(
                         sentence("{0} steps, {1} of them idle on all ranks together, {2} in flight on the "
                                  "fullest rank; PREDICTED with F = I = W = 1 step",
                                  standing.steps, standing.idle, standing.peak()))
                  << '\n'
                  << wrapped(request.words(parSentence(level)), kPuzzleColumns) << '\n';
    } else {
        std::cout << request.words(sentence("not legal: {0}", refusal)) << '\n';
    }
    return standing.stars > 0 ? 0 : kNotSolved;
}

}  // namespace

int puzzleCommand(const Arguments& arguments) {
    CommandLine line(
        "puzzle",
        "Lists the levels of \"Build your own schedule\" with their pars, or says what a file reaches "
        "in one: an order of actions as file:PATH and validate read it. Exit status 2 when the file "
        "is not legal, not complete or beyond the cap.",
        "bscope puzzle list\nbscope puzzle check two-ranks mine.csv");
    std::vector<std::string> words;
    PuzzleRequest request;
    line.arguments("list | check LEVEL FILE", "what to do", words);
    line.flag("--json", "one JSON object per line", request.json);
    if (!line.parse(arguments)) return 0;
    request.language = line.language();
    const bool list = words.size() == 1 && words[0] == "list";
    const bool check = words.size() == 3 && words[0] == "check";
    if (!list && !check) line.refuse(sentence("say list, or check with a level and a file"));
    const PuzzleLevel* level = check ? findPuzzleLevel(words[1]) : nullptr;
    if (check && level == nullptr) {
        std::vector<std::string> ids;
        for (const PuzzleLevel& each : puzzleLevels()) ids.emplace_back(each.id);
        line.refuse(sentence("there is no level {0}; legal: {1}", words[1], joined(ids, ", ")));
    }
    line.check();
    if (check) return checkFile(*level, words[2], request);
    printLevels(request);
    return 0;
}

}  // namespace bscope::cli
