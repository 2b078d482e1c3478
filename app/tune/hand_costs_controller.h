// HandCostsController: a plan with costs given by hand, on the canvas in place of the run while its form is
// open. It follows the configuration. Window thread only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <optional>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "widgets/data/view_state.h"
#include "widgets/tune/hand_costs_dialog.h"

namespace bscope::ui {

class HandCostsController : public QObject {
    Q_OBJECT
public:
    HandCostsController(Session& session, Shell& shell);

    void open();
    void close();
    void setUnit(TimeUnit unit);  // of the times that are shown; those that are typed stay in ms
    HandCostsDialog* dialog() const { return dialog_; }  // null while closed
    const std::optional<IterationView>& plan() const { return plan_; }
    // A change that waits, with numbers and plan of these costs while the dialog is open.
    PendingChange planned(PendingChange change) const;

signals:
    void planChanged();
    // Whether the form stands over the right side of the window, where no picture may be.
    void covering(bool right_side);

private:
    QString outcomeText(const IterationView& plan) const;
    void placeDialog();
    void replan();
    // costs: what is not given by hand.
    PlannedIteration played(const RunConfig& config, const Schedule& order, const Costs& costs) const;

    QTimer soon_{this};  // a plan for any number of states that come in one turn of the event loop
    TimeUnit unit_ = TimeUnit::Milliseconds;
    Session& session_;
    Shell& shell_;
    QPointer<HandCostsDialog> dialog_;
    std::optional<IterationView> plan_;
};

}  // namespace bscope::ui
