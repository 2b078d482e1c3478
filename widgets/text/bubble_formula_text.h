// The bubble's closed form and its definition as people write them. Pure functions.
#pragma once

#include <QString>
#include <optional>

#include "catalog/bubble_formula.h"
#include "view/view_data.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

// The closed form for the means of the costs, in the notation's unit, or with all operations equal when there
// are none yet; nullopt where none is known for them, and of a stream, which never drains.
std::optional<BubbleFormula> theoryFormula(const RunConfig& config, const Costs* costs,
                                           const Notation& notation);
// As people set it: "(p − 1) / (m + p − 1)"; in numbers with differences of whole numbers worked out.
QString formulaInLetters(const std::string& formula);
QString formulaInNumbers(const std::string& formula);

// "theory = (p − 1) / (m + p − 1)" and "= 3 / (8 + 3) = 27.3 %"; empty texts without a formula.
struct FormulaText {
    QString symbols, numbers;
    QString idle;  // two lines of what x stands for; empty: there is no x
};
FormulaText formulaText(const std::optional<BubbleFormula>& formula);

// Where the numbers of a plan come from, of which nothing ran.
QString planNote(const IterationView& view);

// of total -> of ideal when that definition is chosen.
double inDefinition(double of_total, BubbleDefinition definition);
QString definitionText(BubbleDefinition definition, bool stream);

}  // namespace bscope::ui
