// MainWindow: what follows what. The session says that something changed, the views are given the new values.
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMimeData>
#include <algorithm>
#include <utility>

#include "app/export/figure_exporter.h"
#include "app/lessons/lesson_controller.h"
#include "app/schedules/schedule_controller.h"
#include "app/tune/tune_controller.h"
#include "app/tune/what_if_controller.h"
#include "app/window/main_window.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

const QString kDisturbed = QStringLiteral("disturbed"), kBaseline = QStringLiteral("baseline"),
              kWhatIf = QStringLiteral("what if");

QString rangeText(const TimeRange& range, const Notation& notation) {
    const int decimals = notation.inForwards() ? 1 : 0;
    const auto number = [&](double ns) { return numberText(ns / notation.unitNs(), decimals); };
    return withUnit(number(range.from_ns) + QStringLiteral("–") + number(range.to_ns), notation.unitName());
}

}  // namespace

void MainWindow::connectSession() {
    connect(&session_, &Session::shownChanged, this, &MainWindow::syncPicture);
    connect(&session_, &Session::barsChanged, this, &MainWindow::syncBars);
    connect(&session_, &Session::stateChanged, this, &MainWindow::syncState);
    connect(&session_, &Session::pendingChanged, this, &MainWindow::syncConfig);
    connect(&session_, &Session::configChanged, this, &MainWindow::syncConfig);
    connect(&session_, &Session::problemsChanged, this, [this] {
        controls_->setRefused(session_.wanted(), session_.problems());
        if (!session_.problems().empty()) source_.Clear();  // nothing runs under its name
        told_trouble_.clear();
        syncState();
    });
    connect(&session_, &Session::recordingChanged, this, &MainWindow::syncState);
    connect(&session_, &Session::sweepChanged, this, &MainWindow::syncStatus);
    connect(&session_, &Session::notice, this, &MainWindow::say);
    connect(&appearance_, &Appearance::themeChanged, this, &MainWindow::applyTheme);
}

