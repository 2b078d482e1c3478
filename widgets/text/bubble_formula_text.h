// BubbleStory: from theory over prediction to this run, step by step, and what each step is owed to. Every
// step is the difference of two printed numbers, so the steps add up on screen. Pure functions.
#pragma once

#include <QString>
#include <optional>

#include "schedule/bubble_formula.h"
#include "widgets/data/view_data.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

// The operation that took longest against its calibrated duration.
struct LongOperation {
    Action action;
    int rank = 0;
    double excess = 0;  // 0.59 = 59 % longer
};

// Shares of total time.
struct BubbleStory {
    std::optional<double> run;        // nothing when nothing ran
    double predicted = 0;             // with the run's costs and the link
    std::optional<double> free_link;  // predicted with the same costs and a link that costs nothing
    std::optional<double> theory;     // equal stages, free link
    std::optional<LongOperation> longest;
};

BubbleStory bubbleStory(const IterationView& view);
// "The link (0.8 ms a hop) adds 3.3 points. Noise, above all F6 on rank 2 (59 % long), adds 0.4."
QString tellStory(const BubbleStory& story, const IterationView& view, const Notation& notation);

// The closed form for the means of the costs, or with all operations equal when there are none yet; nullopt
// where none is known for them, and of a stream, which never drains.
std::optional<BubbleFormula> theoryFormula(const RunConfig& config, const Costs* costs,
                                           BubbleDefinition definition);
// As people set it: "(p − 1) / (m + p − 1)"; in numbers with differences of whole numbers worked out.
QString formulaInLetters(const std::string& formula);
QString formulaInNumbers(const std::string& formula);

// "theory = (p − 1) / (m + p − 1)" and "= 3 / (8 + 3) = 27.3 %"; empty texts without a formula.
struct FormulaText {
    QString symbols, numbers;
};
FormulaText formulaText(const std::optional<BubbleFormula>& formula);

// of total -> of ideal when that definition is chosen.
double inDefinition(double of_total, BubbleDefinition definition);
QString definitionText(BubbleDefinition definition, bool stream);

}  // namespace bscope::ui
