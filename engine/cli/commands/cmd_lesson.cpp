// bscope lesson: the lessons in a terminal. `list` names them, `run` asks the question and reveals the answer
// with the numbers of runs made here, `check` prints every text filled in and fails when a claim does not
// hold, `handout` has them made into a PDF, `path` shows an order in which to take them.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/commands/lesson_handout.h"
#include "cli/commands/lesson_path.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/lesson_runs.h"
#include "cli/input/program.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/report/progress.h"
#include "lessons/lesson_file.h"
#include "lessons/lesson_text.h"
#include "lessons/predicted_runs.h"
#include "lessons/written_numbers.h"
#include "plan/failure.h"
#include "server/interrupts.h"
#include "terminal/ground.h"
#include "terminal/printed_picture.h"
#include "wire/scenario.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

struct LessonRequest {
    std::string what;                // list, run, check, handout, path
    std::vector<std::string> names;  // ids or files
    Language language = Language::English;
    bool json = false;
    HandoutRequest handout;
};

class LessonPrinter {
public:
    explicit LessonPrinter(Language language)
        : language_(language), width_(static_cast<std::size_t>(std::max(40, outputTerminal().columns - 2))) {}

    Language language() const { return language_; }
    std::string words(const wire::Text& text) const { return wordsIn(text, language_); }
    const char* either(const char* english, const char* chinese) const {
        return language_ == Language::English ? english : chinese;
    }
    void paragraph(const std::string& text) const {
        if (!text.empty()) std::cout << wrapped(shown(text, Newlines::Kept), width_) << "\n\n";
    }

private:
    Language language_;
    std::size_t width_;
};

