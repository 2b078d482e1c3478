#include "app/tune/advice_controller.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/history/planned_iteration.h"
#include "app/session/advice_request.h"
#include "timeline/passing_costs.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr std::chrono::seconds kSearch{2};
constexpr std::chrono::milliseconds kOutcomes{300};  // iterations may last less than a picture

bool sameRun(const IterationView& a, const IterationView& b) {
    return a.config == b.config && a.import == b.import;
}

}  // namespace

AdviceController::AdviceController(Session& session, Shell& shell)
    : QObject(shell.widget()), session_(session), shell_(shell) {
    connect(&session, &Session::stateChanged, this, &AdviceController::follow);
    connect(&session, &Session::shownChanged, this, &AdviceController::follow);
    connect(&session, &Session::barsChanged, this, [this] {
        if (!soon_.isActive()) soon_.start();
    });
    soon_.setSingleShot(true);
    soon_.setInterval(kOutcomes);
    connect(&soon_, &QTimer::timeout, this, &AdviceController::showOutcomes);
    connect(&session, &Session::pendingChanged, this, &AdviceController::showOutcomes);
    connect(&measure_, &MeasureJob::progress, this, [this](int done, int total) {
        if (choice_) choice_->setMeasured({}, tr("Running: iteration %1 of %2").arg(done).arg(total));
    });
    connect(&measure_, &MeasureJob::done, this, [this](const MeasuredMs& ms) { endMeasuring(ms, {}); });
    connect(&measure_, &MeasureJob::failed, this, [this](const QString& why) { endMeasuring({}, why); });
}

AdviceController::Basis AdviceController::basis() const {
    Basis basis;
    basis.view = adviceViewOf(session_);
    basis.replayed = session_.state() == SessionState::Replaying;
    basis.request = adviceRequestOf(session_, basis.view);
    return basis;
}

QString AdviceController::costsText() const {
    const IterationView& view = basis_->view;
    return view.import ? tr("the medians of all iterations of %1, %2")
                             .arg(QString::fromStdString(view.import->source),
                                  said(passingWords(view.import->costs)))
           : session_.history().knownCosts() ? tr("the costs of what ran last")
                                             : tr("estimated costs: nothing ran yet");
}

// "primus-pp8 · 1F1B, p = 8, m = 16": the run that is open.
QString AdviceController::runText() const {
    const RunConfig& config = basis_->request.config();
    QStringList words{scheduleTitle(config.schedule), QStringLiteral("p = %1").arg(config.params.p),
                      QStringLiteral("m = %1").arg(config.params.m)};
    if (config.params.v > 1) words << QStringLiteral("v = %1").arg(config.params.v);
    if (config.params.d > 1) words << QStringLiteral("d = %1").arg(config.params.d);
    const QString file = QFileInfo(basis_->view.file).completeBaseName();
    return (file.isEmpty() ? QString() : file + QStringLiteral(" · ")) + listText(words);
}

QString AdviceController::meaningText() const {
    return basis_->replayed ? tr("A click or Enter shows a line as a plan on the canvas.")
                            : tr("A click or Enter makes a line the configuration that is wanted.");
}

QString AdviceController::markingText() const {
    return basis_->replayed || !basis_->request.knows_model
               ? tr("A stacks a line's plan on the canvas, up to three.")
               : tr("A stacks a line's plan on the canvas, up to three; R runs what is stacked.");
}

void AdviceController::setNotation(const Notation& notation) {
    notation_ = notation;
    if (dialog_) dialog_->setNotation(notation);
    if (choice_) choice_->setNotation(notation);
}

void AdviceController::prepare(PredictionDialog* dialog) {
    dialog->setNotation(notation_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PredictionDialog::taken, this, &AdviceController::take);
    connect(dialog, &PredictionDialog::capEdited, this, &AdviceController::play);
    dialog->setFlags([this](const Candidate* line, Framework framework) {
        const AdviceRequest& request = basis_->request;
        return flagsOfSetting(request, line ? line->setting : Setting{request.config()}, framework);
    });
    connect(dialog, &QDialog::finished, this, [this] {
        work_.cancel();
        search_.cancel();
    });
}

