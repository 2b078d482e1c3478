// FirstSteps: three callouts, about a box, a bubble and m, one after the other. Shown once, when the program
// has something to show for the first time, and from the Help menu; what is not on the screen is left out.
// Window thread only.
#pragma once

#include <QObject>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "app/timeline/timeline_controller.h"
#include "widgets/bars/control_bar.h"
#include "widgets/help/callout.h"

namespace bscope::ui {

class FirstSteps : public QObject {
    Q_OBJECT
public:
    FirstSteps(Session& session, TimelineController& timeline, ControlBar& controls, Shell& shell);

    void addActions(WindowActions& actions);
    void startOnce();  // as soon as there is a box; leaves the keys where they are
    void start();      // now, with the keys
    void retranslate();
    Callout* callout() const { return callout_; }

signals:
    void shown();  // for the first time

protected:
    // The window appears or has another size; Esc on the canvas.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Step { Box, Bubble, Microbatches };
    std::optional<QRect> targetOf(Step step) const;
    std::vector<Step> stepsNow() const;
    void follow();
    void place();
    void tell();
    void next();
    void end();

    Session& session_;
    TimelineController& timeline_;
    ControlBar& controls_;
    Shell& shell_;
    Callout* callout_;
    std::vector<Step> steps_;  // that are shown; empty: none is
    std::size_t at_ = 0;
    bool waits_ = false;  // for the first picture
};

}  // namespace bscope::ui
