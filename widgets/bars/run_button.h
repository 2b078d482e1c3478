// RunButton: the first button of the tool bar; what it says and does follows the state of the session.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/data/session_state.h"

namespace bscope::ui {

class RunButton : public Button {
    Q_OBJECT
public:
    explicit RunButton(QWidget* parent);
    void setState(SessionState state, bool replay_runs);
    SessionState state() const { return state_; }
    bool replayRuns() const { return replay_runs_; }
    void retranslate();

signals:
    void runClicked();  // also: play a recording, run again after a failure
    void pauseClicked();
    void cancelClicked();  // while the engine starts
    void reconnectClicked();

private:
    void press();

    SessionState state_ = SessionState::Idle;
    bool replay_runs_ = false;
};

}  // namespace bscope::ui