std::vector<std::filesystem::path> allLessons() {
    std::vector<std::filesystem::path> files;
    const auto folder = scenarioFolder(programFolder());
    if (!folder) throw WireError(sentence("(no scenarios folder near the program)"));
    for (const auto& entry : std::filesystem::directory_iterator(*folder))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<wire::Scenario> lessonsOf(const LessonRequest& request) {
    std::vector<wire::Scenario> lessons;
    std::vector<std::filesystem::path> files;
    for (const std::string& name : request.names) files.push_back(findScenario(name, programFolder()));
    for (const auto& file : files.empty() ? allLessons() : files) {
        wire::Scenario scenario = loadLessonFile(file);
        if (scenario.has_lesson())
            lessons.push_back(std::move(scenario));
        else if (!files.empty())
            throw WireError(sentence("{0} is a preset, not a lesson", file.string()));
    }
    if (!files.empty()) return lessons;
    std::vector<const wire::Scenario*> in_order;
    for (const wire::Scenario& lesson : lessons) in_order.push_back(&lesson);
    if (const std::vector<Sentence> problems = orderProblems(in_order); !problems.empty())
        throw WireError(problems.front());
    return lessons;
}

std::string minutesOf(const wire::Scenario& lesson, const LessonPrinter& lesson_printer) {
    const int minutes = lesson.lesson().minutes();
    return minutes == 0 ? std::string() : say(sentence("{0} min", minutes), lesson_printer.language());
}

nlohmann::ordered_json listedJson(const wire::Scenario& scenario, const LessonPrinter& lesson_printer) {
    const wire::Lesson& lesson = scenario.lesson();
    const auto list = [](const auto& texts) { return std::vector<std::string>(texts.begin(), texts.end()); };
    return {{"id", scenario.id()},
            {"title", lesson_printer.words(scenario.title())},
            {"level", lesson.level()},
            {"minutes", lesson.minutes()},
            {"after", list(lesson.after())},
            {"tags", list(lesson.tags())},
            {"references", list(lesson.references())},
            {"question", lesson_printer.words(lesson.question())},
            {"runs", lesson.runs_size()}};
}

int listLessons(const LessonRequest& request) {
    const LessonPrinter lesson_printer(request.language);
    const std::vector<wire::Scenario> lessons = lessonsOf(request);
    constexpr std::size_t kMinutes = 8;
    std::size_t widest = 0;
    for (const wire::Scenario& lesson : lessons) widest = std::max(widest, lesson.id().size());
    for (const wire::Scenario& lesson : lessons)
        if (request.json)
            std::cout << jsonText(listedJson(lesson, lesson_printer)) << '\n';
        else
            std::cout << padded(lesson.id(), widest + 2)
                      << aligned(minutesOf(lesson, lesson_printer), kMinutes) << "  "
                      << lesson_printer.words(lesson.title()) << '\n';
    return 0;
}

// interrupted: by which signal, while it runs; before and after, Ctrl-C ends the program.
LessonRuns runsOf(const wire::Lesson& lesson, LessonParts parts, Language language,
                  std::atomic<int>& interrupted) {
    const Interrupts interrupts([&](int signal) { interrupted = signal; });
    Progress progress(iterationsOf(lesson, parts), language);
    return runLesson(
        lesson, parts, [&] { return interrupted != 0; },
        [&](const IterationReport& report) { progress.finished(report); });
}

// The answer, from 1; 0 at the end of the input.
int guess(int choices, const LessonPrinter& lesson_printer) {
    std::string line;
    while (std::cout << lesson_printer.either("Your guess, 1 to ", "你的猜测，1 到 ") << choices
                     << lesson_printer.either(": ", "：") << std::flush,
           std::getline(std::cin, line)) {
        const auto number = parseInteger(line);
        if (number && *number >= 1 && *number <= choices) return *number;
    }
    return 0;
}

// The number typed; nullopt at the end of the input.
std::optional<double> estimate(const std::string& unit, const LessonPrinter& lesson_printer) {
    std::string line;
    while (std::cout << lesson_printer.either("Your estimate", "你的估计")
                     << (unit.empty() ? ""
                                      : lesson_printer.either(" (", "（单位：") + unit +
                                            lesson_printer.either(")", "）"))
                     << lesson_printer.either(": ", "：") << std::flush,
           std::getline(std::cin, line)) {
        if (const auto number = parseNumber(line)) return *number;
    }
    return std::nullopt;
}

// What was estimated beside what these runs say.
void judgeEstimate(const wire::Lesson& lesson, double estimated, const LessonRuns& runs,
                   const LessonPrinter& lesson_printer) {
    const LessonGuess judged = judge(lesson.number_guess(), estimated, runs);
    lesson_printer.paragraph((judged.is_right ? lesson_printer.either("Right: ", "答对了：") : "") +
                             say(judged.words, lesson_printer.language()));
    for (const wire::Choice& choice : lesson.choices())  // the mistake that leads to this number
        if (!choice.right() && parseNumber(choice.text().en()) == estimated)
            lesson_printer.paragraph(fillNumbers(lesson_printer.words(choice.why()), runs));
}

// With predicted numbers where these runs do not show what the text claims.
std::string explained(const wire::Text& text, const Claims& claims, const LessonRuns& runs,
                      const LessonPrinter& lesson_printer) {
    const LessonExplanation found = explanationOf(claims, runs);
    const std::string words = fillNumbers(lesson_printer.words(text), found.runs);
    return found.noisy.empty() ? words : words + ' ' + say(found.noisy, lesson_printer.language());
}

std::string reveal(const wire::Lesson& lesson, const LessonRuns& runs, const LessonPrinter& lesson_printer) {
    return explained(lesson.reveal(), lesson.claims(), runs, lesson_printer);
}

// As it is written, its columns below each other.
void printTable(const wire::LessonRun& run) {
    for (const std::string& line : run.table()) {
        std::string cell;
        std::istringstream cells(line);
        while (std::getline(cells, cell, ',')) std::cout << padded(shown(cell), 6);
        std::cout << '\n';
    }
    if (run.table_size() > 0) std::cout << '\n';
}

std::string headOf(const wire::LessonRun& run, int index, const LessonPrinter& lesson_printer) {
    return runName(static_cast<std::size_t>(index)) + "  " + shown(lesson_printer.words(run.title()));
}

// What runs where is known before the guess; how it went is drawn after it.
void nameRuns(const wire::Lesson& lesson, const LessonPrinter& lesson_printer) {
    for (int i = 0; i < lesson.runs_size(); ++i)
        std::cout << "  " << headOf(lesson.runs(i), i, lesson_printer) << '\n';
    std::cout << '\n';
}

// The picture of each run under its title, of a table its cells. set: "T1" for tries.
void drawRuns(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs, const LessonRuns& made,
              const std::string& set, const LessonPrinter& lesson_printer) {
    const Terminal terminal = outputTerminal();
    for (int i = 0; i < runs.size(); ++i) {
        std::cout << headOf(runs[i], i, lesson_printer) << '\n';
        printTable(runs[i]);
        const auto found = made.find(set + runName(static_cast<std::size_t>(i)));
        if (found == made.end() || !found->second || !found->second->ran || runs[i].table_size() > 0)
            continue;
        std::cout << terminal::printedPicture(viewOf(*found->second), terminal.colours,
                                              !terminal::hasLightGround(), terminal.columns,
                                              lesson_printer.language())
                  << '\n';
    }
}

// Each set of tries that is asked for, until none is.
void offerTries(const wire::Lesson& lesson, LessonRuns runs, const LessonPrinter& lesson_printer,
                std::atomic<int>& interrupted) {
    const int sets = lesson.tries_size();
    if (sets == 0) return;
    for (int set = 0; set < sets; ++set)
        std::cout << "  " << set + 1 << "  " << shown(lesson_printer.words(lesson.tries(set).title()))
                  << '\n';
    std::string line;
    while (std::cout << '\n'
                     << lesson_printer.either("Try one, 1 to ", "试一试，1 到 ") << sets
                     << lesson_printer.either("; Enter goes on: ", "；直接按回车继续：") << std::flush,
           std::getline(std::cin, line) && !line.empty()) {
        const auto number = parseInteger(line);
        if (!number || *number < 1 || *number > sets) continue;
        const int set = static_cast<int>(*number) - 1;
        const wire::LessonTry& tried = lesson.tries(set);
        std::cout << '\n';
        {
            const Interrupts interrupts([&](int signal) { interrupted = signal; });
            Progress progress(iterationsOfTry(lesson, set), lesson_printer.language());
            for (auto& [name, run] : runTry(
                     lesson, set, runs, [&] { return interrupted != 0; },
                     [&](const IterationReport& report) { progress.finished(report); }))
                runs[name] = std::move(run);
        }
        drawRuns(tried.runs(), runs, setName(set), lesson_printer);
        lesson_printer.paragraph(explained(tried.after(), tried.claims(), runs, lesson_printer));
    }
    std::cout << '\n';
}

int takeLesson(const wire::Scenario& scenario, const LessonPrinter& lesson_printer,
               std::atomic<int>& interrupted) {
    const wire::Lesson& lesson = scenario.lesson();
    std::cout << lesson_printer.words(lesson.title()) << "\n\n";
    for (const wire::LessonRun& run : lesson.runs()) printTable(run);
    lesson_printer.paragraph(lesson_printer.words(lesson.story()));
    nameRuns(lesson, lesson_printer);
    lesson_printer.paragraph(lesson_printer.words(lesson.question()));
    std::optional<double> estimated;
    int guessed = 0;
    if (lesson.has_number_guess()) {
        estimated = estimate(lesson_printer.words(lesson.number_guess().unit()), lesson_printer);
    } else {
        int number = 0;
        for (const wire::Choice& choice : lesson.choices())
            std::cout << "  " << ++number << "  " << lesson_printer.words(choice.text()) << '\n';
        std::cout << '\n';
        guessed = guess(number, lesson_printer);
    }
    std::cout << '\n';
    const LessonRuns runs = runsOf(lesson, LessonParts::Runs, lesson_printer.language(), interrupted);
    drawRuns(lesson.runs(), runs, {}, lesson_printer);
    const auto right =
        std::ranges::find_if(lesson.choices(), [](const wire::Choice& choice) { return choice.right(); });
    if (guessed > 0 && right != lesson.choices().end()) {
        const bool is_right = guessed - 1 == right - lesson.choices().begin();
        lesson_printer.paragraph(is_right ? lesson_printer.either("Right.", "答对了。")
                                          : lesson_printer.either("The answer is: ", "答案是：") +
                                                lesson_printer.words(right->text()));
        lesson_printer.paragraph(fillNumbers(lesson_printer.words(lesson.choices(guessed - 1).why()), runs));
    }
    if (estimated) judgeEstimate(lesson, *estimated, runs, lesson_printer);
    lesson_printer.paragraph(reveal(lesson, runs, lesson_printer));
    lesson_printer.paragraph(fillNumbers(lesson_printer.words(lesson.follow_up()), runs));
    offerTries(lesson, runs, lesson_printer, interrupted);
    lesson_printer.paragraph(fillNumbers(lesson_printer.words(lesson.interview()), runs));
    std::string references;
    for (const std::string& each : lesson.references()) references += (references.empty() ? "" : "; ") + each;
    if (!references.empty())
        lesson_printer.paragraph(say(sentence("To read: {0}", references), lesson_printer.language()));
    return 0;
}

// Of the reveal and of what is said after tries.
Claims claimsOf(const wire::Lesson& lesson) {
    Claims claims = lesson.claims();
    for (const wire::LessonTry& set : lesson.tries()) claims.MergeFrom(set.claims());
    return claims;
}

// Every claim with its verdict, then the filled texts; whether all hold and no number is written by hand.
bool checkLesson(const wire::Scenario& scenario, const LessonRequest& request,
                 std::atomic<int>& interrupted) {
    const wire::Lesson& lesson = scenario.lesson();
    const LessonRuns runs = runsOf(lesson, LessonParts::RunsAndTries, request.language, interrupted);
    bool all_hold = true;
    nlohmann::ordered_json claims = nlohmann::ordered_json::array();
    if (!request.json) std::cout << shown(scenario.id()) << '\n';
    for (const std::string& claim : claimsOf(lesson)) {
        const ClaimVerdict verdict = claimVerdict(claim, runs);
        const bool holds = verdict != ClaimVerdict::Fails, predicted = verdict == ClaimVerdict::Predicted;
        all_hold = all_hold && holds;
        claims.push_back({{"claim", claim}, {"holds", holds}});
        if (predicted) claims.back()["predicted"] = true;
        const auto noise = claimNoise(claim, runs);
        const bool is_noise = noise && noise->isNoise();
        if (noise) claims.back()["noise_pct"] = 100 * noise->noiseShare();
        if (request.json) continue;
        std::cout << (holds ? "  holds  " : "  FAILS  ") << shown(claim);
        if (is_noise) std::cout << "  " << say(noDifferenceWords(*noise), request.language);
        if (predicted)
            std::cout << "  "
                      << say(sentence("hidden by noise; it holds as predicted, which the lesson then shows"),
                             request.language);
        std::cout << '\n';
    }
    nlohmann::ordered_json written = nlohmann::ordered_json::array();
    for (const Sentence& number : writtenNumbers(lesson)) {
        all_hold = false;
        written.push_back(say(number, Language::English));
        if (!request.json) std::cout << "  " << say(number, request.language) << '\n';
    }
    nlohmann::ordered_json texts;
    for (const Language language : {Language::English, Language::Chinese}) {
        const LessonPrinter lesson_printer(language);
        const auto fill = [&](const wire::Text& text) {
            return fillNumbers(lesson_printer.words(text), runs);
        };
        std::vector<std::string> filled{fill(lesson.reveal()), fill(lesson.follow_up()),
                                        fill(lesson.interview())};
        for (const wire::LessonTry& set : lesson.tries())
            if (set.has_after()) filled.push_back(fill(set.after()));
        texts[language == Language::English ? "en" : "zh"] = {
            {"reveal", filled[0]},
            {"follow_up", filled[1]},
            {"interview", filled[2]},
            {"tries", std::vector(filled.begin() + 3, filled.end())}};
        if (request.json) continue;
        std::cout << '\n';
        for (const std::string& text : filled) lesson_printer.paragraph(text);
    }
    nlohmann::ordered_json made;
    for (const auto& [name, run] : runs)
        if (run) made[name] = {{"iteration_ms", run->report.iteration_ms}, {"pooled_over", run->pooled_over}};
    if (request.json)
        std::cout << jsonText({{"id", scenario.id()},
                               {"holds", all_hold},
                               {"disturbed", anyDisturbed(runs)},
                               {"runs", made},
                               {"claims", claims},
                               {"written_numbers", written},
                               {"texts", texts}})
                  << std::endl;
    return all_hold;
}

void checkHandout(CommandLine& line, const LessonRequest& request) {
    const HandoutRequest& asked = request.handout;
    if (request.what != "handout") {
        for (const auto& [name, value] : {std::pair("-o", &asked.file),
                                          {"--answers", &asked.answers},
                                          {"--paper", &asked.paper},
                                          {"--layout", &asked.layout},
                                          {"--other-language", &asked.other_language}})
            if (!value->empty()) line.refuse(sentence("{0} is for lesson handout", name));
        return;
    }
    if (request.names.empty()) line.refuse(sentence("handout takes the ids of lessons, or all"));
    if (asked.file.empty()) line.refuse(sentence("handout needs -o FILE.pdf"));
    if (request.json) line.refuse(sentence("--json is for list, path and check"));
}

void checkPath(CommandLine& line, const LessonRequest& asked) {
    if (asked.names.size() > 1) line.refuse(sentence("path takes one name, or none for the list of paths"));
    for (const std::string& name : asked.names) {
        if (findPath(name) != nullptr) continue;
        std::string known;
        for (const LearningPath& path : learningPaths()) known += (known.empty() ? "" : ", ") + path.id;
        line.refuse(sentence("\"{0}\" is no path; there are {1}", name, known));
    }
}

int showPaths(LessonRequest asked) {
    if (asked.names.empty() && !asked.json) {
        std::cout << pathsText(asked.language);
        return 0;
    }
    std::vector<const LearningPath*> paths;
    for (const std::string& name : asked.names) paths.push_back(findPath(name));
    if (paths.empty())
        for (const LearningPath& path : learningPaths()) paths.push_back(&path);
    asked.names.clear();
    const std::vector<wire::Scenario> lessons = lessonsOf(asked);
    for (const LearningPath* path : paths)
        std::cout << (asked.json ? pathJson(*path, asked.language) + '\n'
                                 : pathText(*path, lessons, asked.language));
    return 0;
}

LessonRequest requestOf(CommandLine& line, const std::vector<std::string>& words, bool json,
                        const HandoutRequest& handout) {
    LessonRequest request;
    request.json = json;
    request.handout = handout;
    request.language = line.language();
    if (words.empty()) {
        line.refuse(sentence("say what to do: list, path [NAME], run ID, check [ID...] or handout ID..."));
        return request;
    }
    request.what = words.front();
    request.names.assign(words.begin() + 1, words.end());
    checkHandout(line, request);
    if (request.what != "list" && request.what != "run" && request.what != "check" &&
        request.what != "handout" && request.what != "path")
        line.refuse(sentence("\"{0}\" is none of list, path, run, check, handout", request.what));
    if (request.what == "path") checkPath(line, request);
    if (request.what == "run" && request.names.size() != 1)
        line.refuse(sentence("run takes one lesson: its id or its file"));
    if (request.what == "run" && json) line.refuse(sentence("--json is for list, path and check"));
    if (request.what == "list" && !request.names.empty()) line.refuse(sentence("list takes no lesson"));
    return request;
}

}  // namespace

