#include "app/tune/tune_controller.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <optional>

#include "analysis/cost_estimate.h"
#include "analysis/iteration_series.h"
#include "app/session/advice_request.h"
#include "catalog/catalog.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

// Of the iterations under the configuration of this one, relative to their median; 0: too few.
double scatterOf(const std::vector<IterationBar>& bars, std::int32_t iteration) {
    constexpr std::size_t least = 4;
    const auto own = std::ranges::find(bars, iteration, &IterationBar::iteration);
    if (own == bars.end()) return 0;
    std::vector<SeriesPoint> points;
    for (const IterationBar& bar : bars)
        if (bar.sharesBracket(*own)) points.push_back({.length_ms = bar.iteration_ms});
    const SeriesFacts facts = seriesFacts(points);
    return facts.samples >= least && facts.median_ms > 0 ? facts.deviation_ms / facts.median_ms : 0;
}

}  // namespace

TuneController::TuneController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell), view_(new TuneView(shell.widget())) {
    connect(view_, &TuneView::leaveFile, this, &TuneController::leaveFile);
    connect(view_, &TuneView::startSweep, this, &TuneController::start);
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
    connect(&session, &Session::stateChanged, this, [this] {
        view_->setObstacle(session_.sweeps().obstacle());
        if (view_->isVisible()) syncBase();  // a file was opened or left
    });
}

void TuneController::enter() {
    syncBase();
}

// While a sweep runs, what it varies stays what it was started with.
void TuneController::syncBase() {
    const bool is_file = session_.state() == SessionState::Replaying;
    if (view_->running() || (!is_file && !session_.problems().empty())) return;
    view_->setBase(base());
    if (const IterationStart* start = session_.history().start(); start != nullptr && !is_file)
        view_->setSource(start->provenance, QString::fromStdString(start->device));
}

// Of the live run what is wanted; of an open file what ran in it, which has nothing of the built-in model.
SweepBase TuneController::base() const {
    if (session_.state() != SessionState::Replaying)
        return {.config = session_.subject(),
                .costs_of = costsOfOpenRun(session_),
                .costs_measured = session_.history().knownCosts() != nullptr};
    const IterationView view = adviceViewOf(session_);
    const AdviceRequest request = adviceRequestOf(session_, view);
    return {.config = request.config(),
            .costs_of = costsOfOpenRun(session_),
            .knows_model = request.knows_model,
            .file = QFileInfo(QString::fromStdString(view.file)).completeBaseName(),
            .scatter = scatterOf(session_.bars(), view.iteration)};
}

// A recording's configuration can run here; what another program ran cannot.
void TuneController::leaveFile() {
    if (session_.state() != SessionState::Replaying) return;
    const SweepBase left = base();
    session_.closeRecording();
    if (left.knows_model) session_.edit(left.config);
    syncBase();
}

void TuneController::start(const SweepForm& form) {
    session_.sweeps().start({form.axis, form.values, form.iterations,
                             form.ofM() && form.fixed_batch ? form.samples : 0, form.cap_mb});
}

void TuneController::propose(const RunConfig& config, const SweepForm& form) {
    if (view_->running()) return;
    session_.edit(config);
    view_->setForm(form);
}

std::vector<RanBeside> TuneController::swept() const {
    std::vector<RanBeside> swept;
    for (const SweepRow& row : view_->rows())
        if (row.run && row.done > 0) swept.push_back({row.config, row.run->iteration_ms, row.done});
    return swept;
}

// Over an open file the button says what it would leave; a key does not leave it.
void TuneController::startSweep() {
    if (view_->running() || session_.state() == SessionState::Replaying) return;
    view_->startButton()->click();
}

QString TuneController::statusNote() const {
    if (!view_->running()) return {};
    int done = 0, asked = 0;
    for (const SweepPoint& point : session_.sweeps().state()->points) {
        if (point.over_cap || !point.problems.empty()) continue;
        done += point.iterations_done;
        asked += point.iterations;
    }
    return said(sentence("sweep: {0} of {1} iterations", done, asked));
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
