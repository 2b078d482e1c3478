#include "lessons/lesson_file.h"

#include "lessons/lesson_text.h"
#include "wire/scenario.h"

namespace bscope {

wire::Scenario loadLessonFile(const std::filesystem::path& file) {
    wire::Scenario scenario = loadScenarioFile(file);
    const wire::Lesson& lesson = scenario.lesson();
    LessonRuns none;
    for (int i = 0; i < lesson.runs_size(); ++i) none[runName(static_cast<std::size_t>(i))];
    try {
        for (const wire::Text* text : {&lesson.reveal(), &lesson.follow_up()})
            for (const std::string* words : {&text->en(), &text->zh()}) fillNumbers(*words, none);
        for (const std::string& claim : lesson.claims()) claimHolds(claim, none);
    } catch (const LessonError& error) {
        throw WireError(sentence("{0}: {1}", file.string(), error.said));
    }
    return scenario;
}

const std::string& wordsIn(const wire::Text& text, Language language) {
    return language == Language::Chinese && !text.zh().empty() ? text.zh() : text.en();
}

}  // namespace bscope
