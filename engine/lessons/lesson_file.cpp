#include "lessons/lesson_file.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "lessons/lesson_text.h"
#include "wire/scenario.h"

namespace bscope {

LessonRuns withAllNames(const wire::Lesson& lesson, LessonRuns made) {
    const auto name = [&](const std::string& set, int runs) {
        for (int run = 0; run < runs; ++run) made.try_emplace(set + runName(static_cast<std::size_t>(run)));
    };
    name("", lesson.runs_size());
    for (int set = 0; set < lesson.tries_size(); ++set) name(setName(set), lesson.tries(set).runs_size());
    return made;
}

namespace {

// Of a run, else the curtain is over whole runs.
bool isPart(const std::string& covered) {
    return covered == kCoverMemory || covered == kCoverReceives || covered == kCoverWidths;
}

void checkNames(const wire::Lesson& lesson) {
    const LessonRuns none = withAllNames(lesson);
    std::vector<const wire::Text*> texts{&lesson.reveal(), &lesson.follow_up(), &lesson.interview()};
    for (const wire::Choice& choice : lesson.choices()) texts.push_back(&choice.why());
    for (const wire::LessonTry& set : lesson.tries()) texts.push_back(&set.after());
    for (const wire::LessonMark& mark : lesson.marks()) texts.push_back(&mark.words());
    for (const wire::Text* text : texts)
        for (const std::string* words : {&text->en(), &text->zh()}) fillNumbers(*words, none);
    for (const std::string& claim : lesson.claims()) claimHolds(claim, none);
    for (const wire::LessonTry& set : lesson.tries())
        for (const std::string& claim : set.claims()) claimHolds(claim, none);
    if (lesson.has_number_guess()) lessonValue(lesson.number_guess().answer(), none);
    const auto isRun = [&](const std::string& name) { return name.size() == 1 && none.contains(name); };
    for (const std::string& covered : lesson.curtain())
        if (!isRun(covered) && covered != kCoverNone && !isPart(covered))
            throw LessonError(sentence(
                "a curtain is over a run such as A, \"memory\", \"receives\", \"widths\" or \"none\", "
                "not {0}",
                covered));
    for (const wire::LessonMark& mark : lesson.marks())
        if (!isRun(mark.run()) ||
            (mark.what() != kLongestGap && mark.what() != kWholeRank && !parseAction(mark.what())))
            throw LessonError(sentence(
                "a mark names a run such as A and \"rank\", \"gap\" or an operation such as 2F0, not {0} and "
                "{1}",
                mark.run(), mark.what()));
    if (!lesson.has_tune()) return;
    const auto& values = lesson.tune().m();
    if (lesson.tune().samples() < 1 || values.empty() ||
        std::ranges::any_of(values, [](int m) { return m < 1; }))
        throw LessonError(
            sentence("tune says how many samples an iteration has and which m to run, all from 1 on"));
}

void checkPlace(const wire::Scenario& scenario) {
    constexpr int kMostMinutes = 90;
    const wire::Lesson& lesson = scenario.lesson();
    if (lesson.minutes() < 0 || lesson.minutes() > kMostMinutes)
        throw LessonError(sentence("a lesson takes 1 to {0} minutes, not {1}; 0 says nothing", kMostMinutes,
                                   lesson.minutes()));
    for (const std::string& before : lesson.after())
        if (isNamed(scenario.id(), before))
            throw LessonError(sentence("a lesson cannot build on itself (\"after\" has {0})", before));
    const auto is_word = [](const std::string& tag) {
        return !tag.empty() &&
               std::ranges::all_of(tag, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
    };
    for (const std::string& tag : lesson.tags())
        if (!is_word(tag))
            throw LessonError(
                sentence("a tag is a word of letters, digits and hyphens such as M1, not \"{0}\"", tag));
    if (std::ranges::count(lesson.references(), std::string()) > 0)
        throw LessonError(sentence("a reference is empty; say what to read, such as arXiv:2006.09503"));
}

}  // namespace

std::vector<Sentence> orderProblems(std::span<const wire::Scenario* const> lessons) {
    std::vector<Sentence> problems;
    for (auto lesson = lessons.begin(); lesson != lessons.end(); ++lesson)
        for (const std::string& before : (*lesson)->lesson().after())
            if (std::none_of(lessons.begin(), lesson,
                             [&](const wire::Scenario* each) { return isNamed(each->id(), before); }))
                problems.push_back(
                    sentence("{0}: builds on \"{1}\", which is no lesson before it; legal: the "
                             "id of an earlier lesson",
                             (*lesson)->id(), before));
    return problems;
}

wire::Scenario checkedLesson(wire::Scenario scenario, const std::string& name) {
    wire::Lesson& lesson = *scenario.mutable_lesson();
    for (const wire::LessonRun& run : lesson.try_next()) {
        wire::LessonTry& set = *lesson.add_tries();
        *set.mutable_title() = run.title();
        *set.add_runs() = run;
    }
    lesson.clear_try_next();
    try {
        checkNames(lesson);
        checkPlace(scenario);
    } catch (const LessonError& error) {
        throw WireError(sentence("{0}: {1}", name, error.said));
    }
    return scenario;
}

wire::Scenario loadLessonFile(const std::filesystem::path& file) {
    wire::Scenario scenario = loadScenarioFile(file);
    return scenario.has_lesson() ? checkedLesson(std::move(scenario), file.string()) : scenario;
}

bool isCovered(const wire::Lesson& lesson, int index) {
    const auto& curtain = lesson.curtain();
    const bool names_runs =
        std::ranges::any_of(curtain, [](const std::string& word) { return !isPart(word); });
    if (!names_runs) return index > 0;
    return std::ranges::find(curtain, runName(static_cast<std::size_t>(index))) != curtain.end();
}

bool coversRuns(const wire::Lesson& lesson) {
    for (int run = 0; run < lesson.runs_size(); ++run)
        if (isCovered(lesson, run)) return true;
    return false;
}

bool covers(const wire::Lesson& lesson, const char* part) {
    return std::ranges::find(lesson.curtain(), part) != lesson.curtain().end();
}

const std::string& wordsIn(const wire::Text& text, Language language) {
    return language == Language::Chinese && !text.zh().empty() ? text.zh() : text.en();
}

}  // namespace bscope