void AdviceController::open() {
    leavePlan();
    if (choice_) choice_->close();
    choice_.clear();  // at once; it is deleted later
    basis_ = std::make_shared<const Basis>(basis());
    const IterationView& view = basis_->view;
    const bool knows_model = basis_->request.knows_model;
    if (!dialog_) {
        dialog_ = new AdviceDialog(shell_.widget());
        prepare(dialog_);
    }
    const QSignalBlocker quiet(dialog_);
    dialog_->setCap(knows_model ? AdviceDialog::Cap::Megabytes : AdviceDialog::Cap::InFlight,
                    knows_model ? view.config.memory_cap_mb : 0);
    dialog_->setTokensOfSample(knows_model ? view.config.model.sequence : 0);
    dialog_->setSource(costsText());
    showOutcomes();
    begin(dialog_);
}

void AdviceController::openSchedules() {
    leavePlan();
    if (dialog_) dialog_->close();
    dialog_.clear();
    basis_ = std::make_shared<const Basis>(basis());
    const IterationView& view = basis_->view;
    if (!choice_) {
        choice_ = new ScheduleChoiceDialog(shell_.widget());
        prepare(choice_);
        connect(choice_, &ScheduleChoiceDialog::markToggled, this, &AdviceController::toggleMark);
        connect(choice_, &ScheduleChoiceDialog::runAsked, this, &AdviceController::runMarked);
        connect(choice_, &QDialog::finished, this, [this] {
            measure_.cancel();
            endMeasuring({}, {});
        });
    }
    choice_->setCanRun(!basis_->replayed && basis_->request.knows_model);
    choice_->setMeasured({}, {});
    const QSignalBlocker quiet(choice_);
    choice_->setCap(view.config.memory_cap_mb, basis_->request.knows_model);
    choice_->setRun(scheduleTitle(basis_->request.known.config.schedule), costsText());
    begin(choice_);
    choice_->setMeaning(sentencesText({meaningText(), markingText()}));
}

