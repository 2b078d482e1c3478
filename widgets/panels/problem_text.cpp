// Problems in the window's language. Every template the engine writes (schedule/catalog.cpp, run_config.cpp,
// the schedules' own constraints) is listed for the translator; tst_controls makes them all and checks this
// list.
#include <QCoreApplication>

#include "widgets/panels/config_text.h"

namespace bscope::ui {
namespace {

[[maybe_unused]] constexpr const char* kTemplates[] = {
    QT_TRANSLATE_NOOP("Problem", "{0} = {1} must lie between {2} and {3}"),
    QT_TRANSLATE_NOOP("Problem", "{0} = {1} must be zero or more"),
    QT_TRANSLATE_NOOP("Problem", "{0} = {1} must be {2}, as in the schedule's file"),
    QT_TRANSLATE_NOOP("Problem", "{0} = {1} must be 0, infinitely fast, or at least {2}"),
    QT_TRANSLATE_NOOP("Problem", "p * d = {0} is more than the {1} ranks there may be"),
    QT_TRANSLATE_NOOP("Problem", "p * v * m * d = {0} is more than the {1} cells a schedule may have"),
    QT_TRANSLATE_NOOP("Problem",
                      "d = {0} must be 1 for {1}: it has two copies of its weights, no flush or "
                      "no backward"),
    QT_TRANSLATE_NOOP("Problem",
                      "d = {0} must be 1 for a file without a backward: there are no gradients to add"),
    QT_TRANSLATE_NOOP("Problem", "There is no schedule {0}; the nearest are {1}; all: {2}"),
    QT_TRANSLATE_NOOP("Problem", "v = {0} must be {1} for {2}"),
    QT_TRANSLATE_NOOP("Problem", "v = {0} must be at least {1} for {2}"),
    QT_TRANSLATE_NOOP("Problem", "hidden = {0} must be a multiple of heads = {1}"),
    QT_TRANSLATE_NOOP("Problem", "{0} layers cannot fill {1} stages (p = {2} times v = {3})"),
    QT_TRANSLATE_NOOP("Problem", "the split names {0} stages, the pipeline has {1} (p = {2} times v = {3})"),
    QT_TRANSLATE_NOOP("Problem", "stage {0} has {1} layers, it needs at least one"),
    QT_TRANSLATE_NOOP("Problem", "the split adds up to {0} layers, the model has {1}"),
    QT_TRANSLATE_NOOP("Problem", "there is no rank {0}, ranks go from 0 to {1}"),
    QT_TRANSLATE_NOOP("Problem", "rank {0} is slowed down twice"),
    QT_TRANSLATE_NOOP("Problem",
                      "rank {0} cannot be slowed down by {1}, the factor must lie between 1 and {2}"),
};

}  // namespace

QString problemText(const Problem& problem) {
    const QString translated = QCoreApplication::translate("Problem", problem.message.c_str());
    std::vector<std::string> arguments = problem.arguments;
    for (std::string& argument : arguments) {
        const QString title = QCoreApplication::translate("Catalog", argument.c_str());  // of a schedule
        argument = engineText(title).toStdString();
    }
    return QString::fromStdString(fillTemplate(translated.toStdString(), arguments));
}

}  // namespace bscope::ui
