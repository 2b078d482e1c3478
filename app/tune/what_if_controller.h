// WhatIfController: what other schedules would give with the costs of the run that the window shows. What is
// taken of a run that can be changed goes the way of every other change; of a recording it is shown as a plan
// in place of the iteration, until the window shows something else. Window thread only.
#pragma once

#include <QPointer>

#include "analysis/what_if.h"
#include "app/session/session.h"
#include "app/shell/background.h"
#include "app/shell/shell.h"
#include "widgets/tune/what_if_dialog.h"

namespace bscope::ui {

class WhatIfController : public QObject {
    Q_OBJECT
public:
    WhatIfController(Session& session, Shell& shell);

    void open();
    WhatIfDialog* dialog() const { return dialog_; }  // null while closed
    // What is on the canvas in place of the iteration; nothing: nothing was taken.
    const std::optional<IterationView>& plan() const { return plan_; }
    void leavePlan();

signals:
    void planChanged();

private:
    // The run that everything is about.
    struct Basis {
        IterationView view;
        KnownCosts known;  // of a run of this program
        bool replayed = false, measured = false;
    };
    Basis basis() const;
    void play();
    void take(const Alternative& alternative);
    void follow();

    Session& session_;
    Shell& shell_;
    QPointer<WhatIfDialog> dialog_;
    std::shared_ptr<const Basis> basis_;
    std::optional<IterationView> plan_;
    int plan_of_ = -1;  // the iteration it stands for
    Background<WhatIf> work_{*this};
};

}  // namespace bscope::ui
