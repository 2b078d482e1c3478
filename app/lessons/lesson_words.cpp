#include "app/lessons/lesson_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <functional>

#include "cards/learning_path.h"
#include "lessons/predicted_runs.h"
#include "puzzle/level.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::LessonController)
};

// Micro-batches in flight on each rank, when the runs have the same ranks and differ in them.
std::optional<LessonComparison> comparisonOf(const wire::Lesson& lesson, const LessonRuns& numbers,
                                             Language language) {
    LessonComparison table;
    table.title = Words::tr("In flight, most at one time");
    std::vector<const IterationReport*> reports;
    for (int i = 0; i < lesson.runs_size(); ++i) {
        const auto& run = numbers.at(runName(static_cast<std::size_t>(i)));
        if (!run || run->report.ranks.empty() ||
            run->report.ranks.size() != numbers.at("A")->report.ranks.size())
            return std::nullopt;
        reports.push_back(&run->report);
        const QString title = textOf(lesson.runs(i).title(), language);
        table.columns.append(QString::fromStdString(runName(static_cast<std::size_t>(i))) +
                             QStringLiteral("  ") +
                             title.section(QRegularExpression(QStringLiteral("[:：]")), 0, 0));
    }
    bool differs = false;
    for (std::size_t rank = 0; !reports.empty() && rank < reports.front()->ranks.size(); ++rank) {
        LessonComparison::Row row{rankText(static_cast<int>(rank), reports.front()->timing.ofGpus()), {}};
        for (const IterationReport* report : reports)
            row.values.push_back(report->ranks[rank].peak_in_flight);
        differs = differs || std::adjacent_find(row.values.begin(), row.values.end(),
                                                std::not_equal_to<>()) != row.values.end();
        table.rows.push_back(std::move(row));
    }
    return differs ? std::optional(table) : std::nullopt;
}

// What is drawn and what is not, while something is covered, and which run is which: schedule, p, m and v,
// which the picture says, may be the same.
QString beforeOf(const wire::Lesson& lesson, Language language) {
    QStringList open, covered, names;
    for (int run = 0; run < lesson.runs_size(); ++run) {
        const QString name = QString::fromStdString(runName(static_cast<std::size_t>(run)));
        names << Words::tr("%1: %2", "name and title of a run")
                     .arg(name, textOf(lesson.runs(run).title(), language));
        if (lesson.runs(run).table().empty()) (isCovered(lesson, run) ? covered : open) << name;
    }
    if (covered.isEmpty()) return {};
    const QString runs = names.join(u'\n') + QStringLiteral("\n\n");
    const QString between = Words::tr(" and ", "between the names of runs");
    if (open.isEmpty())
        return runs + Words::tr(
                          "%1 is drawn after your guess. Before you answer, imagine where its boxes and gaps "
                          "will be.")
                          .arg(covered.join(between));
    return runs + Words::tr(
                      "%1 is drawn now, %2 after your guess. Before you answer, imagine where the covered "
                      "boxes and gaps will be.")
                      .arg(open.join(between), covered.join(between));
}

QString sourceOf(const wire::Lesson& lesson, const LessonRuns& numbers) {
    QStringList source{lesson.runs_size() == 1
                           ? Words::tr("The numbers are those of this run's median iteration.")
                           : Words::tr("The numbers are those of each run's median iteration.")};
    if (std::ranges::any_of(numbers,
                            [](const auto& run) { return run.second && !run.second->pooled_over.empty(); }))
        source << Words::tr("Runs of equal stages share their durations.");
    if (anyDisturbed(numbers)) source << Words::tr("Other programs ran on this machine during the run.");
    return sentencesText(source);
}

}  // namespace

QString levelName(int level) {
    switch (level) {
        case 1:
            return Words::tr("Basics");
        case 2:
            return Words::tr("Core");
        case 3:
            return Words::tr("Communication");
        case 4:
            return Words::tr("Balance");
        case 5:
            return Words::tr("Zero bubble");
        case 6:
            return Words::tr("Asynchronous training and scale");
        default:
            return {};
    }
}

std::vector<LessonPath> lessonPaths(const LessonBook& book, Language language) {
    const auto text = [&](const CardText& words) { return QString::fromStdString(words.in(language)); };
    std::vector<LessonPath> paths;
    for (const LearningPath& path : learningPaths()) {
        LessonPath& made = paths.emplace_back();
        made.id = QString::fromStdString(path.id);
        made.name = text(path.title);
        made.about = text(path.about);
        for (const PathPart& part : path.parts) {
            LessonPathPart& of_path = made.parts.emplace_back();
            of_path.title = text(part.title);
            for (const std::string& lesson : part.lessons)
                if (const int number = book.numberOf(lesson); number > 0) of_path.numbers.push_back(number);
            const QString semicolon = Words::tr("; ", "between parts of a sentence");
            QStringList homework, reading;
            for (const std::string& level : part.levels)
                if (const PuzzleLevel* known = findPuzzleLevel(level))
                    homework << Words::tr("puzzle level “%1”").arg(said(sentence(known->title)));
            for (const std::string& sheet : part.sheets)
                homework << Words::tr("sheet of lesson %1").arg(book.numberOf(sheet));
            for (const CardText& each : part.reading) reading << text(each);
            const int cards = static_cast<int>(part.cards.size());
            if (cards > 0) of_path.notes << Words::tr("Then %n interview cards.", "", cards);
            if (!homework.isEmpty())
                of_path.notes << Words::tr("Homework: %1.").arg(homework.join(semicolon));
            if (part.quiz) of_path.notes << Words::tr("At the end: the quiz.");
            if (!reading.isEmpty())
                of_path.notes << Words::tr("To read: %1.").arg(reading.join(semicolon));
        }
    }
    return paths;
}

