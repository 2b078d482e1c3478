// Session: what is looked at; recording and replay.
#include <algorithm>

#include "app/session/session.h"
#include "schedule/catalog.h"

namespace bscope::ui {
namespace {
// Iterations shorter than this on the machine's clock are shown when they are complete, so that the picture
// does not flicker.
constexpr double kShownLive_ms = 60;
}  // namespace

int Session::shownIteration() const {
    const RunHistory& history = this->history();
    if (selected_ && history.has(*selected_)) return *selected_;
    const int complete = history.newestComplete();
    if (replaying_ || complete < 0 || !isAtWork(state())) {
        // Paused and failed: an iteration that was cut off is shown as far as it came.
        return history.newest();
    }
    const auto view = history.view(complete);
    return view && view->report && view->report->host_ms < kShownLive_ms ? complete : history.newest();
}

IterationView Session::shown() const {
    auto view = history().view(shownIteration());
    if (!view) return planOf(problems_.empty() ? planned_ : wanted_);
    view->standing = standing();
    return *view;
}

Standing Session::standing() const {
    switch (state()) {
        case SessionState::Running:
        case SessionState::Pausing:
            return Standing::Live;
        case SessionState::Paused:
            return Standing::Paused;
        case SessionState::Replaying:
            return replayer_.endsInCut() ? Standing::Cut : Standing::Replayed;
        case SessionState::Idle:
        case SessionState::Starting:
        case SessionState::Failed:
        case SessionState::Disconnected:
            break;
    }
    return Standing::Interrupted;
}

int Session::standsAt() const {
    return isAtWork(state()) ? live_.newest() : live_.newestComplete();
}

std::optional<IterationView> Session::numbers() const {
    const auto view = history().view(shownIteration());
    if (view && view->report) return view;
    return history().view(history().newestComplete());
}

IterationView Session::planOf(const RunConfig& config) const {
    IterationView view;
    view.config = config;
    const bool legal = problemsOf(config).empty();
    const int ranks = legal ? config.params.ranks() : std::clamp(config.params.p, 0, kMaxRanks);
    view.ran = view.planned = std::make_shared<const Timeline>(ranks, Provenance::Predicted);
    if (!legal) return view;
    view.order = toldOrder(config);
    if (!view.order)
        view.order = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
    const PlannedIteration plan =
        planIteration(config, *view.order, estimateCosts(config, *view.order, live_.knownCosts()));
    view.planned = plan.timeline;
    view.plan_summary = plan.summary;
    view.planned_tokens_per_s = plan.tokens_per_s;
    if (plan.stream) view.first_microbatch = 0;
    view.layers_per_stage = plan.layers_per_stage;
    view.costs_measured = usesMeasured(config, live_.knownCosts());
    return view;
}

const std::vector<IterationBar>& Session::bars() const {
    return replaying_ ? replayer_.bars() : live_.bars();
}

void Session::select(int iteration) {
    if (replaying_) return replayer_.seekIteration(iteration);
    if (!live_.has(iteration)) return;
    selected_ = iteration;
    emit shownChanged();
}

void Session::selectNeighbour(int step) {
    if (replaying_) return replayer_.stepIteration(step);
    select(live_.neighbour(shownIteration(), step));
}

void Session::follow() {
    selected_.reset();
    emit shownChanged();
}

bool Session::startRecording(const QString& path) {
    if (connection_.phase() != EngineConnection::Phase::Attached) {
        emit notice({tr("There is nothing to record: no engine is attached."), tr("Press Run first."), {}});
        return false;
    }
    return recorder_.start(path, !isAtWork(state()));
}

void Session::openRecording(const QString& path) {
    replayer_.open(path);
}

void Session::closeRecording() {
    if (!replaying_) return;
    replaying_ = false;
    replayer_.close();
    selected_.reset();
    if (resume_after_replay_) control(wire::Control::RUN);
    emit stateChanged();
    emit barsChanged();
    emit shownChanged();
}

}  // namespace bscope::ui
