// LessonBook: every scenario that came with the program, and the numbers that go into a lesson's texts. A
// text names a number of a run as {A.bubble} (scenarios/README.md lists the names); it is filled in from the
// runs just made, with the decimals of the screen. Plain data.
#pragma once

#include <QString>
#include <QStringList>
#include <span>
#include <vector>

#include "widgets/data/view_data.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

namespace bscope::ui {

QString textOf(const wire::Text& text, Language language);

// Fills every placeholder. A number whose run is not there yet is "…"; names that do not exist stay as they
// are and are added to `unknown` when it is given.
QString fillNumbers(const QString& text, std::span<const std::optional<IterationView>> runs,
                    QStringList* unknown = nullptr);

// The value of a placeholder's name, "A.bubble.2"; NaN while it is not there, nullopt when there is no such
// name.
std::optional<double> lessonNumber(const QString& name, std::span<const std::optional<IterationView>> runs);

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
    const QStringList& problems() const { return problems_; }

private:
    std::vector<wire::Scenario> scenarios_;
    QStringList problems_;
};

// By id from the embedded ones, else a file. Throws WireError with a sentence.
wire::Scenario openScenario(const QString& file_or_id);

}  // namespace bscope::ui
