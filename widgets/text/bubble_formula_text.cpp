#include "widgets/text/bubble_formula_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "catalog/catalog.h"
#include "timeline/mean_durations.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct BubbleWords {
    Q_DECLARE_TR_FUNCTIONS(BubbleWords)
};

// Of the smallest pipeline it can be made for.
bool isEndless(const std::string& schedule) {
    const CatalogEntry* entry = findSchedule(schedule);
    if (entry == nullptr) return false;
    const ScheduleParams params{2, defaultChunks(*entry), 4, 0};
    return canBeMade(schedule, params) && makeSchedule(schedule, params).step_every > 0;
}

QString spaced(QString formula, const QString& times) {
    formula.replace('*', times).replace('-', QStringLiteral(" − ")).replace('+', QStringLiteral(" + "));
    return formula.replace('/', QStringLiteral(" / ")).replace(',', QStringLiteral(", "));
}

// Of the least or greatest of several numbers a line may end behind the parenthesis and each comma.
QString breakable(QString formula) {
    for (const QLatin1String choice : {QLatin1String("min("), QLatin1String("max(")})
        formula.replace(choice, choice + QChar(0x200B));
    return formula;
}

}  // namespace

double inDefinition(double of_total, BubbleDefinition definition) {
    return definition == BubbleDefinition::OfIdeal && of_total < 1 ? of_total / (1 - of_total) : of_total;
}

QString definitionText(BubbleDefinition definition, bool stream) {
    if (stream)
        return definition == BubbleDefinition::OfTotal
                   ? BubbleWords::tr(
                         "Idle time ÷ (ranks × iteration time). Each rank counts from its last "
                         "operation of the iteration before, without optimizer steps.")
                   : BubbleWords::tr(
                         "Idle time ÷ compute time, summed over ranks. Each rank counts from its "
                         "last operation of the iteration before, without optimizer steps.");
    return definition == BubbleDefinition::OfTotal
               ? BubbleWords::tr("Idle time ÷ (ranks × iteration time), without the optimizer step.")
               : BubbleWords::tr("Idle time ÷ compute time, summed over ranks, without the optimizer step.");
}

std::optional<BubbleFormula> theoryFormula(const RunConfig& config, const Costs* costs,
                                           const Notation& notation) {
    const CatalogEntry* entry = findSchedule(config.schedule);
    if (entry == nullptr || !canBeMade(config.schedule, config.params) || isEndless(config.schedule))
        return std::nullopt;
    OperationDurations durations;
    if (costs != nullptr && !costs->stages.empty()) {
        durations = meanDurations(*costs, entry->split_backward, config.recomputedApart());  // in ms
        const double units_a_ms = 1e6 / notation.unitNs();
        for (double* each : {&durations.f, &durations.i, &durations.w}) *each *= units_a_ms;
    }
    return bubbleFormula(
        *entry, config.params, durations,
        notation.definition == BubbleDefinition::OfIdeal ? BubbleShare::OfIdeal : BubbleShare::OfTotal);
}

QString planNote(const IterationView& view) {
    if (view.costs_by_hand) return BubbleWords::tr("Predicted with costs given by hand; nothing ran.");
    if (view.alternative) return BubbleWords::tr("Predicted with the costs of the open run; nothing ran.");
    if (view.import)
        return BubbleWords::tr("No iteration is complete yet. The costs are the medians of the whole run.");
    return view.costs_measured
               ? BubbleWords::tr("No iteration is complete yet. The costs are taken from the last run.")
               : BubbleWords::tr(
                     "No iteration is complete yet. The costs are estimated from the model's shape alone.");
}

QString formulaInLetters(const std::string& formula) {
    return spaced(QString::fromStdString(formula), QStringLiteral("·"));
}

QString formulaInNumbers(const std::string& formula) {
    QString text = QString::fromStdString(formula);
    static const QRegularExpression difference(QStringLiteral("(?<![\\d.*/-])(\\d+)-(\\d+)(?![\\d.*/])"));
    for (auto match = difference.match(text); match.hasMatch(); match = difference.match(text))
        text.replace(match.capturedStart(), match.capturedLength(),
                     QString::number(match.captured(1).toInt() - match.captured(2).toInt()));
    static const QRegularExpression alone(QStringLiteral("(?<![a-z])\\((\\d+)\\)"));
    return spaced(text.replace(alone, QStringLiteral("\\1")), QStringLiteral("×"));
}

FormulaText formulaText(const std::optional<BubbleFormula>& formula) {
    if (!formula) return {};
    FormulaText text;
    text.symbols = BubbleWords::tr("theory = %1").arg(formulaInLetters(formula->letters));
    if (!formula->idle.empty())
        text.idle =
            QStringLiteral("x = %1\n= %2")
                .arg(formulaInLetters(formula->idle), breakable(formulaInNumbers(formula->idle_numbers)));
    text.numbers =
        QStringLiteral("= %1 = %2").arg(formulaInNumbers(formula->numbers), shareText(formula->value));
    return text;
}

}  // namespace bscope::ui