LessonData lessonData(const wire::Scenario& scenario, const LessonRuns& numbers, Language language,
                      bool all_ran) {
    const wire::Lesson& lesson = scenario.lesson();
    const auto words = [&](const wire::Text& text) { return textOf(text, language); };
    const LessonExplanation explained =
        all_ran ? explanationOf(lesson.claims(), numbers) : LessonExplanation{false, numbers, {}};
    const auto filledWith = [&](const wire::Text& text, const LessonRuns& runs) {
        return QString::fromStdString(fillNumbers(words(text).toStdString(), runs));
    };
    const auto filled = [&](const wire::Text& text) { return filledWith(text, explained.runs); };
    LessonData data;
    data.id = QString::fromStdString(scenario.id());
    data.title = words(lesson.title());
    data.story = words(lesson.story());
    data.look = words(lesson.look());
    data.before = beforeOf(lesson, language);
    data.question = words(lesson.question());
    const auto withNoise = [&](const wire::Text& text, const LessonExplanation& found) {
        QStringList sentences{filledWith(text, found.runs)};
        if (!found.noisy.empty()) sentences << QString::fromStdString(say(found.noisy, language));
        return sentencesText(sentences);
    };
    data.contradicted = !explained.noisy.empty();
    data.reveal = withNoise(lesson.reveal(), explained);
    data.follow_up = filled(lesson.follow_up());
    data.interview = filled(lesson.interview());
    for (const wire::Choice& choice : lesson.choices())
        data.choices.push_back({words(choice.text()), choice.right(), filled(choice.why())});
    data.asks_number = lesson.has_number_guess();
    if (lesson.has_number_guess()) data.number_unit = words(lesson.number_guess().unit());
    for (const wire::LessonTry& set : lesson.tries())
        data.tries.push_back({words(set.title()), withNoise(set.after(), explanationOf(set.claims(), numbers))});
    if (lesson.has_tune()) {
        QStringList values;
        for (const int m : lesson.tune().m()) values << QString::number(m);
        data.tune = Words::tr("Sweep: m = %1 at %2 samples")
                        .arg(values.join(QStringLiteral(", ")))
                        .arg(lesson.tune().samples());
    }
    data.comparison = comparisonOf(lesson, numbers, language);
    data.source = sourceOf(lesson, numbers);
    data.minutes = lesson.minutes();
    QStringList references;
    for (const std::string& reference : lesson.references()) references << QString::fromStdString(reference);
    data.references = references.join(QStringLiteral("; "));
    return data;
}

QString settlingText(int done, int total, std::size_t runs, const std::vector<std::string>& predicted) {
    QStringList names;
    for (const std::string& name : predicted) names << QString::fromStdString(name);
    const QString ran = Words::tr("%1 of %2 iterations have run.").arg(done).arg(total);
    if (names.isEmpty())
        return sentencesText({ran, Words::tr("The numbers settle while you read.")});
    if (runs == 1)
        return sentencesText({ran, Words::tr("The numbers are predicted; they settle while you read.")});
    return sentencesText({ran, Words::tr("The numbers of %1 are predicted; all settle while you read.")
                                   .arg(listText(names))});
}

QString buildsOnText(const LessonBook& book, const wire::Lesson& lesson, Language language) {
    QStringList names;
    for (const std::string& id : lesson.after())
        if (const wire::Scenario* before = book.find(QString::fromStdString(id)))
            names
                << Words::tr("lesson %1, “%2”").arg(book.numberOf(id)).arg(textOf(before->title(), language));
    return names.isEmpty()
               ? QString()
               : Words::tr("Builds on %1.").arg(names.join(Words::tr(" and ", "between lessons")));
}

LessonEstimate estimateOf(const wire::Lesson& lesson, double estimate, const LessonRuns& numbers,
                          Language language) {
    const LessonGuess guess = judge(lesson.number_guess(), estimate, numbers);
    QStringList words{sentenceText(QString::fromStdString(say(guess.words, language)))};
    for (const wire::Choice& choice : lesson.choices()) {  // the mistake that leads to this number
        bool is_number = false;
        const double value = textOf(choice.text(), Language::English).toDouble(&is_number);
        if (is_number && value == estimate && !choice.right())
            words << QString::fromStdString(
                fillNumbers(textOf(choice.why(), language).toStdString(), numbers));
    }
    return {guess.is_right, sentencesText(words)};
}

}  // namespace bscope::ui
