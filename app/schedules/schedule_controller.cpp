#include "app/schedules/schedule_controller.h"

#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <algorithm>
#include <cmath>
#include <utility>

#include "advice/advisor.h"
#include "analysis/planned_iteration.h"
#include "app/schedules/schedule_files.h"
#include "app/session/advice_request.h"
#include "catalog/catalog.h"
#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "report/traffic.h"
#include "schedule/formats/file_schedule.h"
#include "search/search_instance.h"
#include "timeline/predict.h"
#include "widgets/text/config_text.h"
#include "widgets/text/difference_text.h"
#include "words/sentence_error.h"

namespace bscope::ui {
namespace {

bool isDrawn(const RunConfig& drawn, const RunConfig& config) {
    return drawn.schedule == config.schedule && drawn.params == config.params;
}

}  // namespace

ScheduleController::ScheduleController(Session& session, ViewState& state, Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      shell_(shell),
      panel_(new SchedulePanel(shell.widget())),
      strip_(new GridStrip(state, shell.widget())) {
    strip_->hide();
    connect(&dumps_, &DumpReading::done, this,
            [this](const std::shared_ptr<const ReadDumps>& read) { showDumps(*read); });
    connect(&session, &Session::pendingChanged, this, &ScheduleController::syncExplanation);
    connect(&session, &Session::configChanged, this, [this] {
        syncExplanation();
        syncFile();
    });
    connect(&session, &Session::stateChanged, this, &ScheduleController::syncFile);
    connect(&session, &Session::barsChanged, this, &ScheduleController::syncOffer);
    connect(&panel_->file(), &FileReport::ruleChosen, this, [this](int error) {
        if (!file_) return;
        const auto place = file_->hang
                               ? placeOfRank(error)
                               : placeOf(*file_->grid, file_->file.errors[static_cast<std::size_t>(error)]);
        if (place) strip_->grid().select(*place);
    });
    connect(&panel_->file(), &FileReport::messagesChosen, this, [this](int outcome) {
        if (file_) showOutcome(static_cast<std::size_t>(outcome));
    });
    connect(&strip_->grid(), &StepGrid::cellChosen, this, [this](const GridPlace& place) {
        if (!file_) return shell_.revealSelection();
        if (file_->hang) return;
        const auto& errors = file_->file.errors;
        const auto found = std::ranges::find_if(
            errors, [&](const CellError& error) { return placeOf(*file_->grid, error) == place; });
        const QSignalBlocker quiet(panel_->file().rules());
        panel_->file().rules()->setCurrentRow(
            found == errors.end() ? -1 : static_cast<int>(found - errors.begin()));
    });
    connect(strip_, &GridStrip::jumpClicked, this, &ScheduleController::showDifference);
    connect(&strip_->grid(), &StepGrid::left, this, [this] { shell_.focusCanvas(); });
    connect(&panel_->file(), &FileReport::runClicked, this, &ScheduleController::runFile);
    connect(&panel_->file(), &FileReport::closeClicked, this, &ScheduleController::closeFile);
    connect(&panel_->search(), &SearchSection::searchClicked, this, &ScheduleController::startSearch);
    connect(&panel_->search(), &SearchSection::cancelClicked, this, [this] {
        search_.cancel();
        panel_->search().setRunning(false);
    });
    connect(&panel_->search(), &SearchSection::runClicked, this, &ScheduleController::runFound);
    connect(&search_, &ScheduleSearch::found, this,
            [this](const std::shared_ptr<const SearchResult>& result) {
                found_ = result;
                takeResult(*result);
            });
    connect(&search_, &ScheduleSearch::failed, this,
            [this](ScheduleSearch::Lacks what, const QString& cause) {
                panel_->search().setRunning(false);
                if (what == ScheduleSearch::Lacks::Thread)
                    shell_.say({tr("The system cannot create a thread for the search."),
                                tr("Close other programs, then search again."), cause});
                else
                    shell_.say({tr("There is not enough memory for the search."),
                                tr("Close other programs, or search with fewer ranks or micro-batches."),
                                {}});
            });
}

void ScheduleController::setLanguage(Language language) {
    panel_->setLanguage(language);
    syncFile();
    drawn_.reset();
    offered_for_.reset();
    syncGrid();
    syncExplanation();
}

void ScheduleController::setShown(bool panel, bool grid) {
    panel_shown_ = panel;
    grid_shown_ = grid;
    strip_->setVisible(grid);
    syncGrid();
    syncExplanation();
}

void ScheduleController::sync(const IterationView& shown) {
    strip_->grid().setIteration(shown.iteration, std::max(0, shown.first_microbatch));
    const bool same_order =
        order_ == shown.order || (order_ && shown.order && order_->orders == shown.order->orders);
    const auto import = shown.ran->empty() ? nullptr : shown.import;
    const bool same_import = std::exchange(import_, import) == import;
    if (shown_ && *shown_ == shown.config && same_order) {
        if (!same_import) syncDifference();
        return;
    }
    if (!same_order) drawn_.reset();
    shown_ = shown.config;
    order_ = shown.order;
    syncGrid();
    syncExplanation();
}

void ScheduleController::syncGrid() {
    if (!grid_shown_ || file_ || !shown_ || (drawn_ && isDrawn(*drawn_, *shown_))) return;
    drawn_ = shown_;
    if (!order_ && !canBeMade(shown_->schedule, shown_->params))
        return strip_->showNothing(tr("This schedule cannot be made here."));
    const Schedule schedule = order_ ? *order_ : makeSchedule(shown_->schedule, shown_->params);
    QString parameters = QString::fromStdString(sizesText(shown_->params, shown_->sequence_parallel));
    if (schedule.step_every > 0) parameters += QStringLiteral(" · ") + tr("the beginning of the stream");
    strip_->showSchedule(std::make_shared<const GridModel>(gridOf(schedule)), scheduleTitle(shown_->schedule),
                         parameters);
    syncDifference();
}

void ScheduleController::showDifference() {
    emit gridNeeded();
    strip_->grid().chooseMark();
}

// A stream is not trusted: a place that does not exist in the file is described in words alone.
void ScheduleController::syncDifference() {
    const bool differs = !file_ && import_ && import_->first_difference;
    std::optional<GridPlace> place;
    const GridModel* model = strip_->grid().model();
    if (differs && model) {
        const ImportOrigin::Difference& first = *import_->first_difference;
        const auto rank = static_cast<std::size_t>(first.rank), at = static_cast<std::size_t>(first.position);
        const bool exists = first.rank >= 0 && first.position >= 0 && rank < model->rows.size();
        if (exists && first.found.empty() && at == model->rows[rank].size()) place = {first.rank, -1};
        if (exists && at < model->rows[rank].size() && toText(model->rows[rank][at].action) == first.found)
            place = {first.rank, first.position};
    }
    strip_->setDifference(place, differs ? differenceText(*import_) : QString());
}

// What waits for its boundary is explained already; it is nothing of a file that is open.
RunConfig ScheduleController::explained() const {
    if (const auto& pending = pendingOfShown()) return pending->config;
    return shown_.value_or(session_.subject());
}

// A change that leaves the schedule as it is, of durations alone, leaves its explanation, too.
std::optional<PendingChange> ScheduleController::pendingOfShown() const {
    if (session_.state() == SessionState::Replaying) return std::nullopt;
    std::optional<PendingChange> pending = session_.pending();
    const RunConfig now = session_.inForce();
    if (pending && pending->config.schedule == now.schedule && pending->config.params == now.params)
        pending.reset();
    return pending;
}

void ScheduleController::syncExplanation() {
    if (!panel_shown_) return;
    const RunConfig config = explained();
    const auto pending = pendingOfShown();
    if (!canBeMade(config.schedule, config.params)) return panel_->showUnknown(config.schedule);
    panel_->showSchedule(config.schedule, config.params,
                         pending ? tr("from iteration %1").arg(pending->from_iteration + 1) : QString(),
                         trafficOf(config));
    syncOffer();
}

// Of a run of another program the sizes are not known.
std::vector<RankTraffic> ScheduleController::trafficOf(const RunConfig& config) const {
    const IterationStart* const start = session_.history().start();
    const bool is_of_ranks = config.params.d > 1 || config.params.t > 1;
    if (!is_of_ranks || (start != nullptr && start->import) || !problems(config).empty()) return {};
    return countTraffic(config, makeSchedule(config.schedule, config.params));
}

// --- search -----------------------------------------------------------------------------------------------

// Searched schedules have one replica and one shard (those of several are made of it afterwards), so that
// what is measured under two is asked for again under one.
RunConfig ScheduleController::searchConfig() const {
    RunConfig config = explained();
    for (auto& [rank, factor] : config.slow_ranks) rank = config.params.layout().stageOf(rank);
    std::ranges::sort(config.slow_ranks);  // the slowest replica counts
    config.params.takeWorldOf({});
    config.params.segments = 1;
    config.sequence_parallel = false;
    if (canBeMade(config.schedule, config.params)) {
        const Schedule schedule = makeSchedule(config.schedule, config.params);
        if (schedule.replicas() == 1 && !schedule.isForwardOnly()) return config;
    }
    config.schedule = config.params.v == 1 ? "1f1b" : "looped-bfs";
    return config;
}

std::optional<SearchRequest> ScheduleController::request() const {
    const RunConfig config = searchConfig();
    if (!canBeMade(config.schedule, config.params)) return std::nullopt;
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    return searchRequestOf(config, schedule, costsOfOpenRun(session_)(config));
}

void ScheduleController::syncOffer() {
    if (!panel_shown_ || file_) return;
    RunConfig asked = explained();
    asked.schedule.clear();
    if (searched_for_ && !(*searched_for_ == asked)) {
        search_.cancel();
        found_.reset();
        searched_for_.reset();
        panel_->search().forget();
    }
    if (search_.running() || found_) {
        panel_->search().setChosen(!found_path_.isEmpty() &&
                                   explained().schedule == "file:" + found_path_.toStdString());
        return;
    }
    const OfferedFor now{explained(), session_.history().knownCosts() != nullptr,
                         session_.state() == SessionState::Replaying};
    if (offered_for_ == now) return;
    offered_for_ = now;
    SearchOffer offer;
    offer.params = asked.params;
    offer.measured = now.measured;
    const auto requested = request();
    offer.cap = requested ? std::round(requested->memory_cap * 10) / 10 : 0;
    QStringList refusals;
    if (now.replaying) refusals << tr("A recording cannot be changed.");
    if (requested)
        for (const Problem& problem : searchProblems(*requested)) refusals << problemText(problem);
    offer.refusal = refusals.join(u'\n');
    panel_->search().setOffer(offer);
}

void ScheduleController::startSearch() {
    const auto requested = request();
    if (!requested || !searchProblems(*requested).empty()) return;
    searched_for_ = explained();
    searched_for_->schedule.clear();
    found_.reset();
    found_path_.clear();
    panel_->search().setRunning(true);
    search_.start(*requested);
}

void ScheduleController::takeResult(const SearchResult& result) {
    const RunConfig now = explained();
    const auto predictedMs = [&](const Schedule& schedule, const Costs& costs) {
        const Timeline timeline = predict(lower(schedule, now.recomputedApart()), costs);
        return static_cast<double>(summarize(timeline, 0).iteration_ns) / 1e6;
    };
    SearchFinding finding;
    finding.now = scheduleTitle(now.schedule);
    finding.now_ms = predictedMs(makeSchedule(now.schedule, now.params), costsOfOpenRun(session_)(now));
    finding.found_ms = predictedMs(result.schedule, costsOfOpenRun(session_)(searchConfig()));
    finding.gap = result.gap();
    if (findSchedule(result.found_by)) finding.began_with = scheduleTitle(result.found_by);
    for (const std::vector<Action>& order : result.schedule.orders)
        finding.peak_in_flight = std::max(finding.peak_in_flight, peakInFlight(order));
    panel_->search().setFinding(finding);
}

void ScheduleController::runFound() {
    if (found_) run(found_->schedule);
}

std::optional<RunConfig> ScheduleController::keptConfig(const Schedule& schedule, const QString& name) {
    QString why;
    const QString path = keepSchedule(schedule, name, why);
    if (path.isEmpty()) {
        shell_.say({why, tr("Make room on the disk, or choose another folder."), {}});
        return std::nullopt;
    }
    RunConfig config = configOf(path, schedule.params);
    if (const QString refusal = refusalOf(config); !refusal.isEmpty()) {
        shell_.say({refusal, {}, {}});
        return std::nullopt;
    }
    return config;
}

void ScheduleController::run(const Schedule& schedule) {
    const ScheduleParams& params = schedule.params;
    const auto config =
        keptConfig(schedule, QStringLiteral("best-p%1-v%2-m%3").arg(params.p).arg(params.v).arg(params.m));
    if (!config) return;
    found_path_ = QString::fromStdString(config->schedule).section(u':', 1);
    choose(*config);
}

std::optional<RunConfig> ScheduleController::runBuilt(const Schedule& schedule, const QString& name) {
    const auto config = keptConfig(schedule, name);
    if (config) choose(*config);
    return config;
}

// --- files ------------------------------------------------------------------------------------------------

void ScheduleController::choose(const RunConfig& config) {
    session_.edit(config);
    const SessionState state = session_.state();
    const bool rests =
        state == SessionState::Idle || state == SessionState::Paused || state == SessionState::Pausing;
    if (session_.problems().empty() && rests) session_.run();
}

}  // namespace bscope::ui
