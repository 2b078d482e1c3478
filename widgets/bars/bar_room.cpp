#include "widgets/bars/bar_room.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kWords = 4;  // of icons

// Each is shortened or hidden from its step on. First what stands elsewhere too, then names of fields that
// explain themselves, then what is reached through the menu; Run, the schedule and p, m, v always stay.
enum Step {
    kWhole,
    kSetupSummary,
    kIconWords,  // one by one
    kCheckpointingName = kIconWords + kWords,
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

QSize BarRoom::leastSize(const Theme& theme) {
    return {theme.px(kLeastWidth), theme.px(kRow)};
}

// The reason of an illegal value stands in the row as long as that costs names only.
void BarRoom::arrange(const Shown& shown, const Theme& theme) {
    auto* row = static_cast<QHBoxLayout*>(bar_.layout());
    ProblemChip* chip = parts_.problem_chip;
    const int margin = theme.px(12), room = bar_.width() - 2 * margin;
    row->setContentsMargins(margin, 0, margin, 0);
    if (row->indexOf(chip) < 0) row->insertWidget(row->indexOf(parts_.pending_chip) + 1, chip);
    int below = 0;
    if (!shown.problems) {
        fitsBy(kLastStep, shown);
    } else if (!fitsBy(kScheduleName, shown)) {
        row->removeWidget(chip);
        fitsBy(kLastStep, shown);
        const int wide = std::min(room, chip->sizeHint().width());
        const int high = chip->heightForWidth(wide);
        below = high + theme.px(8);
        row->setContentsMargins(margin, 0, margin, below);
        chip->setGeometry(margin, theme.px(kRow) - theme.px(2), wide, high);
    }
    bar_.setFixedHeight(theme.px(kRow) + below);
}

bool BarRoom::fitsBy(int last_step, const Shown& shown) {
    for (int step = kWhole; step <= last_step; ++step) {
        applyStep(step, shown);
        bar_.layout()->invalidate();
        if (bar_.layout()->minimumSize().width() <= bar_.width()) return true;
    }
    return false;
}

void BarRoom::applyStep(int step, const Shown& shown) {
    const bool pending = shown.pending && !shown.problems;
    parts_.setup->setSummaryShown(step < kSetupSummary && !shown.problems);
    parts_.words->setMost(kWords - std::max(0, step - kSetupSummary));
    parts_.recompute_label->setVisible(step < kCheckpointingName);
    parts_.views->setCompact(step >= kViewNames);
    parts_.schedule_label->setVisible(step < kScheduleName);
    parts_.pending_chip->setElided(step >= kScheduleName);
    for (Button* button : {parts_.explain, parts_.grid}) button->setVisible(step < kPanels);
    parts_.overflow->setVisible(step >= kPanels);
    parts_.export_picture->setVisible(step < kExport);
    parts_.step->setVisible(step < kOneIteration);
    parts_.recompute->setVisible(step < kCheckpointingField);
    parts_.setup->setVisible(step < kSetupForm);
    parts_.setup_rule->setVisible(step < kSetupForm);
    parts_.views->setVisible(step < kViews);
    parts_.pending_chip->setVisible(pending && step < kPendingChip);
    pending_left_out_ = pending && step >= kPendingChip;
    parts_.run->setCompact(step >= kRunName);
    parts_.schedule->setElided(step >= kScheduleEnd);
}

void BarRoom::fillMenu(QMenu& menu, QMenu* export_menu) const {
    menu.clear();
    const auto add = [&menu](const QString& text, QAbstractButton* button) {
        QAction* action = menu.addAction(text);
        action->setEnabled(button->isEnabled());
        action->setCheckable(button->isCheckable());
        action->setChecked(button->isChecked());
        QObject::connect(action, &QAction::triggered, button, &QAbstractButton::click);
    };
    if (pending_left_out_) add(tr("Undo: %1").arg(parts_.pending_chip->text()), parts_.pending_chip);
    if (parts_.step->isHidden()) add(parts_.step->accessibleName(), parts_.step);
    for (Button* button : {parts_.explain, parts_.grid})
        if (button->isHidden()) add(button->accessibleName(), button);
    if (ChoiceField* recompute = parts_.recompute; recompute->isHidden()) {
        QMenu* choices = menu.addMenu(recompute->accessibleName());
        choices->setEnabled(recompute->isEnabled());
        for (int i = 0; i < recompute->count(); ++i) {
            QAction* action = choices->addAction(recompute->itemText(i));
            action->setCheckable(true);
            action->setChecked(i == recompute->currentIndex());
            QObject::connect(action, &QAction::triggered, recompute,
                             [recompute, i] { recompute->setCurrentIndex(i); });
        }
    }
    if (parts_.setup->isHidden()) add(parts_.setup->text(), parts_.setup);
    if (parts_.views->isHidden())
        for (int i = 0; i < parts_.views->count(); ++i)
            add(parts_.views->segment(i)->text(), parts_.views->segment(i));
    if (parts_.export_picture->isHidden() && export_menu != nullptr) menu.addMenu(export_menu);
}

}  // namespace bscope::ui
