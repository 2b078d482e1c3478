// LessonBook: every scenario that came with the program. Plain data.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "lessons/lesson_file.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

namespace bscope::ui {

QString textOf(const wire::Text& text, Language language);

class LessonBook {
public:
    // The scenarios embedded in the program.
    static LessonBook embedded();
    // Those of a folder; a file that cannot be read is reported in problems().
    static LessonBook ofFolder(const QString& folder);

    // In the order of their names.
    const std::vector<wire::Scenario>& scenarios() const { return scenarios_; }
    std::vector<const wire::Scenario*> lessons() const;   // those with a lesson
    const wire::Scenario* find(const QString& id) const;  // null when unknown
    // Of the lesson with that id (its own number may be left out), from 1; 0: it is not in the book.
    int numberOf(const std::string& id) const;
    const QStringList& problems() const { return problems_; }

private:
    std::vector<wire::Scenario> scenarios_;
    QStringList problems_;
};

// By id from the embedded ones, else a file. Throws WireError with a sentence.
wire::Scenario openScenario(const QString& file_or_id);

}  // namespace bscope::ui
