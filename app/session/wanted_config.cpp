#include "app/session/wanted_config.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"
#include "config/config_table.h"
#include "schedule/formats/file_schedule.h"
#include "timeline/iteration_events.h"
#include "view/shown_plan.h"
#include "wire/convert.h"

namespace bscope::ui {

WantedConfig::WantedConfig(EngineStream& stream, QObject* parent) : QObject(parent), stream_(stream) {
    connect(&stream, &EngineStream::replied, this, &WantedConfig::onReply);
    connect(&stream, &EngineStream::iterationStarted, this, &WantedConfig::onStarted);
    connect(&stream, &EngineStream::iterationFinished, this, &WantedConfig::settle);
}

const RunConfig& WantedConfig::effective() const {
    const IterationStart* start = stream_.history().start();
    return start ? start->config : wanted_;
}

// The order of the run, when the configuration has it too; null when it is the catalog's or a file's.
std::shared_ptr<const Schedule> WantedConfig::orderOfRun(const RunConfig& config) const {
    const IterationStart* start = stream_.history().start();
    const bool same =
        start && start->config.schedule == config.schedule && start->config.params == config.params;
    return same ? start->schedule : nullptr;
}

std::vector<Problem> WantedConfig::problemsOf(const RunConfig& config) const {
    const auto run_order = orderOfRun(config);
    return run_order ? bscope::problems(config, *run_order) : bscope::problems(config);
}

Costs WantedConfig::costsOf(const RunConfig& config) const {
    const KnownCosts* known = stream_.history().knownCosts();
    const auto run_order = orderOfRun(config);
    return run_order ? estimateCosts(config, *run_order, known) : estimateCosts(config, known);
}

// Before anything has run every view of the window asks for the same plan.
IterationView WantedConfig::planOf(const RunConfig& config) const {
    const bool is_estimate = stream_.history().knownCosts() == nullptr && !orderOfRun(config) &&
                             !isFileSchedule(config.schedule);
    if (!is_estimate) return plannedNow(config);
    if (!estimated_ || !(estimated_->config == config)) estimated_ = plannedNow(config);
    return *estimated_;
}

IterationView WantedConfig::plannedNow(const RunConfig& config) const {
    IterationView view;
    view.config = config;
    const bool legal = problemsOf(config).empty();
    const int ranks = legal ? config.params.layout().world() : std::clamp(config.params.p, 1, kMaxRanks);
    view.ran = view.planned = std::make_shared<const Timeline>(ranks, Provenance::Predicted);
    if (!legal) return view;
    view.order = orderOfRun(config);
    if (!view.order)
        view.order = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
    const KnownCosts* known = stream_.history().knownCosts();
    showPlan(planIteration(config, *view.order, estimateCosts(config, *view.order, known)), view);
    view.costs_measured = usesMeasured(config, known);
    return view;
}

void WantedConfig::edit(const RunConfig& config, bool quiet) {
    if (stream_.refusesToControl()) return emit wantedChanged();
    quiet_ = quiet;
    wanted_ = config;
    problems_ = problemsOf(config);
    emit problemsChanged();
    emit wantedChanged();
    if (!problems_.empty()) return;
    legal_ = wanted_;
    refreshPending();
    if (stream_.history().empty()) emit planChanged();
    send();
}

void WantedConfig::undo() {
    if (stream_.history().start()) edit(effective());
}

void WantedConfig::take(const RunConfig& config) {
    wanted_ = legal_ = config;
    problems_.clear();
}

void WantedConfig::attach(bool keep) {
    answered_ = requested_;  // requests to the engine before this one are void
    const RunConfig theirs = stream_.helloConfig().value_or(wanted_);
    if (!keep) {
        take(theirs);
        emit wantedChanged();
    } else if (!(wanted_ == theirs) && problems_.empty()) {
        send();
    }
    refreshPending();
}

void WantedConfig::refreshPending() {
    const RunHistory& history = stream_.history();
    const IterationStart* start = history.start();
    const bool ran = start && (stream_.runState() != wire::IDLE || !history.empty());
    pending_.reset();
    if (ran && problems_.empty() && !(wanted_ == start->config)) {
        PendingChange change;
        change.config = wanted_;
        change.quiet = quiet_;
        change.from_iteration = history.newest() + 1;
        change.new_run = costOfChange(start->config, wanted_) == ChangeCost::NewRun;
        pending_ = change;
    }
    emit pendingChanged();
}

const std::optional<PendingChange>& WantedConfig::pending() const {
    if (!pending_ || pending_->planned) return pending_;
    const IterationView view = planOf(pending_->config);
    pending_->planned = view.isStream() ? aloneOf(*view.planned, 0) : view.planned;
    pending_->summary = view.plan_summary;
    pending_->tokens_per_s = view.planned_tokens_per_s;
    const IterationView now = planOf(effective());
    pending_->summary_now = now.plan_summary;
    pending_->tokens_per_s_now = now.planned_tokens_per_s;
    return pending_;
}

void WantedConfig::send() {
    if (!stream_.isAttached() || !problems_.empty()) return;
    wire::Message message;
    message.mutable_configure()->set_request(++requested_);
    *message.mutable_configure()->mutable_config() = toWire(wanted_);
    stream_.send(message);
}

void WantedConfig::onReply(const EngineStream::Reply& reply) {
    if (reply.request != requested_) return;  // a newer one is under way
    answered_ = reply.request;
    emit answered(reply.problems.empty(), reply.new_run);
    if (!reply.problems.empty()) {
        problems_ = reply.problems;
        pending_.reset();
        emit problemsChanged();
        emit pendingChanged();
        return;
    }
    if (!pending_) return;
    pending_->from_iteration = reply.from_iteration;
    pending_->new_run = reply.new_run;
    emit pendingChanged();
    settle();
}

void WantedConfig::onStarted() {
    settle();
    const RunConfig& now = stream_.history().start()->config;
    if (!stream_.onlyWatches() || wanted_ == now) return;
    take(now);  // what the window that controls has chosen
    emit problemsChanged();
    emit wantedChanged();
}

// The change has taken effect once an iteration from its first one on has begun under the answered request.
void WantedConfig::settle() {
    if (!pending_ || awaitsAnswer()) return;
    const IterationStart* start = stream_.history().start();
    const bool passed = !pending_->new_run && stream_.history().newest() >= pending_->from_iteration;
    const bool begun = start && (start->config == pending_->config || passed);
    if (!begun) return;
    pending_.reset();
    if (!(wanted_ == start->config)) {
        wanted_ = start->config;
        emit wantedChanged();
    }
    emit pendingChanged();
}

}  // namespace bscope::ui
