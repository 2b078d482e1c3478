// The forms of the engine's sentences about files: schedule/validate.cpp, schedule_file.cpp, time_table.cpp,
// file_cells.cpp, communication_check.cpp and deadlock.cpp say them. tst_schedule_files reads broken files
// and checks that none is missing here.
#include "widgets/schedule/file_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <vector>

#include "schedule/problem.h"

namespace bscope::ui {
namespace {

// In front of a sentence; what follows is said again by itself.
constexpr const char* kPlaces[] = {
    QT_TRANSLATE_NOOP("ScheduleFile", "row {0}, cell {1}: {2}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "{0}, t={1}: {2}"),
};

constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} names a stage or micro-batch that does not exist"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} belongs to another rank, rank {2}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} comes before its forward"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} comes before its input gradient"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}, stage {1}, micro-batch {2}: {3} forwards instead of one"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0}, stage {1}, micro-batch {2}: needs one B, or one I and one W; has none"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0}, stage {1}, micro-batch {2}: needs one B, or one I and one W; has {3} B, {4} "
                      "I and {5} W"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0}: {1} waits for the activation of stage {2}, micro-batch {3}, which no rank "
                      "makes"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0}: {1} waits for the gradient of stage {2}, micro-batch {3}, which no rank "
                      "makes"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0} can never run {1}: it waits for {2}, which comes later on the same rank"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "rank {0} can never run {1}: it waits for {2} of rank {3}, which stands at {4}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0} can never run {1}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "{0} on {1} at t={2} starts before {3} on {4}, t={5}, has ended"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} waits for rank {2}, which stands at {3}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} has nobody at the other end"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} is no message: stage {2} is on the same rank"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} is there twice"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} belongs to a backward, and the file has none"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} comes before {2}, which makes what it sends"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} comes after {2}, which needs what it receives"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} is missing before {2}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} is missing after {2}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} is out of turn: the next message of rank {2} is {3}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} fetches weights that are there"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} drops weights that are not there"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} runs while the weights of its stage are not there"),
    QT_TRANSLATE_NOOP("ScheduleFile", "rank {0}: {1} comes before {2}, which adds to what it reduces"),
    QT_TRANSLATE_NOOP("ScheduleFile", "\"{0}\" is not a box such as F1 or B3, and not idle (-)"),
    QT_TRANSLATE_NOOP("ScheduleFile", "\"{0}\" is not a forward or backward such as 2F0, 2B0, 2I0 or 2W0"),
    QT_TRANSLATE_NOOP("ScheduleFile", "\"{0}\" must overlap exactly two actions"),
    QT_TRANSLATE_NOOP("ScheduleFile", "\"{0}\" must overlap a forward and then a whole backward"),
    QT_TRANSLATE_NOOP("ScheduleFile", "\"{0}\" has a number that is too large"),
    QT_TRANSLATE_NOOP("ScheduleFile", "the file has too many rows or cells for a schedule"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "the file has {0} ranks and {1} stages; there may be {2} ranks with {3} stages each"),
    QT_TRANSLATE_NOOP("ScheduleFile", "there are more problems; the first {0} are listed"),
    QT_TRANSLATE_NOOP("ScheduleFile", "the file holds no actions"),
    QT_TRANSLATE_NOOP("ScheduleFile", "the file names too many actions"),
    QT_TRANSLATE_NOOP("ScheduleFile", "no rank runs stage {0}"),
    QT_TRANSLATE_NOOP("ScheduleFile", "{0} has no operation: every rank runs at least one stage"),
    QT_TRANSLATE_NOOP("ScheduleFile", "micro-batches count from 1"),
    QT_TRANSLATE_NOOP("ScheduleFile",
                      "old spelling: B is the input gradient here and was read as I, BW the whole backward "
                      "and was read as B"),
};

// "rank {0}: {1} ..." as an expression that catches what was filled in.
QRegularExpression formOf(const char* sentence) {
    QString form = QRegularExpression::escape(QString::fromUtf8(sentence));
    static const QRegularExpression hole(QStringLiteral("\\\\\\{\\d\\\\\\}"));
    form.replace(hole, QStringLiteral("(.+?)"));
    return QRegularExpression(QRegularExpression::anchoredPattern(form));
}

struct Form {
    const char* sentence;
    QRegularExpression expression;
    bool place;
};

std::vector<Form> allForms() {
    std::vector<Form> forms;
    for (const char* sentence : kPlaces) forms.push_back({sentence, formOf(sentence), true});
    for (const char* sentence : kSentences) forms.push_back({sentence, formOf(sentence), false});
    return forms;
}

}  // namespace

bool knowsFileSentence(const std::string& english) {
    static const std::vector<Form> forms = allForms();
    const QString text = QString::fromStdString(english);
    for (const Form& form : forms) {
        const QRegularExpressionMatch match = form.expression.match(text);
        if (!match.hasMatch()) continue;
        if (!form.place || knowsFileSentence(match.captured(match.lastCapturedIndex()).toStdString()))
            return true;
    }
    return false;
}

QString fileSentence(const std::string& english) {
    static const std::vector<Form> forms = allForms();
    const QString text = QString::fromStdString(english);
    for (const Form& form : forms) {
        const QRegularExpressionMatch match = form.expression.match(text);
        if (!match.hasMatch()) continue;
        std::vector<std::string> arguments;
        for (int i = 1; i <= match.lastCapturedIndex(); ++i)
            arguments.push_back(match.captured(i).toStdString());
        if (form.place) {
            if (!knowsFileSentence(arguments.back())) continue;
            arguments.back() = fileSentence(arguments.back()).toStdString();
        }
        const QString translated = QCoreApplication::translate("ScheduleFile", form.sentence);
        return QString::fromStdString(fillTemplate(translated.toStdString(), arguments));
    }
    return text;
}

}  // namespace bscope::ui
