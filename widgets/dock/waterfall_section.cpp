#include "widgets/dock/waterfall_section.h"

#include "widgets/text/bubble_formula_text.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"
#include "words/number_text.h"

namespace bscope::ui {

namespace {

constexpr double kLongIteration = 10;  // in the unit of time: one decimal place is enough

}  // namespace

void WaterfallSection::viewChanged(const PreparedView& view) {
    waterfall_.reset();
    if (!view.view().report || !view.hasRun() || view.causes() == nullptr || view.schedule() == nullptr)
        return;
    waterfall_ = waterfall(*view.causes(), *view.schedule());
}

bool WaterfallSection::fill(const PreparedView& view) {
    if (!waterfall_) return false;
    const Notation notation = notationOf(state_, view.view());
    head()->setText(tr("This run minus theory"));
    aside()->setText(waterfall_->iterations < 2 ? tr("1 iteration")
                                                : tr("medians of %1").arg(waterfall_->iterations));
    aside()->setToolTip(said(waterfall_->comparedBy()));
    aside()->setElided(true);
    table_->setHeader({tr("Step"), tr("points"), notation.unitName()}, {0, 0.74, 1});
    table_->setToolTip(
        tr("Each step replays the iteration with one more factor as it was in the run; the heaviest stage, "
           "the slow rank and the slowest link are named where they stand out. The first step is the theory "
           "for equal stages whose forward, input gradient and weight gradient take the same time, without "
           "recomputation; the Theory above uses this run's mean durations."));
    // Of the whole up to a step, as printed; a step is the difference of two of them.
    const auto points = [&](const WaterfallStep& step) {
        return roundedTo(100 * inDefinition(step.bubble_of_total, notation.definition), 1);
    };
    const double unit_ns = notation.unitNs();
    const int places =
        static_cast<double>(waterfall_->steps.back().iteration_ns) / unit_ns >= kLongIteration ? 1 : 3;
    const auto time = [&](const WaterfallStep& step) {
        return roundedTo(static_cast<double>(step.iteration_ns) / unit_ns, places);
    };
    const bool gpus = view.view().ranksAreGpus();
    const auto name = [&](const WaterfallStep& step) {
        const QString what = said(wordsOf(step.kind));
        if (step.index < 0) return what;
        switch (step.kind) {
            case WaterfallStep::Kind::UnequalStages:
                if (step.twin >= 0)
                    return tr("%1: stage %2 or %3")
                        .arg(what, QString::number(step.index), rankInText(step.twin, gpus));
                return tr("%1: stage %2").arg(what).arg(step.index);
            case WaterfallStep::Kind::SlowRank:
                if (step.twin >= 0) return tr("%1: %2 or its stage").arg(what, rankInText(step.index, gpus));
                return QStringLiteral("%1: %2").arg(what, rankInText(step.index, gpus));
            default:
                return QStringLiteral("%1: %2 → %3")
                    .arg(what, rankInText(step.index, gpus), rankInText(step.to, gpus));
        }
    };
    std::vector<FigureRow> rows;
    const std::vector<WaterfallStep>& steps = waterfall_->steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i == 0) {
            const QString first =
                waterfall_->is_closed_form ? tr("theory, F = I = W") : tr("predicted, F = I = W");
            rows.push_back({{first, numberText(points(steps[i]), 1), numberText(time(steps[i]), places)},
                            FigureRow::Look::Faint});
            continue;
        }
        const double more_points = points(steps[i]) - points(steps[i - 1]),
                     more_time = time(steps[i]) - time(steps[i - 1]);
        const QString added = signedText(more_points, 1), longer = signedText(more_time, places);
        if (added == signedText(0, 1) && longer == signedText(0, places)) continue;
        rows.push_back({{name(steps[i]), added, longer}, FigureRow::Look::Normal});
    }
    rows.push_back(
        {{tr("this run"), numberText(points(steps.back()), 1), numberText(time(steps.back()), places)},
         FigureRow::Look::Marked});
    table_->setRows(std::move(rows));
    return true;
}

}  // namespace bscope::ui