void MainWindow::connectViews() {
    connect(controls_, &ControlBar::configEdited, &session_, [this](const RunConfig& config) {
        const std::optional<RunConfig> file = schedules_->fileConfig();
        if (file && config.schedule != file->schedule) schedules_->closeFile();
        session_.edit(config);
    });
    connect(controls_, &ControlBar::runClicked, this, &MainWindow::runShown);
    connect(controls_, &ControlBar::pauseClicked, &session_, &Session::pause);
    connect(controls_, &ControlBar::cancelClicked, &session_, &Session::pause);
    connect(controls_, &ControlBar::reconnectClicked, &session_, &Session::reconnect);
    connect(controls_, &ControlBar::stepClicked, &session_, &Session::step);
    connect(controls_, &ControlBar::undoPending, &session_, &Session::undoPending);
    connect(controls_, &ControlBar::speedChosen, this,
            [this](double factor) { session_.replayer().setSpeed(factor); });
    connect(controls_, &ControlBar::viewChosen, this, &MainWindow::showView);
    connect(gantt_, &GanttView::titleChipClicked, this, &MainWindow::chipClicked);
    connect(legend_, &LegendBar::coloursClicked, &appearance_, &Appearance::nextScheme);
    connect(controls_, &ControlBar::said, brief_, &BriefNotice::say);
    connect(controls_, &ControlBar::focusReturned, this, [this] { gantt_->setFocus(); });
    connect(controls_->explainButton(), &QAbstractButton::clicked, explain_action_, &QAction::trigger);
    connect(controls_->gridButton(), &QAbstractButton::clicked, grid_action_, &QAction::trigger);
    connect(schedules_->panel(), &SchedulePanel::closed, explain_action_, &QAction::trigger);
    connect(schedules_->strip(), &GridStrip::closed, grid_action_, &QAction::trigger);
    connect(schedules_, &ScheduleController::fileOpened, this, [this] {
        openScheduleParts(true);
        syncConfig();
        syncPicture();
    });
    connect(schedules_, &ScheduleController::fileClosed, this, [this] {
        openScheduleParts(false);
        syncConfig();
        syncPicture();
    });
    connect(what_if_, &WhatIfController::planChanged, this, &MainWindow::syncPicture);
    connect(lessons_, &LessonController::settingsTaken, controls_, &ControlBar::setLessonSettings);
    connect(pending_strip_, &PendingStrip::undoClicked, &session_, &Session::undoPending);
    connect(strip_, &IterationStrip::iterationChosen, &session_, &Session::select);
    connect(strip_, &IterationStrip::stepRequested, &session_, &Session::selectNeighbour);
    connect(strip_, &IterationStrip::followRequested, this, [this] {
        state_.setFollow(true);
        session_.follow();
    });
    connect(&state_, &ViewState::followChanged, this, [this] {
        if (state_.follow())
            session_.follow();
        else if (session_.following())
            session_.select(session_.shownIteration());
        strip_->setFollow(state_.follow());
    });
    for (const ViewState* state : {&state_, &lessons_->viewState()})
        for (const auto changed : {&ViewState::rangeChanged, &ViewState::presentationChanged})
            connect(state, changed, this, &MainWindow::syncStatus);
    connect(&state_, &ViewState::presentationChanged, this, &MainWindow::syncNotation);
    connect(failure_bar_, &FailureBar::actionChosen, this, [this](const QString& id) {
        failure_bar_->clear();
        if (id == u"run") session_.run();
        if (id == u"reconnect") session_.reconnect();
        if (id == u"cancel import") import_.cancel();
    });
    connect(welcome_, &WelcomeLine::openRecordingClicked, this, &MainWindow::chooseFile);
    connect(welcome_, &WelcomeLine::connectClicked, this, &MainWindow::askForAddress);
    connect(welcome_, &WelcomeLine::firstLessonClicked, this, [this] {
        showView(MainView::Lessons);
        lessons_->openFirst();
    });
    connect(search_bar_, &SearchBar::found, this, &MainWindow::goTo);
    connect(search_bar_, &SearchBar::closed, this, [this] { gantt_->setFocus(); });
    connect(status_, &StatusLine::languageClicked, this, [this] {
        const bool english = appearance_.language() == Language::English;
        appearance_.setLanguage(english ? Language::Chinese : Language::English);
    });
    connect(status_, &StatusLine::scaleClicked, this, [this] { appearance_.zoomInterface(0); });
    const QClipboard* clipboard = QGuiApplication::clipboard();
    connect(clipboard, &QClipboard::dataChanged, this, [this, clipboard] {
        // While the window is in use, what changes there comes from it.
        const QMimeData* copied = QApplication::activeWindow() ? clipboard->mimeData() : nullptr;
        if (copied == nullptr) return;
        constexpr qsizetype kMost = 60;
        const QString line = copied->text().section(u'\n', 0, 0).simplified();
        brief_->say(
            copied->hasImage()
                ? tr("Picture copied")
                : tr("Copied: %1").arg(line.size() > kMost ? line.left(kMost) + QStringLiteral(" …") : line));
    });
    connect(figures_, &FigureExporter::failed, this, [this](const QString& why) { say({why, {}, {}}); });
    connect(figures_, &FigureExporter::written, this,
            [this](const QString& path) { preferences_.remember(path); });
}

void MainWindow::syncPicture() {
    const std::optional<IterationView> file = schedules_->filePlan();
    const std::optional<IterationView> baseline = baseline_.onCanvas();
    const std::optional<IterationView>& what_if = what_if_->plan();
    const IterationView view = baseline ? *baseline : file ? *file : what_if ? *what_if : session_.shown();
    gantt_->setNotice(titleNotice());
    gantt_->setBoundaryNote(boundaryNote());
    gantt_->setTitleChips(titleChips());
    gantt_->setView(view);
    legend_->setGroups(gantt_->picture().groups);
    search_bar_->setView(view);
    schedules_->sync(view);
    if (session_.state() == SessionState::Replaying && view.config != controls_->inForce()) syncConfig();
    const auto numbers = baseline ? baseline : file ? file : what_if ? what_if : session_.numbers();
    numbers_->setView(numbers ? *numbers : view);
    numbers_->setShown(view);
    gantt_->setLastComplete(numbers);
    const bool nothing_ran = view.ran->empty() && session_.state() == SessionState::Idle;
    welcome_->setVisible(nothing_ran && session_.problems().empty());
    syncNotation();
    strip_->setShown(session_.shownIteration());
    const bool running = isAtWork(session_.state()) && session_.history().newest() >= 0;
    strip_->setRunning(running ? std::optional<int>(session_.history().newest()) : std::nullopt);
    syncStatus();
}

// The strips write times and bubbles as the canvas does.
void MainWindow::syncNotation() {
    const Notation& notation = gantt_->picture().notation;
    if (notation == notation_) return;
    notation_ = notation;
    pending_strip_->setNotation(notation);
    strip_->setNotation(notation);
}

