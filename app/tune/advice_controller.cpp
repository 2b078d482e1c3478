#include "app/tune/advice_controller.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/session/advice_request.h"
#include "config/runs_alike.h"
#include "timeline/median.h"
#include "timeline/passing_costs.h"
#include "view/shown_plan.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr std::chrono::seconds kSearch{2};
constexpr std::chrono::milliseconds kOutcomes{300};  // iterations may last less than a picture

RunConfig withSchedule(RunConfig config, const RunConfig& of) {
    config.schedule = of.schedule;
    config.params.v = of.params.v;
    config.params.group_size = of.params.group_size;
    config.params.vertical_sync = of.params.vertical_sync;
    config.params.segments = of.params.segments;
    config.layers_per_stage = of.layers_per_stage;
    return config;
}

}  // namespace

AdviceController::AdviceController(Session& session, Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      shell_(shell),
      table_(new ImproveTable(shell.widget())),
      side_(new DecisionPanel(shell.widget())) {
    connect(table_, &ImproveTable::taken, this, &AdviceController::take);
    connect(table_, &ImproveTable::limitsEdited, this, &AdviceController::play);
    connect(table_, &ImproveTable::markToggled, this, &AdviceController::toggleMark);
    connect(table_, &ImproveTable::runAsked, this, &AdviceController::runMarked);
    table_->setFlags([this](const Candidate* line, Framework framework) {
        const AdviceRequest& request = basis_->request;
        return flagsOfSetting(request, line ? line->setting : Setting{request.config()}, framework);
    });
    connect(&session, &Session::stateChanged, this, &AdviceController::follow);
    connect(&session, &Session::shownChanged, this, &AdviceController::follow);
    connect(&session, &Session::barsChanged, this, [this] {
        if (!soon_.isActive()) soon_.start();
    });
    soon_.setSingleShot(true);
    soon_.setInterval(kOutcomes);
    connect(&soon_, &QTimer::timeout, this, [this] {
        showOutcomes();
        showBeside();
        follow();
    });
    connect(&session, &Session::pendingChanged, this, &AdviceController::showOutcomes);
    connect(&measure_, &MeasureJob::progress, this, [this](int done, int total) {
        table_->setRunning(tr("Running: iteration %1 of %2").arg(done).arg(total));
    });
    connect(&measure_, &MeasureJob::done, this, [this](const MeasuredMs& ms) { endMeasuring(ms, {}); });
    connect(&measure_, &MeasureJob::failed, this, [this](const QString& why) { endMeasuring({}, why); });
}

bool AdviceController::Basis::sameRun(const Basis& other) const {
    return sameTraining(other) && measured == other.measured && request.config() == other.request.config();
}

bool AdviceController::Basis::sameTraining(const Basis& other) const {
    return replayed == other.replayed && view.import == other.view.import &&
           runsAlike(request.config(), other.request.config());
}

AdviceController::Basis AdviceController::basis() const {
    Basis basis;
    basis.view = adviceViewOf(session_);
    basis.replayed = session_.state() == SessionState::Replaying;
    basis.request = adviceRequestOf(session_, basis.view);
    basis.measured = basis.view.import || session_.history().knownCosts();
    return basis;
}

QString AdviceController::costsText() const {
    const IterationView& view = basis_->view;
    return view.import
               ? tr("the medians of all iterations of %1, %2")
                     .arg(QString::fromStdString(view.import->source), said(passingWords(view.import->costs)))
           : basis_->measured
               ? !view.file.empty() ? tr("the costs of this recording") : tr("the costs of the last run")
               : tr("estimated costs: nothing ran yet");
}

// "primus-pp8 · 1F1B, p = 8, m = 16": the run that is open.
QString AdviceController::runText() const {
    const RunConfig& config = basis_->request.config();
    QStringList words{scheduleTitle(config.schedule), QStringLiteral("p = %1").arg(config.params.p),
                      QStringLiteral("m = %1").arg(config.params.m)};
    if (config.params.v > 1) words << QStringLiteral("v = %1").arg(config.params.v);
    if (config.params.d > 1) words << QStringLiteral("d = %1").arg(config.params.d);
    const QString file = QFileInfo(QString::fromStdString(basis_->view.file)).completeBaseName();
    return (file.isEmpty() ? QString() : file + QStringLiteral(" · ")) + listText(words);
}

void AdviceController::setNotation(const Notation& notation) {
    table_->setNotation(notation);
    side_->setNotation(notation);
}

// What another iteration makes of the costs, too.
void AdviceController::enter() {
    Basis now = basis();
    if (!basis_ || !now.sameRun(*basis_) || now.view.iteration != basis_->view.iteration) begin(std::move(now));
}

void AdviceController::begin(Basis&& basis) {
    // Other costs alone end no measurement and void none.
    if (!basis_ || !basis.sameTraining(*basis_)) {
        if (measure_.running()) {
            measure_.cancel();
            endMeasuring({}, {});
        }
        in_turn_.clear();
    }
    basis_ = std::make_shared<const Basis>(std::move(basis));
    const IterationView& view = basis_->view;
    const bool knows_model = basis_->request.knows_model;
    table_->setRun({.name = runText(),
                    .costs = costsText(),
                    .config = basis_->request.config(),
                    .tokens_of_sample = knows_model ? view.config.model.sequence : 0,
                    .cap = knows_model ? view.config.memory_cap_mb : 0,
                    .is_file = basis_->replayed});
    side_->setWords({});
    showBeside();
    showOutcomes();
    play();
}

void AdviceController::setAdvice(const std::shared_ptr<const Advice>& result) {
    if (!result) return table_->setFailure(tr("There is not enough memory."));
    advice_ = *result;
    table_->setAdvice(advice_);
    if (!advice_.refusal.empty()) return;
    side_->setWords({.steps = scheduleChoice(basis_->request, advice_.now),
                     .claims =
                         [basis = basis_, result](const DurationText& duration) {
                             return popularClaims(basis->request, *result, duration);
                         },
                     .verdict =
                         [basis = basis_, result](const DurationText& duration) {
                             return choiceVerdict(basis->request, *result, duration);
                         }});
    search();
}

void AdviceController::play() {
    if (!basis_ || !basis_->request.known.order) return;
    search_.cancel();
    AdviceRequest request = basis_->request;
    if (request.knows_model)
        request.memory_cap_bytes = table_->cap() * 1e6;
    else
        request.most_in_flight = table_->cap();
    request.one_copy = table_->wantsOneCopy();
    request.flush = table_->wantsFlush();
    request.framework = table_->framework();
    Basis asked = *basis_;
    asked.request = request;
    basis_ = std::make_shared<const Basis>(std::move(asked));
    table_->setPlaying();
    const auto work = [basis = basis_](const std::stop_token& stop) { return advise(basis->request, stop); };
    const QString refusal =
        work_.start(work, [this](const std::shared_ptr<const Advice>& result) { setAdvice(result); });
    if (!refusal.isEmpty()) table_->setFailure(tr("The system cannot create a thread: %1.").arg(refusal));
}

// Takes seconds, so that its line comes later than the others.
void AdviceController::search() {
    table_->setSearching(true);
    const auto work = [basis = basis_, now = advice_.now](const std::stop_token& stop) {
        return searchedCandidate(basis->request, now, kSearch, stop);
    };
    search_.start(work, [this](const std::shared_ptr<const std::optional<Candidate>>& found) {
        table_->setSearching(false);
        if (!found || !*found) return;
        addInOrder(advice_, **found);
        table_->setAdvice(advice_);
    });
}

void AdviceController::take(const Candidate& candidate) {
    if (!basis_ || !candidate.predicted) return;
    const Setting& setting = candidate.setting;
    if (basis_->replayed) {
        drawPlan(basis_, candidate);
        return shell_.showView(MainView::Timeline);
    }
    if (!setting.isConfiguration()) return;
    if (setting.order) {
        emit orderTaken(setting.order);
    } else {
        RunConfig wanted = session_.wanted();
        wanted.schedule = setting.config.schedule;
        wanted.params = setting.config.params;
        wanted.layers_per_stage = setting.config.layers_per_stage;
        wanted.micro_batch = setting.config.micro_batch;
        wanted.recompute = setting.config.recompute;
        wanted.checkpoint_every = setting.config.checkpoint_every;
        wanted.link = setting.config.link;
        wanted.slow_ranks = setting.config.slow_ranks;
        session_.edit(wanted);
    }
    promise(candidate);
    shell_.showView(MainView::Timeline);  // where the change is seen
}

void AdviceController::drawPlan(const std::shared_ptr<const Basis>& basis, const Candidate& candidate) {
    session_.pause();
    drawn_ = basis;
    plan_ = planOf(*basis, candidate);
    plan_of_ = session_.shownIteration();
    emit planChanged();
}

void AdviceController::showInstead(const AdviceRequest& request, const Candidate& candidate) {
    if (session_.state() != SessionState::Replaying || !candidate.predicted) return;
    drawPlan(std::make_shared<const Basis>(Basis{adviceViewOf(session_), request, true, true}), candidate);
}

IterationView AdviceController::planOf(const Basis& basis, const Candidate& candidate) {
    IterationView view;
    view.config = candidate.setting.config;
    view.order = std::make_shared<const Schedule>(scheduleOfSetting(basis.request, candidate.setting));
    const PlannedIteration plan = planIteration(
        view.config, *view.order, costsOfSetting(basis.request, candidate.setting, *view.order));
    view.ran = std::make_shared<const Timeline>(plan.timeline->ranks(), Provenance::Predicted);
    view.costs_measured = basis.view.import || basis.view.report;
    view.alternative = true;
    view.device = basis.view.device;
    view.import = basis.view.import;
    showPlan(plan, view);
    return view;
}

// At most three, one by one below what the canvas shows.
void AdviceController::toggleMark(const Candidate& candidate) {
    constexpr std::size_t kMost = 3;
    if (!basis_ || !candidate.predicted) return;
    const auto at = std::ranges::find_if(stacked_, [&](const IterationView& each) {
        return runsAlike(each.config, candidate.setting.config);
    });
    if (at != stacked_.end())
        stacked_.erase(at);
    else if (stacked_.size() < kMost)
        stacked_.push_back(planOf(*basis_, candidate));
    else
        return shell_.showBriefly(tr("Three plans are stacked already; A on one of their lines removes it"));
    drawn_ = basis_;
    plan_of_ = session_.shownIteration();
    showMarks();
    emit planChanged();
}

void AdviceController::showMarks() {
    std::vector<RunConfig> marked;
    for (const IterationView& each : stacked_) marked.push_back(each.config);
    table_->setMarked(std::move(marked));
}

// They run in a process of their own; what runs here waits meanwhile.
void AdviceController::runMarked() {
    if (stacked_.empty() || basis_->replayed) return;
    std::vector<ScheduleAndChunks> schedules;
    for (const IterationView& each : stacked_)
        if (const RunConfig& config = each.config;
            runsAlike(config, withSchedule(basis_->request.config(), config)))
            schedules.emplace_back(config.schedule, config.params.v);
    if (schedules.empty())
        return shell_.showBriefly(
            tr("None of the stacked plans changes only the schedule: apply a line to run it"));
    if (session_.state() == SessionState::Running && session_.connection().isOwn() &&
        !session_.onlyWatches()) {
        session_.pause();
        run_waits_ = true;
    }
    table_->setRunning(tr("Starting …"));
    measure_.start(basis_->request.config(), schedules);
}

void AdviceController::endMeasuring(const MeasuredMs& ms, const QString& words) {
    const RunConfig& own = basis_->request.config();
    const auto add = [&](const RunConfig& config) {
        const auto ran = ms.find({config.schedule, config.params.v});
        if (ran != ms.end()) in_turn_.push_back({config, ran->second, MeasureJob::kIterations});
    };
    if (!ms.empty()) {
        in_turn_.clear();
        add(own);
        for (const IterationView& each : stacked_)
            if (runsAlike(each.config, withSchedule(own, each.config))) add(each.config);
        showBeside();
    }
    table_->setRunning(words);
    if (std::exchange(run_waits_, false) && session_.state() != SessionState::Replaying) session_.run();
}

void AdviceController::setSwept(std::vector<RanBeside> swept) {
    swept_ = std::move(swept);
    showBeside();
}

// Nothing ran beside what is in a file.
void AdviceController::showBeside() {
    std::vector<RanBeside> beside;
    if (basis_ && !basis_->replayed) {
        beside = in_turn_;
        beside.insert(beside.end(), swept_.begin(), swept_.end());
    }
    if (basis_ && basis_->measured)
        if (const RanBeside own = theRun(); own.iterations > 0) beside.push_back(own);
    table_->setBeside(std::move(beside));
}

// Its iterations under the last configuration, whose costs are known.
RanBeside AdviceController::theRun() const {
    const std::vector<IterationBar>& bars = session_.history().bars();
    std::vector<double> lengths_ms;
    for (const IterationBar& bar : bars)
        if (bar.since == bars.back().since && bar.sharesBracket(bars.back()))
            lengths_ms.push_back(bar.iteration_ms);
    return {basis_->request.config(), lengths_ms.empty() ? 0 : median(lengths_ms),
            static_cast<int>(lengths_ms.size()), true};
}

// Only what the costs of a run predicted can be held against a run.
void AdviceController::promise(const Candidate& candidate) {
    const std::optional<PendingChange>& pending = session_.pending();
    const IterationView& of = basis_->view;
    const RunConfig& taken = candidate.setting.config;
    if (!of.report || !pending || pending->config.params != taken.params) return;
    session_.promise(
        {candidate.change, pending->config, of.report->provenance, candidate.predicted->iteration_ns});
    showOutcomes();
}

void AdviceController::showOutcomes() {
    const std::vector<PromiseOutcome>& outcomes = session_.history().outcomes();
    const QString machine = QString::fromStdString(session_.shown().device);
    if (session_.state() != SessionState::Replaying) record_.follow(machine, outcomes);
    table_->setOutcomes(outcomes, machine, AdviceRecord::errorsOn(machine));
}

void AdviceController::leavePlan() {
    if (!plan_ && stacked_.empty()) return;
    plan_.reset();
    stacked_.clear();
    showMarks();
    emit planChanged();
}

// Another run, or another iteration: what was predicted is not about it.
void AdviceController::follow() {
    const bool drawn = plan_ || !stacked_.empty(), replayed = session_.state() == SessionState::Replaying;
    const bool same = drawn && replayed == drawn_->replayed &&
                      (!replayed || (session_.shown().config == drawn_->view.config &&
                                     session_.shown().import == drawn_->view.import &&
                                     session_.shownIteration() == plan_of_));
    if (drawn && !same) leavePlan();
    if (!table_->isVisible()) return;
    Basis now = basis();
    if (!basis_ || !now.sameRun(*basis_)) begin(std::move(now));
}

}  // namespace bscope::ui
