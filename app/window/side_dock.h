// SideDock: the dock at the right. Each view has a side of its own; the timeline has two, its numbers and
// what is said about the schedule. The step-by-rank grid belongs to the latter: a schedule file opens both,
// and closing it leaves them as they were. In a narrow window the dock is a drawer. Window thread only.
#pragma once

#include <QDockWidget>
#include <QStackedWidget>
#include <optional>

#include "app/schedules/schedule_controller.h"
#include "app/settings/appearance.h"
#include "app/shell/window_actions.h"
#include "widgets/bars/control_bar.h"
#include "widgets/bars/main_view.h"

namespace bscope::ui {

class SideDock : public QDockWidget {
    Q_OBJECT
public:
    // sides: of the views, in the order of MainView.
    SideDock(const QWidgetList& sides, ScheduleController& schedules, const Appearance& appearance,
             QWidget* window);

    // With the buttons of the tool bar that do the same.
    void addActions(WindowActions& actions, ControlBar& bar);
    void restore(const Preferences& preferences);
    void store(Preferences& preferences) const;
    void setView(MainView view);
    void setPresenting(bool on);  // the view has the whole window
    void setCovered(bool on);     // a form stands over it: it keeps its place, though it may be closed
    void setRoom(int window_width);
    void arrange();  // after a change of theme or of projector mode

private:
    struct ScheduleParts {
        bool panel = false, grid = false;
    };
    void showSchedule();
    void followFile(bool open);

    ScheduleController& schedules_;
    const Appearance& appearance_;
    ControlBar* bar_ = nullptr;
    QStackedWidget* pages_;
    QAction *numbers_action_ = nullptr, *explain_action_ = nullptr, *grid_action_ = nullptr;
    MainView view_ = MainView::Timeline;
    bool narrow_ = false, presenting_ = false, covered_ = false;
    struct {
        bool numbers = true, schedule = false;
    } when_wide_;
    std::optional<ScheduleParts> before_file_;  // while a schedule file is open
};

}  // namespace bscope::ui
