#include "app/tune/tune_controller.h"

#include <QFileDialog>
#include <QSaveFile>
#include <optional>

#include "analysis/cost_estimate.h"

namespace bscope::ui {

TuneController::TuneController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell), view_(new TuneView(shell.widget())) {
    connect(view_, &TuneView::startSweep, &session.sweeps(), [&session](const SweepForm& form) {
        session.sweeps().start({form.axis, form.values, form.iterations,
                                form.ofM() && form.fixed_batch ? form.samples : 0, form.cap_mb});
    });
    connect(view_, &TuneView::cancelSweep, &session.sweeps(), &Sweeps::cancel);
    connect(view_, &TuneView::use, this, &TuneController::use);
    connect(view_, &TuneView::keepResults, this, &TuneController::keep);
    connect(view_, &TuneView::focusReturned, this, [this] { view_->setFocus(); });
    connect(&session.sweeps(), &Sweeps::changed, this,
            [this] { view_->setState(session_.sweeps().state()); });
    connect(&session, &Session::barsChanged, this, [this] {
        if (view_->isVisible()) syncBase();  // costs are known better; enter() learns them too
    });
    connect(&session, &Session::configChanged, this, &TuneController::syncBase);
    connect(&session, &Session::stateChanged, this,
            [this] { view_->setObstacle(session_.sweeps().obstacle()); });
}

void TuneController::enter() {
    syncBase();
}

// While a sweep runs, what it varies stays what it was started with.
void TuneController::syncBase() {
    if (view_->running() || !session_.problems().empty()) return;
    const KnownCosts* known = session_.history().knownCosts();
    view_->setBase(session_.wanted(),
                   [known = known != nullptr ? std::optional(*known) : std::nullopt](
                       const RunConfig& config) { return estimateCosts(config, known ? &*known : nullptr); });
    if (const IterationStart* start = session_.history().start())
        view_->setSource(start->provenance, QString::fromStdString(start->device));
}

void TuneController::propose(const RunConfig& config, const SweepForm& form) {
    if (view_->running()) return;
    session_.edit(config);
    view_->setForm(form);
}

void TuneController::startSweep() {
    if (!view_->running()) view_->startButton()->click();
}

QString TuneController::statusNote() const {
    if (!view_->running()) return {};
    int done = 0, asked = 0;
    for (const SweepPoint& point : session_.sweeps().state()->points) {
        if (point.over_cap || !point.problems.empty()) continue;
        done += point.iterations_done;
        asked += point.iterations;
    }
    return tr("sweep: %1 of %2 iterations").arg(done).arg(asked);
}

void TuneController::use(const RunConfig& of_sweep) {
    RunConfig config = of_sweep;
    config.memory_cap_mb = session_.wanted().memory_cap_mb;  // that of the sweep is its own
    session_.edit(config);
    shell_.showView(MainView::Timeline);
}

void TuneController::keep(const QString& csv) {
    const QString path = QFileDialog::getSaveFileName(shell_.widget(), tr("Keep the results"),
                                                      QStringLiteral("sweep.csv"), tr("Tables (*.csv)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(csv.toUtf8()) >= 0 && file.commit();
    if (!written)
        shell_.say({tr("%1 could not be written: %2.").arg(path, file.errorString()),
                    tr("Choose another folder."),
                    {}});
}

}  // namespace bscope::ui
