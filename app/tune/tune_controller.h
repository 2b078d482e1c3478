// TuneController: the sweep of the Improve view and the session: gives the view what it varies and what has been measured,
// sends its requests to the engine. Window thread only.
#pragma once

#include <QObject>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "widgets/tune/improve_lines.h"
#include "widgets/tune/tune_view.h"

namespace bscope::ui {

class TuneController : public QObject {
    Q_OBJECT
public:
    TuneController(Session& session, Shell& shell);

    TuneView* page() const { return view_; }
    QWidget* side() const { return view_->sidePanel(); }
    void enter();
    // What the last sweep measured, as it is known now.
    std::vector<RanBeside> swept() const;
    // How far a sweep is that runs now; empty when none does.
    QString statusNote() const;
    // What a lesson asks to be run; nothing while another sweep runs.
    void propose(const RunConfig& config, const SweepForm& form);
    void startSweep();  // with what the form says

private:
    void syncBase();
    SweepBase base() const;
    void leaveFile();
    void start(const SweepForm& form);
    void use(const RunConfig& of_sweep);
    void keep(const QString& csv);

    Session& session_;
    Shell& shell_;
    TuneView* view_;
};

}  // namespace bscope::ui
