// What the tool bar does when it is narrow: in which order its parts give way, and the menu that holds those
// which have left it.
#include <QHBoxLayout>
#include <QMenu>
#include <QResizeEvent>
#include <algorithm>

#include "widgets/bars/control_bar.h"

namespace bscope::ui {
namespace {

// Each gives way from its step on. First what is said elsewhere, then names that a field explains itself,
// then what is reached through the menu; Run, the schedule and p, m, v always stay.
enum Step {
    kWhole,
    kSetupSummary,
    kCheckpointingName,
    kViewNames,
    kScheduleName,  // and the end of the chip's sentence
    kPanels,        // from here on: into the menu
    kExport,
    kOneIteration,
    kCheckpointingField,
    kSetupForm,
    kViews,
    kPendingChip,
    kRunName,
    kScheduleEnd,
    kLastStep = kScheduleEnd
};
constexpr int kRow = 48, kLeastWidth = 560;

}  // namespace

void ControlBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) collapse();  // which sets the height
}

QSize ControlBar::minimumSizeHint() const {
    return {theme_.px(kLeastWidth), theme_.px(kRow)};
}

// The reason of an illegal value stands in the row as long as that costs names only, else below it.
void ControlBar::collapse() {
    auto* row = static_cast<QHBoxLayout*>(layout());
    const int margin = theme_.px(12), room = width() - 2 * margin;
    row->setContentsMargins(margin, 0, margin, 0);
    if (row->indexOf(problem_chip_) < 0) row->insertWidget(row->indexOf(pending_chip_) + 1, problem_chip_);
    int below = 0;
    if (problems_.empty()) {
        fitsBy(kLastStep);
    } else if (!fitsBy(kScheduleName)) {
        row->removeWidget(problem_chip_);
        fitsBy(kLastStep);
        const int wide = std::min(room, problem_chip_->sizeHint().width());
        const int high = problem_chip_->heightForWidth(wide);
        below = high + theme_.px(8);
        row->setContentsMargins(margin, 0, margin, below);
        problem_chip_->setGeometry(margin, theme_.px(kRow) - theme_.px(2), wide, high);
    }
    setFixedHeight(theme_.px(kRow) + below);
}

bool ControlBar::fitsBy(int last_step) {
    for (int step = kWhole; step <= last_step; ++step) {
        giveWay(step);
        layout()->invalidate();
        if (layout()->minimumSize().width() <= width()) return true;
    }
    return false;
}

void ControlBar::giveWay(int step) {
    setup_->setSummaryShown(step < kSetupSummary && problems_.empty());
    recompute_label_->setVisible(step < kCheckpointingName);
    views_->setCompact(step >= kViewNames);
    schedule_label_->setVisible(step < kScheduleName);
    pending_chip_->setElided(step >= kScheduleName);
    for (Button* button : {explain_, grid_}) button->setVisible(step < kPanels);
    overflow_->setVisible(step >= kPanels);
    export_->setVisible(step < kExport);
    step_->setVisible(step < kOneIteration);
    recompute_->setVisible(step < kCheckpointingField);
    setup_->setVisible(step < kSetupForm);
    rules_.back()->setVisible(step < kSetupForm);
    views_->setVisible(step < kViews);
    pending_chip_->setVisible(pending_ && problems_.empty() && step < kPendingChip);
    run_->setCompact(step >= kRunName);
    schedule_->setElided(step >= kScheduleEnd);
}

void ControlBar::fillOverflow() {
    overflow_menu_->clear();
    const auto add = [this](const QString& text, QAbstractButton* button) {
        QAction* action = overflow_menu_->addAction(text);
        action->setEnabled(button->isEnabled());
        action->setCheckable(button->isCheckable());
        action->setChecked(button->isChecked());
        connect(action, &QAction::triggered, button, &QAbstractButton::click);
    };
    if (pending_ && problems_.empty() && pending_chip_->isHidden())
        add(tr("Undo: %1").arg(pending_chip_->text()), pending_chip_);
    if (step_->isHidden()) add(step_->accessibleName(), step_);
    for (Button* button : {explain_, grid_})
        if (button->isHidden()) add(button->accessibleName(), button);
    if (recompute_->isHidden()) {
        QMenu* choices = overflow_menu_->addMenu(recompute_->accessibleName());
        choices->setEnabled(recompute_->isEnabled());
        for (int i = 0; i < recompute_->count(); ++i) {
            QAction* action = choices->addAction(recompute_->itemText(i));
            action->setCheckable(true);
            action->setChecked(i == recompute_->currentIndex());
            connect(action, &QAction::triggered, recompute_, [this, i] { recompute_->setCurrentIndex(i); });
        }
    }
    if (setup_->isHidden()) add(setup_->text(), setup_);
    if (views_->isHidden())
        for (std::size_t i = 0; i < view_actions_.size(); ++i)
            add(view_actions_[i]->text(), views_->segment(static_cast<int>(i)));
    if (export_->isHidden() && export_menu_ != nullptr) overflow_menu_->addMenu(export_menu_);
}

}  // namespace bscope::ui