int lessonCommand(const Arguments& arguments) {
    CommandLine line("lesson",
                     "Lists the lessons, shows a path through them, takes one in the terminal, checks that "
                     "what they say holds here, or makes a handout of them.",
                     "bscope lesson list\nbscope lesson path semester\n"
                     "bscope lesson run 05-1f1b-against-gpipe\nbscope lesson check\n"
                     "bscope lesson handout 05 06 -o class.pdf --answers none");
    std::vector<std::string> words;
    bool json = false;
    HandoutRequest handout;
    line.arguments(
        "WHAT",
        "list; path, of all or of the one named; run ID or FILE; check, of all lessons or of those named; "
        "handout, of those named or all",
        words);
    line.flag("--json", "list, path and check: one JSON object per lesson or path", json);
    line.text("-o", "FILE.pdf", "handout: the file to write", handout.file);
    line.text("--answers", "WHERE", "handout: end, none or only (end)", handout.answers);
    line.text("--paper", "PAPER", "handout: a4 or letter (a4)", handout.paper);
    line.text("--layout", "LAYOUT", "handout: pages, or slides, 16:9, a step of a lesson on each (pages)",
              handout.layout);
    line.text("--other-language", "FILE.pdf", "handout: the same runs in the other language, into this file",
              handout.other_language);
    if (!line.parse(arguments)) return 0;
    const LessonRequest request = requestOf(line, words, json, handout);
    line.check();

    if (request.what == "handout") makeHandout(request.names, request.handout, request.language);
    if (request.what == "list") return listLessons(request);
    if (request.what == "path") return showPaths(request);
    const std::vector<wire::Scenario> lessons = lessonsOf(request);
    std::atomic<int> interrupted = 0;
    try {
        if (request.what == "run")
            return takeLesson(lessons.front(), LessonPrinter(request.language), interrupted);
        bool all_hold = true;
        for (const wire::Scenario& lesson : lessons)
            all_hold = checkLesson(lesson, request, interrupted) && all_hold;
        return all_hold ? 0 : 1;
    } catch (const RunFailure& failure) {
        if (interrupted != 0 && failure.rank < 0) return statusAfter(interrupted);
        return printFailure("lesson", failure, request.language);
    }
}

}  // namespace bscope::cli
