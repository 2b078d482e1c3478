#include "app/lessons/lesson_book.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <optional>

#include "wire/scenario.h"

namespace bscope::ui {
namespace {

std::string readAll(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw WireError(
            sentence("cannot open {0}: {1}", path.toStdString(), file.errorString().toStdString()));
    return file.readAll().toStdString();
}

}  // namespace

QString textOf(const wire::Text& text, Language language) {
    return QString::fromStdString(wordsIn(text, language));
}

LessonBook LessonBook::embedded() {
    return ofFolder(QStringLiteral(":/scenarios"));
}

LessonBook LessonBook::ofFolder(const QString& folder) {
    LessonBook book;
    const QDir dir(folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        try {
            wire::Scenario read = parseScenarioJson(readAll(dir.filePath(name)), name.toStdString());
            book.scenarios_.push_back(read.has_lesson() ? checkedLesson(std::move(read), name.toStdString())
                                                        : read);
        } catch (const WireError& error) {
            book.problems_.append(QString::fromUtf8(error.what()));
        }
    }
    for (const Sentence& problem : orderProblems(book.lessons()))
        book.problems_.append(QString::fromStdString(say(problem, Language::English)));
    return book;
}

int LessonBook::numberOf(const std::string& id) const {
    const auto lessons = this->lessons();
    const auto at =
        std::ranges::find_if(lessons, [&](const wire::Scenario* each) { return isNamed(each->id(), id); });
    return at == lessons.end() ? 0 : static_cast<int>(at - lessons.begin()) + 1;
}

std::vector<const wire::Scenario*> LessonBook::lessons() const {
    std::vector<const wire::Scenario*> lessons;
    for (const wire::Scenario& scenario : scenarios_)
        if (scenario.has_lesson()) lessons.push_back(&scenario);
    return lessons;
}

const wire::Scenario* LessonBook::find(const QString& id) const {
    const std::string name = id.toStdString();
    const auto at = std::ranges::find_if(
        scenarios_, [&](const wire::Scenario& scenario) { return isNamed(scenario.id(), name); });
    return at == scenarios_.end() ? nullptr : &*at;
}

wire::Scenario openScenario(const QString& file_or_id) {
    const LessonBook book = LessonBook::embedded();
    if (const wire::Scenario* known = book.find(file_or_id)) return *known;
    if (QFileInfo::exists(file_or_id)) return loadLessonFile(file_or_id.toStdString());
    std::string ids;
    for (const wire::Scenario& scenario : book.scenarios()) ids += (ids.empty() ? "" : ", ") + scenario.id();
    throw WireError(
        sentence("no scenario {0}: it is neither a file nor one of: {1}", file_or_id.toStdString(), ids));
}

}  // namespace bscope::ui
