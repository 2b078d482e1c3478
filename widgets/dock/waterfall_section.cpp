#include "widgets/dock/waterfall_section.h"

#include <QEvent>

#include "timeline/mean_durations.h"
#include "widgets/text/bubble_formula_text.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

namespace {

constexpr double kLongIteration = 10;  // in the unit of time: one decimal place is enough

}  // namespace

WaterfallSection::WaterfallSection(ViewState& state, QWidget* parent)
    : Section(parent), state_(state), table_(new FigureTable(this)) {
    content()->addWidget(table_);
    connect(&state_, &ViewState::presentationChanged, this, &WaterfallSection::refresh);
    hide();
}

void WaterfallSection::setView(const IterationView& view) {
    view_ = view;
    waterfall_.reset();
    if (view.report && view.ran && !view.ran->empty()) {
        const PreparedView prepared(view);
        if (prepared.causes() != nullptr && prepared.schedule() != nullptr) {
            const Costs equal = unitCosts(prepared.schedule()->stageCount(), 1, 1, 1, 0);
            waterfall_ =
                waterfall(*prepared.causes(), closedFormBubble(*prepared.schedule(), equal, Recompute::None));
        }
    }
    refresh();
}

void WaterfallSection::setNumbersHidden(bool on) {
    hidden_numbers_ = on;
    refresh();
}

void WaterfallSection::refresh() {
    setVisible(waterfall_ && !hidden_numbers_);
    if (!waterfall_) return;
    const Notation notation = notationOf(state_, view_);
    head()->setText(tr("Measured minus theory"));
    table_->setHeader({tr("Step"), tr("points"), notation.unitName()}, {0, 0.74, 1});
    table_->setToolTip(tr("Each step plays the iteration again with one thing more as it was."));
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
    const bool gpus = view_.ranksAreGpus();
    const auto name = [&](const WaterfallStep& step) {
        const QString what = said(wordsOf(step.kind));
        if (step.index < 0) return what;
        switch (step.kind) {
            case WaterfallStep::Kind::UnequalStages:
                return tr("%1, most of all stage %2").arg(what).arg(step.index);
            case WaterfallStep::Kind::SlowRank:
                return QStringLiteral("%1: %2").arg(what, rankText(step.index, gpus));
            default:
                return QStringLiteral("%1: %2 → %3")
                    .arg(what, rankText(step.index, gpus), rankText(step.to, gpus));
        }
    };
    std::vector<FigureRow> rows;
    const std::vector<WaterfallStep>& steps = waterfall_->steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i == 0) {
            const QString first =
                waterfall_->is_closed_form ? tr("closed form, F = I = W") : tr("played, F = I = W");
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
}

void WaterfallSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
