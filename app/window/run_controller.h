// RunController: the tool bar and the Run menu over the session: what is edited becomes the wanted
// configuration, what is in force stands in the fields, and Run starts what the canvas shows. Window thread
// only.
#pragma once

#include <QObject>
#include <functional>
#include <initializer_list>
#include <utility>

#include "app/schedules/schedule_controller.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/bars/control_bar.h"

namespace bscope::ui {

class RunController : public QObject {
    Q_OBJECT
public:
    RunController(Session& session, ScheduleController& schedules, ControlBar& bar, Shell& shell);

    void addActions(WindowActions& actions);
    // What Space plays and pauses in place of the run while it is true: an iteration that is played slowly.
    void setPlayedInstead(std::function<bool()> played) { played_instead_ = std::move(played); }
    void run();  // starts what the canvas shows, or goes on with it
    void sync();

private:
    // A submenu of the values of one field of the configuration.
    template <class Value>
    void addChoices(WindowActions& actions, const char* title, Value RunConfig::*member,
                    std::initializer_list<std::pair<const char*, Value>> choices);
    void syncState();
    void toggle();
    bool startsFile() const;

    Session& session_;
    ScheduleController& schedules_;
    ControlBar& bar_;
    std::function<bool()> played_instead_;
};

}  // namespace bscope::ui
