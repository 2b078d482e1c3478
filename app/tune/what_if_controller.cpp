#include "app/tune/what_if_controller.h"

#include "app/history/planned_iteration.h"
#include "schedule/catalog.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

RunConfig configOf(const RunConfig& of_run, const Alternative& alternative) {
    RunConfig config = of_run;
    if (alternative.ran || alternative.even_split) return config;
    config.schedule = alternative.schedule;
    if (alternative.params.stagesOfReplica() != config.params.stagesOfReplica())
        config.layers_per_stage.clear();
    config.params = alternative.params;
    return config;
}

bool sameRun(const IterationView& a, const IterationView& b) {
    return a.config == b.config && a.import == b.import;
}

}  // namespace

WhatIfController::WhatIfController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell) {
    connect(&session, &Session::stateChanged, this, &WhatIfController::follow);
    connect(&session, &Session::shownChanged, this, &WhatIfController::follow);
}

WhatIfController::Basis WhatIfController::basis() const {
    Basis basis;
    basis.view = session_.numbers().value_or(session_.shown());
    const IterationView& view = basis.view;
    basis.replayed = session_.state() == SessionState::Replaying;
    basis.measured = view.import || view.report;
    const Costs costs = view.import   ? view.import->costs
                        : view.report ? view.report->costs
                                      : session_.costsOf(view.config);
    basis.known = {view.config, costs, view.order};
    return basis;
}

void WhatIfController::open() {
    if (!dialog_) {
        dialog_ = new WhatIfDialog(shell_.widget());
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &WhatIfDialog::taken, this, &WhatIfController::take);
        connect(dialog_, &WhatIfDialog::capEdited, this, &WhatIfController::play);
        connect(dialog_, &QDialog::finished, this, [this] { work_.cancel(); });
    }
    leavePlan();
    basis_ = std::make_shared<const Basis>(basis());
    const IterationView& view = basis_->view;
    dialog_->setSource(view.import ? tr("the medians of all iterations of %1, messages free")
                                         .arg(QString::fromStdString(view.import->source))
                       : view.report ? tr("the costs of iteration %1").arg(view.number())
                                     : tr("estimated costs: nothing ran yet"));
    dialog_->setMeaning(basis_->replayed
                            ? tr("A click or Enter shows a line as a plan on the canvas.")
                            : tr("A click or Enter makes a line the configuration that is wanted."));
    play();
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void WhatIfController::play() {
    if (!dialog_ || !basis_ || !basis_->view.order) return;
    dialog_->setPlaying();
    const auto work = [basis = basis_, cap = dialog_->cap()](const std::stop_token& stop) {
        const Schedule& ran = *basis->view.order;
        const RunConfig& config = basis->view.config;
        if (basis->view.import) return whatIf(ran, basis->known.costs, config.recompute, cap, stop);
        // Layers, not work, are spread over the stages of a run of this program.
        const auto costs = [&](const Alternative& each, const Schedule& schedule) -> std::optional<Costs> {
            if (each.ran) return basis->known.costs;
            const RunConfig other = configOf(config, each);
            if (each.even_split || !problems(other, schedule).empty()) return std::nullopt;
            return estimateCosts(other, schedule, &basis->known);
        };
        return whatIf(ran, CostsOfAlternative(costs), config.recompute, cap, stop);
    };
    const QString refusal = work_.start(work, [this](const std::shared_ptr<const WhatIf>& result) {
        if (!dialog_) return;
        if (result)
            dialog_->setResult(*result);
        else
            dialog_->setFailure(tr("There is not enough memory."));
    });
    if (!refusal.isEmpty()) dialog_->setFailure(tr("The system gives no thread: %1.").arg(refusal));
}

void WhatIfController::take(const Alternative& alternative) {
    if (!basis_) return;
    const IterationView& of = basis_->view;
    const RunConfig config = configOf(of.config, alternative);
    if (!basis_->replayed) {
        RunConfig wanted = session_.wanted();
        wanted.schedule = config.schedule;
        wanted.params = config.params;
        wanted.layers_per_stage = config.layers_per_stage;
        return session_.edit(wanted);
    }
    session_.pause();
    IterationView view;
    view.config = config;
    view.order = std::make_shared<const Schedule>(scheduleOf(alternative, *of.order));
    const Costs costs = of.import         ? costsOf(alternative, *of.order, basis_->known.costs)
                        : alternative.ran ? basis_->known.costs
                                          : estimateCosts(config, *view.order, &basis_->known);
    const PlannedIteration plan = planIteration(config, *view.order, costs);
    view.ran = std::make_shared<const Timeline>(plan.timeline->ranks(), Provenance::Predicted);
    view.planned = plan.timeline;
    view.plan_summary = plan.summary;
    view.costs_measured = basis_->measured;
    view.alternative = true;
    view.device = of.device;
    view.import = of.import;
    if (!of.import) {
        view.planned_tokens_per_s = plan.tokens_per_s;
        view.layers_per_stage = plan.layers_per_stage;
        view.work_per_stage = plan.work_per_stage;
    }
    plan_ = std::move(view);
    plan_of_ = session_.shownIteration();
    emit planChanged();
}

void WhatIfController::leavePlan() {
    if (!plan_) return;
    plan_.reset();
    emit planChanged();
}

// Another run, or another iteration: what was played is not about it.
void WhatIfController::follow() {
    if (!basis_ || (!dialog_ && !plan_)) return;
    const bool replayed = session_.state() == SessionState::Replaying;
    const bool same = replayed == basis_->replayed && (!replayed || sameRun(session_.shown(), basis_->view));
    if (!same && dialog_) dialog_->close();
    if (!same || (plan_ && session_.shownIteration() != plan_of_)) leavePlan();
}

}  // namespace bscope::ui