void MainWindow::syncBars() {
    strip_->setBars(session_.bars());
    numbers_->setBars(session_.bars());
    strip_->setShown(session_.shownIteration());
    syncConfig();
}

void MainWindow::syncConfig() {
    const bool replaying = session_.state() == SessionState::Replaying;
    const auto pending = replaying ? std::nullopt : announcedPending();
    const RunConfig in_force = replaying ? session_.shown().config : session_.effective();
    controls_->setImported(replaying && session_.shown().import != nullptr);
    controls_->setPending(pending);
    controls_->setInForce(schedules_->fileConfig().value_or(in_force));  // of what the canvas shows
    numbers_->setPending(pending);
    pending_strip_->setPending(pending, in_force, pending ? pending->summary_now : IterationSummary{},
                               pending ? pending->tokens_per_s_now : 0);
    gantt_->setBoundaryNote(boundaryNote());
}

void MainWindow::syncState() {
    const SessionState state = session_.state();
    controls_->setState(state, session_.replayer().playing());
    record_action_->setChecked(session_.recorder().active());
    record_action_->setEnabled(state != SessionState::Replaying);
    QString recording = session_.recorder().active() ? tr("recording to %1").arg(session_.recorder().path())
                                                     : tr("not recording");
    if (state == SessionState::Replaying) recording = tr("a recording");
    const QString source = textOf(source_, appearance_.language());
    corner_->setText(source.isEmpty() ? recording : source + QStringLiteral(" · ") + recording);
    syncFailure();
    syncConfig();
    syncPicture();
}

// Trouble stays until it is over or closed; a refused configuration until another one is chosen.
void MainWindow::syncFailure() {
    const SessionState state = session_.state();
    FailureNotice notice;
    if (state == SessionState::Failed || state == SessionState::Disconnected) {
        const Notice& trouble = session_.trouble();
        notice = {trouble.sentence.text(), trouble.what_to_do.text(), trouble.details, {}};
        const int last = session_.history().newestComplete();
        if (last >= 0)
            notice.what_to_do = sentencesText(
                {tr("Iteration %1 is the last complete one.").arg(last + 1), notice.what_to_do});
        using Phase = EngineConnection::Phase;
        const bool is_waiting = session_.connection().phase() == Phase::Waiting;
        if (state == SessionState::Disconnected || is_waiting)
            notice.actions = {{QStringLiteral("reconnect"), tr("Reconnect now")}};
        else if (session_.restartGoesOn())
            notice.actions = {{QStringLiteral("run"), tr("Restart from the kept state")}};
        else
            notice.actions = {{QStringLiteral("run"), tr("Run again")}};
    } else if (!session_.problems().empty()) {
        QStringList all;
        for (const Problem& problem : session_.problems()) all.append(sentenceText(problemText(problem)));
        notice = {tr("The engine cannot run this configuration."), sentencesText(all), {}, {}};
    } else {
        if (!told_trouble_.isEmpty()) failure_bar_->clear();
        told_trouble_.clear();
        return;
    }
    QString told = notice.sentence + notice.what_to_do;
    for (const FailureNotice::Action& action : notice.actions) told += action.id;
    if (std::exchange(told_trouble_, told) != told) failure_bar_->setNotice(notice);  // not again once closed
}

void MainWindow::say(const Notice& notice) {
    FailureNotice told{notice.sentence.text(), notice.what_to_do.text(), notice.details, {}};
    if (session_.onlyWatches()) told.actions = {{QStringLiteral("reconnect"), tr("Connect again")}};
    failure_bar_->setNotice(told);
}

QString MainWindow::titleNotice() const {
    switch (session_.state()) {
        case SessionState::Starting:
            return tr("Starting engine, %1 s").arg(numberText(session_.connection().startingFor_s(), 1));
        case SessionState::Pausing:
            return session_.following() ? tr("Pausing after this iteration") : QString();
        case SessionState::Paused: {
            const int last = session_.standsAt();
            return session_.following() && last >= 0 ? tr("Paused at %1").arg(last + 1) : QString();
        }
        default:
            return baseline_.onCanvas() ? tr("Baseline") : QString();
    }
}

std::optional<PendingChange> MainWindow::announcedPending() const {
    const auto& pending = session_.pending();
    return pending && !pending->quiet ? pending : std::nullopt;
}