void AdviceController::begin(PredictionDialog* dialog) {
    dialog->setMeaning(meaningText());
    dialog->setAbout(runText());
    play();
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

PredictionDialog* AdviceController::asking() const {
    return choice_ ? static_cast<PredictionDialog*>(choice_) : dialog_;
}

void AdviceController::setFailure(const QString& why) {
    if (asking()) asking()->setFailure(why);
}

void AdviceController::setAdvice(const std::shared_ptr<const Advice>& result) {
    if (!result) return setFailure(tr("There is not enough memory."));
    advice_ = *result;
    if (choice_)
        choice_->setChoice(advice_, basis_->request.config(),
                           {.steps = scheduleChoice(basis_->request, advice_.now),
                            .claims =
                                [basis = basis_, result](const DurationText& duration) {
                                    return popularClaims(basis->request, *result, duration);
                                },
                            .verdict =
                                [basis = basis_, result](const DurationText& duration) {
                                    return choiceVerdict(basis->request, *result, duration);
                                }});
    if (!dialog_) return;
    dialog_->setAdvice(advice_);
    if (advice_.refusal.empty()) search();
}

void AdviceController::play() {
    if (!asking() || !basis_ || !basis_->request.known.order) return;
    search_.cancel();
    AdviceRequest request = basis_->request;
    if (request.knows_model)
        request.memory_cap_bytes = asking()->cap() * 1e6;
    else
        request.most_in_flight = asking()->cap();
    request.one_copy = asking()->wantsOneCopy();
    request.flush = asking()->wantsFlush();
    request.framework = asking()->framework();
    basis_ = std::make_shared<const Basis>(Basis{basis_->view, request, basis_->replayed});
    asking()->setPlaying();
    const auto work = [basis = basis_](const std::stop_token& stop) { return advise(basis->request, stop); };
    const QString refusal =
        work_.start(work, [this](const std::shared_ptr<const Advice>& result) { setAdvice(result); });
    if (!refusal.isEmpty()) setFailure(tr("The system gives no thread: %1.").arg(refusal));
}

// Takes seconds, so that its line comes later than the others.
void AdviceController::search() {
    dialog_->setSearching(true);
    const auto work = [basis = basis_, now = advice_.now](const std::stop_token& stop) {
        return searchedCandidate(basis->request, now, kSearch, stop);
    };
    search_.start(work, [this](const std::shared_ptr<const std::optional<Candidate>>& found) {
        if (!dialog_) return;
        dialog_->setSearching(false);
        if (!found || !*found) return;
        addInOrder(advice_, **found);
        dialog_->setAdvice(advice_);
    });
}

void AdviceController::take(const Candidate& candidate) {
    if (!basis_ || !candidate.predicted) return;
    const Setting& setting = candidate.setting;
    if (!basis_->replayed) {
        if (!setting.isConfiguration()) return;
        if (setting.order) {
            emit orderTaken(setting.order);
            return promise(candidate);
        }
        RunConfig wanted = session_.wanted();
        wanted.schedule = setting.config.schedule;
        wanted.params = setting.config.params;
        wanted.layers_per_stage = setting.config.layers_per_stage;
        wanted.micro_batch = setting.config.micro_batch;
        wanted.recompute = setting.config.recompute;
        wanted.link = setting.config.link;
        wanted.slow_ranks = setting.config.slow_ranks;
        session_.edit(wanted);
        return promise(candidate);
    }
    drawPlan(candidate);
}

void AdviceController::drawPlan(const Candidate& candidate) {
    session_.pause();
    plan_ = planOf(candidate);
    plan_of_ = session_.shownIteration();
    emit planChanged();
}

void AdviceController::showInstead(const AdviceRequest& request, const Candidate& candidate) {
    if (session_.state() != SessionState::Replaying || !candidate.predicted) return;
    basis_ = std::make_shared<const Basis>(Basis{adviceViewOf(session_), request, true});
    drawPlan(candidate);
}

IterationView AdviceController::planOf(const Candidate& candidate) const {
    const IterationView& of = basis_->view;
    IterationView view;
    view.config = candidate.setting.config;
    view.order = std::make_shared<const Schedule>(scheduleOfSetting(basis_->request, candidate.setting));
    const PlannedIteration plan = planIteration(
        view.config, *view.order, costsOfSetting(basis_->request, candidate.setting, *view.order));
    view.ran = std::make_shared<const Timeline>(plan.timeline->ranks(), Provenance::Predicted);
    view.costs_measured = of.import || of.report;
    view.alternative = true;
    view.device = of.device;
    view.import = of.import;
    showPlan(plan, view);
    return view;
}

// At most three, one by one below what the canvas shows.
void AdviceController::toggleMark(const Candidate& candidate) {
    constexpr std::size_t kMost = 3;
    if (!basis_ || !choice_ || !candidate.predicted) return;
    const auto at = std::ranges::find(stacked_, candidate.setting.config, &IterationView::config);
    if (at != stacked_.end())
        stacked_.erase(at);
    else if (stacked_.size() < kMost)
        stacked_.push_back(planOf(candidate));
    else
        return shell_.sayBriefly(tr("Three plans are stacked; A on one of them takes it away"));
    plan_of_ = session_.shownIteration();
    showMarks();
    emit planChanged();
}

void AdviceController::showMarks() {
    if (!choice_) return;
    std::vector<RunConfig> marked;
    for (const IterationView& each : stacked_) marked.push_back(each.config);
    choice_->setMarked(std::move(marked));
}

// They run in a process of their own; what runs here waits meanwhile.
void AdviceController::runMarked() {
    if (stacked_.empty() || basis_->replayed) return;
    std::vector<ScheduleAndChunks> schedules;
    for (const IterationView& each : stacked_)
        schedules.emplace_back(each.config.schedule, each.config.params.v);
    if (session_.state() == SessionState::Running && session_.connection().isOwn() &&
        !session_.onlyWatches()) {
        session_.pause();
        run_waits_ = true;
    }
    choice_->setMeasured({}, tr("Starting …"));
    measure_.start(basis_->request.config(), schedules);
}

void AdviceController::endMeasuring(const MeasuredMs& ms, const QString& words) {
    if (choice_) choice_->setMeasured(ms, words);
    if (std::exchange(run_waits_, false) && session_.state() != SessionState::Replaying) session_.run();
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
    const QString machine = session_.shown().device;
    if (session_.state() != SessionState::Replaying) record_.follow(machine, outcomes);
    if (dialog_) dialog_->setOutcomes(outcomes, machine, AdviceRecord::errorsOn(machine));
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
    const bool drawn = plan_ || !stacked_.empty();
    if (!basis_ || (!asking() && !drawn)) return;
    const bool replayed = session_.state() == SessionState::Replaying;
    const bool same = replayed == basis_->replayed && (!replayed || sameRun(session_.shown(), basis_->view));
    if (!same && asking()) asking()->close();
    if (!same || (replayed && drawn && session_.shownIteration() != plan_of_)) leavePlan();
}

}  // namespace bscope::ui
