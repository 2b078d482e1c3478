#include "app/tune/hand_costs_controller.h"

#include <QScreen>
#include <algorithm>

#include "analysis/hand_costs_for.h"
#include "view/shown_plan.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr int kBelowBars = 120;  // px: menu, tool bar and title line stay free

}  // namespace

HandCostsController::HandCostsController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell) {
    connect(&session, &Session::configChanged, this, &HandCostsController::replan);
    connect(&session, &Session::problemsChanged, this, &HandCostsController::replan);
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &HandCostsController::replan);
    connect(&session, &Session::stateChanged, this, [this] {
        if (dialog_) soon_.start();
    });
}

// What the plan comes to; of what is not known nothing.
QString HandCostsController::outcomeText(const IterationView& plan) const {
    const IterationSummary& summary = plan.plan_summary;
    std::int64_t peak = 0;
    for (const RankSummary& rank : summary.ranks) peak = std::max(peak, rank.peak_activation_bytes);
    Notation notation;
    notation.unit = unit_;
    notation.median_forward_ns = plan.medianForward_ns();
    QStringList words{tr("Iteration %1").arg(notation.duration(static_cast<double>(summary.iteration_ns))),
                      tr("bubble %1 of total").arg(shareText(summary.bubble_of_total))};
    if (plan.planned_tokens_per_s > 0) words << tr("%1 tokens/s").arg(rateNumber(plan.planned_tokens_per_s));
    if (peak > 0)
        words << tr("activations of at most %1 on a rank").arg(bytesText(static_cast<double>(peak)));
    return words.join(QStringLiteral(" · "));
}

// Beside the window, or where the screen has no room for that over its right side: not over the picture that
// the costs change.
void HandCostsController::placeDialog() {
    const QWidget& window = *shell_.widget();
    const QRect frame = window.frameGeometry(), room = window.screen()->availableGeometry();
    const QSize size =
        dialog_->sizeHint().expandedTo(dialog_->minimumSize()).boundedTo(dialog_->maximumSize());
    const int top =
        std::clamp(frame.top() + kBelowBars, room.top(), std::max(room.top(), room.bottom() - size.height()));
    int left = frame.right() + 1;
    if (left + size.width() > room.right()) left = frame.left() - size.width();
    const bool covers = left < room.left();
    if (covers) left = frame.right() + 1 - size.width();
    dialog_->move(left, top);
    emit covering(covers);
}

void HandCostsController::open() {
    const bool is_new = !dialog_;
    if (is_new) {
        dialog_ = new HandCostsDialog(shell_.widget());
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->setUnit(unit_);
        connect(dialog_, &HandCostsDialog::edited, this, &HandCostsController::replan);
        connect(dialog_, &QDialog::finished, this, [this] {
            dialog_.clear();
            emit covering(false);
            replan();
        });
        replan();
    }
    shell_.showView(MainView::Timeline);
    if (is_new) placeDialog();
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void HandCostsController::setUnit(TimeUnit unit) {
    if (std::exchange(unit_, unit) == unit) return;
    if (dialog_) dialog_->setUnit(unit);
    replan();
}

void HandCostsController::close() {
    if (dialog_) dialog_->close();
}

PendingChange HandCostsController::planned(PendingChange change) const {
    if (!plan_) return change;
    const auto planOf = [this](const RunConfig& config) {
        const std::shared_ptr<const Schedule> order = session_.planOf(config).order;
        return played(config, *order, estimateCosts(config, *order, session_.history().knownCosts()));
    };
    const PlannedIteration now = planOf(session_.inForce()), next = planOf(change.config);
    change.planned = next.timeline;
    change.summary = next.summary;
    change.tokens_per_s = next.tokens_per_s;
    change.summary_now = now.summary;
    change.tokens_per_s_now = now.tokens_per_s;
    return change;
}

PlannedIteration HandCostsController::played(const RunConfig& config, const Schedule& order,
                                             const Costs& costs) const {
    Costs all = costs;
    all.stages.resize(order.placement.size());
    return planIteration(
        config, order,
        withHandCosts(std::move(all), handCostsFor(dialog_->costs(), dialog_->order(), order)));
}

void HandCostsController::replan() {
    const bool had = plan_.has_value();
    plan_.reset();
    if (!dialog_) {
        if (had) emit planChanged();
        return;
    }
    const IterationStart* const start = session_.history().start();
    const bool replayed = session_.state() == SessionState::Replaying && start != nullptr && start->schedule;
    const RunConfig wanted = replayed ? start->config : session_.wanted();
    if (const std::vector<Problem> found = replayed ? std::vector<Problem>() : session_.problemsOf(wanted);
        !found.empty()) {
        dialog_->setOutcome(sentenceText(problemText(found.front())));
        return emit planChanged();
    }
    IterationView view = replayed ? IterationView() : session_.planOf(wanted);
    view.config = wanted;
    if (replayed) view.order = start->schedule;
    const KnownCosts* const known = session_.history().knownCosts();
    const Costs costs =
        replayed && start->import ? start->import->costs : estimateCosts(wanted, *view.order, known);
    dialog_->setOrder(view.order);
    dialog_->setBasis(handCostsOf(costs), replayed || usesMeasured(wanted, known));
    const PlannedIteration plan = played(wanted, *view.order, costs);
    view.ran = std::make_shared<const Timeline>(plan.timeline->ranks(), Provenance::Predicted);
    view.config.link = dialog_->costs().link;
    view.import = session_.shown().import;
    showPlan(plan, view);
    view.costs_measured = false;
    view.alternative = view.costs_by_hand = true;
    view.hand_costs = dialog_->costs();
    dialog_->setOutcome(outcomeText(view));
    plan_ = std::move(view);
    emit planChanged();
}

}  // namespace bscope::ui
