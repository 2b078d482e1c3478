// The window as its parts use it: Shell, and what shows a view.
#include "app/window/main_window.h"

#include <algorithm>

#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/timeline/timeline_controller.h"
#include "app/tune/advice_controller.h"
#include "app/tune/tune_controller.h"
#include "app/window/notices.h"
#include "app/window/palette_entries.h"
#include "app/window/run_controller.h"
#include "app/window/side_dock.h"
#include "app/window/status_controller.h"
#include "widgets/bars/control_bar.h"
#include "widgets/text/config_text.h"
#include "widgets/tune/improve_page.h"

namespace bscope::ui {

void MainWindow::showView(MainView view) {
    if (view_ == MainView::Lessons && view != MainView::Lessons) lessons_->leave();
    view_ = view;
    side_->setView(view);
    pages_->setCurrentIndex(static_cast<int>(view));
    controls_->setView(view);
    if (view == MainView::Lessons) lessons_->enter();
    if (view == MainView::Improve) enterImprove();
    if (view == MainView::Timeline) focusCanvas();
    runs_->sync();
    status_->sync();
}

void MainWindow::enterImprove() {
    tune_->enter();
    advice_->enter();
    // Space goes on pausing: no button has the focus.
    if (improve_->section() == ImprovePage::Section::Changes)
        advice_->table()->table()->setFocus();
    else
        tune_->page()->setFocus();
}

void MainWindow::say(const Notice& notice) {
    notices_->say(notice);
}

void MainWindow::showRefusal(const wire::Text& title, const std::vector<Problem>& problems) {
    notices_->showRefusal(textOf(title, language()), problems);
}

GanttView* MainWindow::canvas() const {
    if (view_ == MainView::Timeline) return timeline_->canvas();
    return view_ == MainView::Lessons ? lessons_->canvas() : nullptr;
}

void MainWindow::showMe(const QString& what) {
    const QString name = what.section(QLatin1Char(':'), 1);
    if (what.startsWith(QLatin1String("lesson:"))) {
        const wire::Scenario* lesson = book_.find(name);
        if (lesson == nullptr) return;
        showView(MainView::Lessons);
        lessons_->open(*lesson);
        return;
    }
    // What is wanted stays: another schedule than the one on the canvas is shown as a plan.
    const QString schedule = name.section(QLatin1Char('#'), 0, 0);
    showView(MainView::Timeline);
    timeline_->leavePlan();
    if (schedule.toStdString() != session_.shown().config.schedule &&
        !timeline_->showPlanOf(schedule.toStdString()))
        return showBriefly(
            tr("%1 cannot run with these p, v and m").arg(scheduleTitle(schedule.toStdString())));
    timeline_->canvasLight().light(schedule.toStdString(), name.section(QLatin1Char('#'), 1));
}

void MainWindow::focusCanvas() {
    timeline_->canvas()->setFocus();
}

void MainWindow::revealSelection() {
    timeline_->canvas()->revealSelection();
}

void MainWindow::openPalette() {
    const Theme& theme = currentTheme();
    const QSize most(std::min(theme.px(620), width()), theme.px(360));
    auto* palette = new CommandPalette(
        paletteEntries(*actions_, timeline_->canvas()->commands(), session_, *controls_), most, this);
    palette->move(mapToGlobal(QPoint((width() - most.width()) / 2, theme.px(76))));
    palette->show();
    palette->field()->setFocus();
}

}  // namespace bscope::ui
