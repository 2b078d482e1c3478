#include "app/lessons/lesson_claims.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "app/lessons/lesson_book.h"

namespace bscope::ui {

namespace {

// Numbers and placeholders' names joined by * and /, from the left. `known` becomes false for a name or a
// word that is none; NaN while a number is not there.
double valueOf(const QString& expression, std::span<const std::optional<IterationView>> runs, bool& known) {
    double value = 1;
    bool divides = false, first = true;
    for (const QString& word : expression.split(u' ', Qt::SkipEmptyParts)) {
        const bool is_operator = word == u"*" || word == u"/";
        if (is_operator != !first) known = false;
        first = is_operator ? true : false;
        if (is_operator) {
            divides = word == u"/";
            continue;
        }
        bool is_number = false;
        double term = word.toDouble(&is_number);
        if (!is_number) {
            const std::optional<double> number = lessonNumber(word, runs);
            if (!number) known = false;
            term = number.value_or(std::nan(""));
        }
        value = divides ? value / term : value * term;
    }
    if (first) known = false;  // nothing, or an operator without its second operand
    return value;
}

}  // namespace

std::optional<bool> claimHolds(const QString& claim, std::span<const std::optional<IterationView>> runs,
                               QString* problem) {
    static const QRegularExpression form(QStringLiteral("^([^<>~]+)(<|>|~(\\d+)%)([^<>~]+)$"));
    const QRegularExpressionMatch match = form.match(claim);
    bool known = match.hasMatch();
    const double left = known ? valueOf(match.captured(1), runs, known) : 0;
    const double right = known ? valueOf(match.captured(4), runs, known) : 0;
    if (!known) {
        if (problem) *problem = claim;
        return std::nullopt;
    }
    if (std::isnan(left) || std::isnan(right)) return std::nullopt;
    const QString relation = match.captured(2);
    if (relation == u"<") return left < right;
    if (relation == u">") return left > right;
    const double share = match.captured(3).toDouble() / 100;
    return std::abs(left - right) <= share * std::max(std::abs(left), std::abs(right));
}

bool anyDisturbed(std::span<const std::optional<IterationView>> runs) {
    return std::ranges::any_of(runs, [](const std::optional<IterationView>& run) {
        return run && run->report && run->report->disturbed;
    });
}

}  // namespace bscope::ui
