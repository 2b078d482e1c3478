#include "widgets/text/iteration_name.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <tuple>

#include "widgets/text/config_text.h"

namespace bscope::ui {

namespace {

constexpr qsizetype kLongest = 24;

}  // namespace

QString nameOfOtherFile(const std::string& file, const std::string& other_file) {
    return file == other_file ? QString() : QFileInfo(QString::fromStdString(file)).completeBaseName();
}

QString iterationName(int number, const std::string& file, const std::string& other_file) {
    const QString own = QStringLiteral("#%1").arg(number);
    QString name = nameOfOtherFile(file, other_file);
    if (name.isEmpty()) return own;
    if (name.size() > kLongest)
        name = name.first(kLongest / 2) + QStringLiteral("…") + name.last(kLongest / 2 - 1);
    return name + u' ' + own;
}

QString iterationName(const IterationView& view, const std::string& other_file) {
    return iterationName(view.number(), view.file, other_file);
}

QString otherRunName(int number, const RunConfig& its, const RunConfig& shown) {
    const auto named = [number](const QString& what) { return QStringLiteral("#%1, %2").arg(number).arg(what); };
    if (its.schedule != shown.schedule) return named(scheduleTitle(its.schedule));
    const ScheduleParams &own = its.params, &other = shown.params;
    for (const auto& [sign, value, differs] : {std::tuple{'p', own.p, own.p != other.p},
                                               std::tuple{'m', own.m, own.m != other.m},
                                               std::tuple{'v', own.v, own.v != other.v},
                                               std::tuple{'d', own.d, own.d != other.d}})
        if (differs) return named(QStringLiteral("%1 = %2").arg(QChar::fromLatin1(sign)).arg(value));
    // Of a busy machine this changes by itself.
    RunConfig as_shown = its;
    as_shown.durations = shown.durations;
    if (its.durations != shown.durations && as_shown == shown)
        return named(its.durations == Durations::Calibrated
                         ? QCoreApplication::translate("Canvas", "with medians")
                         : QCoreApplication::translate("Canvas", "single"));
    return named(QCoreApplication::translate("Canvas", "before the change"));
}

}  // namespace bscope::ui
