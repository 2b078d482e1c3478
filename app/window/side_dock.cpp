#include "app/window/side_dock.h"

#include <QLayout>
#include <QScrollArea>

#include "widgets/controls/focus_ring.h"

namespace bscope::ui {
namespace {

constexpr int kNumbersWidth = 284, kLessonWidth = 372, kScheduleWidth = 340;
constexpr int kSchedulePage = 3;  // the others are those of the views
constexpr int kNarrow = 1100;     // below, at 100 %, the dock is a drawer

}  // namespace

SideDock::SideDock(const QWidgetList& sides, ScheduleController& schedules, const Appearance& appearance,
                   QWidget* window)
    : QDockWidget(window), schedules_(schedules), appearance_(appearance), pages_(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("numbers"));
    setFeatures(QDockWidget::NoDockWidgetFeatures);
    setTitleBarWidget(new QWidget(this));
    setWidget(pages_);
    for (QWidget* side : sides) pages_->addWidget(side);
    pages_->addWidget(schedules.panel());
    for (QScrollArea* part : pages_->findChildren<QScrollArea*>()) new FocusRing(part);
    connect(&schedules, &ScheduleController::fileOpened, this, [this] { followFile(true); });
    connect(&schedules, &ScheduleController::fileClosed, this, [this] { followFile(false); });
}

void SideDock::addActions(WindowActions& actions, ControlBar& bar) {
    using enum MenuName;
    bar_ = &bar;
    numbers_action_ = actions.addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Numbers"),
                                           {QKeySequence(Qt::Key_Q)}, [this](bool) {
                                               explain_action_->setChecked(false);
                                               showSchedule();
                                           });
    explain_action_ =
        actions.addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&About the schedule"),
                             {QKeySequence(Qt::Key_E)}, [this](bool) { showSchedule(); });
    grid_action_ =
        actions.addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Step-by-rank &grid"),
                             {QKeySequence(Qt::Key_G)}, [this](bool) { showSchedule(); });
    connect(bar.explainButton(), &QAbstractButton::clicked, explain_action_, &QAction::trigger);
    connect(bar.gridButton(), &QAbstractButton::clicked, grid_action_, &QAction::trigger);
    connect(schedules_.panel(), &SchedulePanel::closed, explain_action_, &QAction::trigger);
    connect(schedules_.strip(), &GridStrip::closed, grid_action_, &QAction::trigger);
    connect(&schedules_, &ScheduleController::gridNeeded, this, [this] {
        if (!grid_action_->isChecked()) grid_action_->trigger();
    });
}

void SideDock::restore(const Preferences& preferences) {
    numbers_action_->setChecked(preferences.dock);
    explain_action_->setChecked(preferences.schedule_panel);
    grid_action_->setChecked(preferences.step_grid);
    showSchedule();
}

void SideDock::store(Preferences& preferences) const {
    const ScheduleParts parts =
        before_file_.value_or(ScheduleParts{explain_action_->isChecked(), grid_action_->isChecked()});
    preferences.dock = narrow_ ? when_wide_.numbers : numbers_action_->isChecked();
    preferences.schedule_panel = narrow_ ? when_wide_.schedule : parts.panel;
    preferences.step_grid = parts.grid;
}

void SideDock::setView(MainView view) {
    view_ = view;
    arrange();
}

void SideDock::setPresenting(bool on) {
    presenting_ = on;
    arrange();
}

void SideDock::setCovered(bool on) {
    covered_ = on;
    arrange();
}

void SideDock::arrange() {
    const bool timeline = view_ == MainView::Timeline;
    const bool schedule = timeline && explain_action_->isChecked();
    pages_->setCurrentIndex(schedule ? kSchedulePage : static_cast<int>(view_));
    const int width = schedule ? kScheduleWidth : view_ == MainView::Lessons ? kLessonWidth : kNumbersWidth;
    setFixedWidth(currentTheme().px(width));
    const bool projector = timeline && appearance_.projector();
    setVisible(!projector && !presenting_ &&
               (!timeline || schedule || covered_ || numbers_action_->isChecked()));
    // At once, or the page is painted with the room it had beside another side.
    parentWidget()->layout()->activate();
}

void SideDock::showSchedule() {
    schedules_.setShown(explain_action_->isChecked(), grid_action_->isChecked());
    bar_->explainButton()->setChecked(explain_action_->isChecked());
    bar_->gridButton()->setChecked(grid_action_->isChecked());
    arrange();
}

void SideDock::followFile(bool open) {
    if (open && !before_file_) before_file_ = {explain_action_->isChecked(), grid_action_->isChecked()};
    const ScheduleParts parts = open ? ScheduleParts{true, true} : before_file_.value_or(ScheduleParts{});
    if (!open) before_file_.reset();
    explain_action_->setChecked(parts.panel);
    grid_action_->setChecked(parts.grid);
    showSchedule();
}

// Closed when the window becomes narrow, and as it was when there is room again.
void SideDock::setRoom(int window_width) {
    const bool narrow = window_width < currentTheme().px(kNarrow);
    if (narrow == narrow_) return;
    narrow_ = narrow;
    if (narrow) when_wide_ = {numbers_action_->isChecked(), explain_action_->isChecked()};
    numbers_action_->setChecked(!narrow && when_wide_.numbers);
    explain_action_->setChecked(!narrow && when_wide_.schedule);
    showSchedule();
}

}  // namespace bscope::ui
