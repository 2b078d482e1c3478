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
    kFormerValues,
    kScheduleWidth,
    kIconWords,  // one by one; before the last two of them goes the name of the schedule's field
    kCheckpointingName = kIconWords + kWords + 1,
    kViewNames,
    kPanels,  // from here on: into the menu
    kExport,
    kOneIteration,
    kCheckpointingField,
    kSetupForm,
    kViews,
    kRunName,
    kScheduleEnd,
    kLastStep = kScheduleEnd
};
constexpr int kWordsBeforeName = 2;
constexpr int kRow = 48, kLeastWidth = 560;
constexpr int kWideSchedule = 168, kNarrowSchedule = 128;
// Of the chips' place: with the summary, and a button without words.
constexpr int kWideTail = 150, kTail = 26, kWidestChip = 190, kWidestReason = 760;

}  // namespace

QSize BarRoom::leastSize(const Theme& theme) {
    return {theme.px(kLeastWidth), theme.px(kRow)};
}

void BarRoom::arrange(const Theme& theme) {
    const int margin = theme.px(12);
    bar_.layout()->setContentsMargins(margin, 0, margin, 0);
    for (int step = kWhole; step <= kLastStep; ++step) {
        applyStep(step, theme);
        bar_.layout()->invalidate();
        if (bar_.layout()->minimumSize().width() <= bar_.width()) break;
    }
    bar_.setFixedHeight(theme.px(kRow));
    bar_.layout()->activate();
}

void BarRoom::applyStep(int step, const Theme& theme) {
    const int words_gone = std::max(0, step - kIconWords + 1);
    parts_.words->setMost(kWords - (words_gone > kWordsBeforeName ? words_gone - 1 : words_gone));
    parts_.schedule_label->setVisible(words_gone <= kWordsBeforeName);
    parts_.setup->setLeastTail(theme.px(step < kSetupSummary ? kWideTail : kTail));
    for (NumberField* field : parts_.numbers) field->setSteady(step < kFormerValues);
    parts_.recompute_label->setVisible(step < kCheckpointingName);
    parts_.views->setCompact(step >= kViewNames);
    for (Button* button : {parts_.explain, parts_.grid}) button->setVisible(step < kPanels);
    parts_.overflow->setVisible(step >= kPanels);
    parts_.export_picture->setVisible(step < kExport);
    parts_.step->setVisible(step < kOneIteration);
    parts_.recompute->setVisible(step < kCheckpointingField);
    setup_left_out_ = step >= kSetupForm;
    parts_.setup->setVisible(!setup_left_out_);
    parts_.setup_rule->setVisible(!setup_left_out_);
    parts_.views->setVisible(step < kViews);
    parts_.run->setCompact(step >= kRunName);
    parts_.schedule->setSteadyWidth(step < kScheduleWidth ? kWideSchedule
                                    : step < kScheduleEnd ? kNarrowSchedule
                                                          : 72);
}

int BarRoom::coveredRight(const Theme& theme) const {
    const int margin = theme.px(12);
    const QRect tail = parts_.setup->tail().translated(parts_.setup->pos());
    const int right = setup_left_out_ ? bar_.width() - margin : tail.right();
    return page_ == nullptr
               ? right
               : std::min(right, page_->mapTo(bar_.window(), QPoint(page_->width(), 0)).x() - margin);
}

void BarRoom::placeChips(const Shown& shown, const Theme& theme) {
    Button* pending = parts_.pending_chip;
    ProblemChip* problem = parts_.problem_chip;
    const QRect tail = parts_.setup->tail().translated(parts_.setup->pos());
    const int usual = std::min(tail.width(), theme.px(kWidestChip));
    const bool waits = shown.pending && !shown.problems;
    pending_left_out_ = waits && setup_left_out_;
    pending->setCompact(false);
    pending->setCompact(usual < pending->sizeHint().width());  // half of the words says nothing
    pending->setGeometry(tail.x(), tail.y(), usual, tail.height());
    pending->setVisible(waits && !setup_left_out_);
    pending->raise();
    parts_.setup->setSummaryShown(!shown.problems && !waits);
    if (!shown.problems) return problem->hide();
    if (!setup_left_out_ && problem->sizeHint().width() <= tail.width()) {
        if (problem->parentWidget() != &bar_) problem->setParent(&bar_);
        problem->setGeometry(tail);
    } else {
        QWidget* window = bar_.window();
        if (problem->parentWidget() != window) problem->setParent(window);
        const int margin = theme.px(12);
        const int width = std::min({bar_.width() - 2 * margin, theme.px(kWidestReason), problem->sizeHint().width()});
        // Below the chips' place, so that what names the picture, at the left, is to be read.
        const int right = coveredRight(theme);
        problem->setGeometry({bar_.mapTo(window, QPoint(std::max(margin, right - width), bar_.height() + theme.px(4))),
                              QSize(width, problem->heightForWidth(width))});
    }
    problem->show();
    problem->raise();
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
    if (setup_left_out_) add(parts_.setup->text(), parts_.setup);
    if (parts_.views->isHidden())
        for (int i = 0; i < parts_.views->count(); ++i)
            add(parts_.views->segment(i)->text(), parts_.views->segment(i));
    if (parts_.export_picture->isHidden() && export_menu != nullptr) menu.addMenu(export_menu);
}

}  // namespace bscope::ui
