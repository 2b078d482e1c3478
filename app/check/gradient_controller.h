// GradientController: the gradient check of what the window shows. A run of its own engine waits while the
// check trains, since both would take each other's time, and goes on afterwards. Window thread only.
#pragma once

#include <QPointer>
#include <optional>

#include "app/check/gradient_job.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "widgets/dialogs/gradient_dialog.h"

namespace bscope::ui {

class GradientController : public QObject {
    Q_OBJECT
public:
    GradientController(Session& session, Shell& shell);

    // Checks at once, unless the outcome for this configuration is known.
    void open();
    GradientDialog* dialog() const { return dialog_; }  // null while closed
    const std::optional<GradientCheck>& found() const { return found_; }

private:
    RunConfig current() const;
    QString obstacle() const;
    void start();
    void cancel();
    void follow();
    void letRunGoOn();

    Session& session_;
    Shell& shell_;
    QPointer<GradientDialog> dialog_;
    std::optional<GradientCheck> found_;
    GradientJob job_{this};
    bool run_waits_ = false;  // it was paused for the check
};

}  // namespace bscope::ui
