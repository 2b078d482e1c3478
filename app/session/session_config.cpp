// Session: configuration, from an edit to the iteration that runs under it; and sweeps.
#include <utility>

#include "app/session/session.h"
#include "schedule/config_table.h"
#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope::ui {

const RunConfig& Session::effective() const {
    const IterationStart* start = live_.start();
    return start ? start->config : wanted_;
}

// The order of the run, when the configuration has it too; null when it is the catalog's or a file's.
std::shared_ptr<const Schedule> Session::toldOrder(const RunConfig& config) const {
    const IterationStart* start = live_.start();
    const bool same =
        start && start->config.schedule == config.schedule && start->config.params == config.params;
    return same ? start->schedule : nullptr;
}

std::vector<Problem> Session::problemsOf(const RunConfig& config) const {
    const auto told = toldOrder(config);
    return told ? bscope::problems(config, *told) : bscope::problems(config);
}

Costs Session::costsOf(const RunConfig& config) const {
    const auto told = toldOrder(config);
    return told ? estimateCosts(config, *told, live_.knownCosts())
                : estimateCosts(config, live_.knownCosts());
}

bool Session::onlyWatches() const {
    return connection_.phase() == EngineConnection::Phase::Attached && !mayControl();
}

bool Session::refusesToControl() {
    if (!onlyWatches()) return false;
    emit notice({tr("This window only watches: another one controls the engine."),
                 tr("Close the other window, then connect again."),
                 {}});
    return true;
}

void Session::edit(const RunConfig& config, bool quiet) {
    if (refusesToControl()) return emit configChanged();
    quiet_edit_ = quiet;
    wanted_ = config;
    problems_ = problemsOf(config);
    emit problemsChanged();
    emit configChanged();
    if (!problems_.empty()) return;
    planned_ = wanted_;
    refreshPending();
    if (live_.empty()) emit shownChanged();
    sendConfigure();
}

void Session::undoPending() {
    if (live_.start()) edit(effective());
}

// The plan of what is wanted, at once and without the engine.
void Session::refreshPending() {
    const IterationStart* start = live_.start();
    const bool ran = start && (run_state_ != wire::IDLE || !live_.empty());
    const bool differs = ran && !(wanted_ == start->config);
    if (!differs || !problems_.empty()) {
        pending_.reset();
        emit pendingChanged();
        return;
    }
    const IterationView view = planOf(wanted_);
    PendingChange change;
    change.config = wanted_;
    change.planned = view.isStream() ? aloneOf(*view.planned, 0) : view.planned;
    change.summary = view.plan_summary;
    change.tokens_per_s = view.planned_tokens_per_s;
    const IterationView now = planOf(start->config);
    change.summary_now = now.plan_summary;
    change.tokens_per_s_now = now.planned_tokens_per_s;
    change.quiet = quiet_edit_;
    change.from_iteration = live_.newest() + 1;
    change.new_run = costOfChange(start->config, wanted_) == ChangeCost::NewRun;
    pending_ = change;
    emit pendingChanged();
}

void Session::sendConfigure() {
    if (connection_.phase() != EngineConnection::Phase::Attached || !problems_.empty()) return;
    wire::Message message;
    message.mutable_configure()->set_request(++last_request_);
    *message.mutable_configure()->mutable_config() = toWire(wanted_);
    connection_.send(message);
}

void Session::onReply(const wire::ConfigureReply& reply) {
    if (reply.request() != last_request_) return;  // a newer one is under way
    last_answer_ = reply.request();
    const bool run = std::exchange(run_when_accepted_, false);
    if (reply.problems_size() > 0) {
        problems_.clear();
        for (const wire::Problem& problem : reply.problems()) problems_.push_back(fromWire(problem));
        pending_.reset();
        emit problemsChanged();
        emit pendingChanged();
        return;
    }
    if (run) control(wire::Control::RUN);
    if (reply.new_run()) kept_state_.clear();
    if (!pending_) return;
    pending_->from_iteration = checkedIteration(reply.from_iteration());
    pending_->new_run = reply.new_run();
    emit pendingChanged();
    settlePending();
}

// The change has taken effect once an iteration from its first one on has begun under the answered request.
void Session::settlePending() {
    if (!pending_ || last_answer_ != last_request_) return;
    const IterationStart* start = live_.start();
    const bool passed = !pending_->new_run && live_.newest() >= pending_->from_iteration;
    const bool begun = start && (start->config == pending_->config || passed);
    if (!begun) return;
    pending_.reset();
    if (!(wanted_ == start->config)) {
        wanted_ = start->config;
        emit configChanged();
    }
    emit pendingChanged();
}

void Session::startSweep(const std::vector<int>& m, int iterations, int fixed_batch, double memory_cap_mb) {
    if (refusesToControl()) return;
    wire::Message message;
    wire::StartSweep& start = *message.mutable_start_sweep();
    for (const int value : m) start.add_m(value);
    start.set_iterations(iterations);
    start.set_fixed_batch(fixed_batch);
    start.set_memory_cap_mb(memory_cap_mb);
    sweep_.reset();
    emit sweepChanged();
    if (connection_.phase() == EngineConnection::Phase::Attached) return connection_.send(message);
    sweep_when_attached_ = message;
    if (connection_.phase() == EngineConnection::Phase::Off) startEngine(false);
}

QString Session::sweepObstacle() const {
    using Phase = EngineConnection::Phase;
    if (connection_.phase() == Phase::Waiting) return tr("The engine is not connected.");
    if (onlyWatches()) return tr("This window only watches: another one controls the engine.");
    return {};
}

// The engine that ran it is gone or failed.
void Session::endSweep() {
    if (!sweep_ || sweep_->finished || sweep_->cancelled) return;
    sweep_->cancelled = true;
    emit sweepChanged();
}

void Session::cancelSweep() {
    sweep_when_attached_.reset();
    if (connection_.phase() != EngineConnection::Phase::Attached) return endSweep();
    wire::Message message;
    message.mutable_cancel_sweep();
    connection_.send(message);
}

}  // namespace bscope::ui