// What belongs to the numbers in the title: a busy machine, a baseline to compare with.
std::vector<GanttView::TitleChip> MainWindow::titleChips() const {
    std::vector<GanttView::TitleChip> chips;
    const auto numbers = session_.numbers();
    if (numbers && numbers->report) {
        const QString disturbed = disturbedText(*numbers->report);
        const bool can_calibrate =
            session_.state() != SessionState::Replaying && session_.wanted().durations == Durations::Raw;
        const QString meaning = disturbedMeaning(*numbers->report);
        if (!disturbed.isEmpty())
            chips.push_back({kDisturbed, disturbed, tr("disturbed"),
                             can_calibrate ? meaning + u'\n' +
                                                 tr("Click for calibrated durations: medians in place of "
                                                    "single ones.")
                                           : meaning,
                             can_calibrate});
    }
    if (what_if_->plan())
        chips.push_back({kWhatIf, tr("what if ×"), tr("what if ×"),
                         tr("A plan with the costs of the run. Click to see the run again."), true});
    if (const auto& pinned = baseline_.pinned())
        chips.push_back({kBaseline, tr("baseline #%1 ×").arg(pinned->number()),
                         QStringLiteral("#%1 ×").arg(pinned->number()), tr("Click to unpin (N)"), true});
    return chips;
}

void MainWindow::chipClicked(const QString& id) {
    if (id == kBaseline) return toggleBaseline();
    if (id == kWhatIf) return what_if_->leavePlan();
    RunConfig calibrated = session_.wanted();
    calibrated.durations = Durations::Calibrated;
    if (calibrated.clock == ClockChoice::Measured) calibrated.clock = ClockChoice::Auto;  // has only raw ones
    session_.edit(calibrated);
    brief_->say(
        tr("Calibrated durations: the median of each stage and operation over its last eight iterations"));
}

QString MainWindow::boundaryNote() const {
    const auto pending = announcedPending();
    if (!pending || !session_.following()) return {};
    const QStringList changes = configChanges(session_.effective(), pending->config);
    if (changes.isEmpty()) return {};
    constexpr qsizetype kMost = 2;  // the strip below names them all
    const QString first = listText(changes.mid(0, kMost));
    return tr("from here %1").arg(changes.size() > kMost ? first + QStringLiteral(" …") : first);
}

void MainWindow::syncStatus() {
    StatusData line;
    line.state = session_.state();
    line.iteration = session_.standsAt();
    const auto numbers = session_.numbers();
    if (isAtWork(line.state)) {
        const IterationView shown = session_.shown();
        const auto planned = static_cast<double>(shown.plan_summary.iteration_ns);
        if (shown.now_ns >= 0 && planned > 0)
            line.progress =
                std::clamp(static_cast<double>(shown.now_ns - shown.start_ns) / planned, 0.0, 1.0);
    }
    if (line.state == SessionState::Disconnected) line.retry_s = session_.connection().secondsToRetry();
    if (line.state == SessionState::Replaying) line.file = QFileInfo(session_.replayer().path()).fileName();
    const bool own =
        session_.connection().isOwn() || session_.connection().phase() == EngineConnection::Phase::Off;
    const bool computes = line.state != SessionState::Replaying && numbers && numbers->report;
    const QString device =
        deviceWords(QString::fromStdString(computes ? numbers->report->device : session_.hello().device()));
    const QString where = own ? tr("this machine") : session_.connection().address().text();
    if (line.state == SessionState::Disconnected)  // what computes there is not known
        line.engine = where;
    else if (!device.isEmpty() || !own)
        line.engine = device.isEmpty() ? where : where + QStringLiteral(" · ") + device;
    if (numbers && numbers->report) {
        line.report = numbers->report;
        line.dropped_events = numbers->report->dropped_events;
    }
    line.dropped_events += session_.history().misfits();
    if (const QString sweep = tune_->statusNote(); !sweep.isEmpty())
        line.note = sweep;
    else if (session_.onlyWatches())
        line.note = tr("watching only");
    else if (view_ == MainView::Lessons)
        line.note = lessons_->statusNote();
    else
        line.note = baseline_.comparedWith(session_.numbers());
    const TimeRange range = (view_ == MainView::Lessons ? lessons_->viewState() : state_).range();
    if (view_ != MainView::Tune)
        line.range =
            rangeText(range, (view_ == MainView::Lessons ? lessons_->canvas() : gantt_)->picture().notation);
    line.language =
        appearance_.language() == Language::English ? QStringLiteral("English") : QStringLiteral("简体中文");
    line.scale = appearance_.scale();
    status_->setData(line);
}

}  // namespace bscope::ui
