#include "cli/commands/lesson_path.h"

#include <algorithm>

#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "lessons/lesson_file.h"
#include "puzzle/level.h"
#include "schedule/nearest_word.h"
#include "wire/scenario.h"

namespace bscope::cli {

namespace {

void addLine(std::string& text, const char* indent, const std::string& line) {
    if (!line.empty()) text += indent + line + '\n';
}

std::string joined(const std::vector<std::string>& parts, Language language) {
    return bscope::joined(parts, language == Language::Chinese ? "；" : "; ");
}

std::string homework(const PathPart& part, Language language) {
    std::vector<std::string> all;
    for (const std::string& id : part.levels)
        if (const PuzzleLevel* level = findPuzzleLevel(id))
            all.push_back(say(sentence("puzzle level {0} ({1})", id, sentence(level->title)), language));
    for (const std::string& id : part.sheets)
        all.push_back("bscope lesson handout " + id + " -o " + id + ".pdf");
    return joined(all, language);
}

}  // namespace

std::string pathsText(Language language) {
    std::string text;
    std::size_t widest = 0;
    for (const LearningPath& path : learningPaths()) widest = std::max(widest, path.id.size());
    for (const LearningPath& path : learningPaths())
        text += padded(path.id, widest + 2) + path.about.in(language) + '\n';
    return text;
}

std::string pathText(const LearningPath& path, const std::vector<wire::Scenario>& lessons,
                     Language language) {
    std::string text = path.about.in(language) + '\n';
    std::size_t widest = 0;
    for (const wire::Scenario& lesson : lessons) widest = std::max(widest, lesson.id().size());
    for (const PathPart& part : path.parts) {
        text += '\n' + part.title.in(language) + '\n';
        for (const std::string& id : part.lessons) {
            const auto lesson = std::ranges::find_if(
                lessons, [&](const wire::Scenario& each) { return isNamed(each.id(), id); });
            if (lesson == lessons.end()) continue;
            addLine(text, "  ",
                    padded(lesson->id(), widest + 2) +
                        say(sentence("{0} min", lesson->lesson().minutes()), language) + "  " +
                        wordsIn(lesson->title(), language));
        }
        if (!part.cards.empty())
            addLine(text, "  ", say(sentence("Cards: {0}", joined(part.cards, language)), language));
        if (const std::string work = homework(part, language); !work.empty())
            addLine(text, "  ", say(sentence("Homework: {0}", work), language));
        if (part.quiz) addLine(text, "  ", say(sentence("At the end: {0}", "bscope quiz"), language));
        std::vector<std::string> reading;
        for (const CardText& each : part.reading) reading.push_back(each.in(language));
        if (!reading.empty())
            addLine(text, "  ", say(sentence("To read: {0}", joined(reading, language)), language));
    }
    return text;
}

std::string pathJson(const LearningPath& path, Language language) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const PathPart& part : path.parts) {
        std::vector<std::string> reading;
        for (const CardText& each : part.reading) reading.push_back(each.in(language));
        parts.push_back({{"title", part.title.in(language)},
                         {"lessons", part.lessons},
                         {"cards", part.cards},
                         {"quiz", part.quiz},
                         {"levels", part.levels},
                         {"sheets", part.sheets},
                         {"reading", reading}});
    }
    return jsonText({{"id", path.id},
                     {"title", path.title.in(language)},
                     {"about", path.about.in(language)},
                     {"minutes", path.minutes},
                     {"parts", parts}});
}

}  // namespace bscope::cli
