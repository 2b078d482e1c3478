#include "app/timeline/timeline_controller.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "export/gaps_csv.h"
#include "files/whole_file.h"
#include "widgets/text/config_text.h"
#include "widgets/text/filter_text.h"
#include "widgets/text/format.h"
#include "words/sentence_error.h"

namespace bscope::ui {
namespace {

// Looks as the strip of iterations where nothing waits beside it.
class LastRow : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().panel);
        painter.fillRect(0, 0, width(), 1, currentTheme().rule);
    }
};

}  // namespace

TimelineController::TimelineController(Session& session, ViewState& state, ScheduleController& schedules,
                                       AdviceController& advice, HandCostsController& hand_costs,
                                       Shell& shell)
    : QObject(shell.widget()),
      session_(session),
      state_(state),
      schedules_(schedules),
      advice_(advice),
      hand_costs_(hand_costs),
      shell_(shell),
      page_(new QWidget(shell.widget())),
      gantt_(new GanttView(state, page_)),
      minimap_(new Minimap(*gantt_, state, page_)),
      legend_(new LegendBar(state, page_)),
      welcome_(new WelcomeLine(page_)),
      pending_strip_(new PendingStrip(page_)),
      strip_(new IterationStrip(page_)),
      numbers_(new NumbersDock(state, shell.widget())),
      search_bar_(new SearchBar(state, shell.widget())),
      recent_(session, this),
      calibration_(new AutoCalibration(
          session, [&shell] { return shell.view() == MainView::Timeline; }, this)),
      headline_(new StragglerHeadline(session, recent_, advice, page_)),
      baselines_(new BaselineController(session, *gantt_, shell, this)),
      notes_(new NotesController(session, *gantt_, *strip_, shell, this)) {
    light_ = std::make_unique<CanvasHighlighter>(session_, *gantt_);
    buildPage();
    connectViews();
    connect(&session, &Session::shownChanged, this, &TimelineController::sync);
    connect(&session, &Session::stateChanged, this, &TimelineController::sync);
    connect(&session, &Session::problemsChanged, this, &TimelineController::sync);
    connect(&advice, &AdviceController::planChanged, this, &TimelineController::sync);
    connect(&hand_costs, &HandCostsController::planChanged, this, [this] {
        // What was chosen is of the run, in whose place the plan is.
        if (!std::exchange(shows_hand_costs_, hand_costs_.plan().has_value()) && hand_costs_.plan())
            state_.select(std::nullopt);
        sync();
        syncPending();
    });
    connect(&analyses_, &GapAnalyses::ready, this, &TimelineController::sync);
    connect(&recent_, &RecentIterations::changed, this, &TimelineController::sync);
    connect(calibration_, &AutoCalibration::calibrated, this, [this] {
        if (shell_.view() != MainView::Timeline || plan()) return;  // the chip that it names is not there
        shell_.showBriefly(
            tr("More than the training runs on this machine (this window, too): durations are now medians of "
               "up to 8 iterations. “calibrated”, above, switches back to single ones."));
    });
    connect(baselines_, &BaselineController::changed, this, &TimelineController::sync);
    connect(strip_, &IterationStrip::besideRequested, baselines_, &BaselineController::layBeside);
    connect(&session, &Session::notesChanged, this, &TimelineController::sync);
    connect(&session, &Session::barsChanged, this, &TimelineController::syncBars);
    connect(&session, &Session::stateChanged, this, &TimelineController::syncPending);
    connect(&session, &Session::pendingChanged, this, &TimelineController::syncPending);
    connect(&session, &Session::configChanged, this, &TimelineController::syncPending);
    connect(&session, &Session::configChanged, this, &TimelineController::leavePlan);
}

void TimelineController::buildPage() {
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(headline_->line());
    column->addWidget(gantt_, 1);
    column->addWidget(minimap_);
    column->addWidget(welcome_);
    column->addWidget(legend_);
    column->addWidget(schedules_.strip());
    auto* ground = new LastRow(page_);  // history, and beside it what comes next
    auto* row = new QHBoxLayout(ground);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(strip_, 3);
    row->addWidget(pending_strip_, 2);
    column->addWidget(ground);
}

QWidgetList TimelineController::tabOrder() const {
    return {headline_->line(), gantt_, welcome_, legend_, schedules_.strip(), strip_, pending_strip_};
}

void TimelineController::connectViews() {
    connect(&player_, &IterationPlayer::changed, this, &TimelineController::sync);
    connect(gantt_, &GanttView::scrubbed, &player_, &IterationPlayer::scrub);
    connect(gantt_, &GanttView::cleared, &player_, &IterationPlayer::leave);
    connect(gantt_, &GanttView::titleChipClicked, this, &TimelineController::chipClicked);
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
    // One that was chosen stays, which following does not.
    connect(&session_, &Session::shownChanged, this, [this] {
        if (!session_.following() && state_.follow()) state_.setFollow(false);
    });
    connect(&state_, &ViewState::presentationChanged, this, &TimelineController::syncNotation);
    connect(&state_, &ViewState::layersChanged, this, [this] {
        if (state_.layers().checkpointing) sync();
    });
    connect(gantt_, &GanttView::rangeRead, this, &TimelineController::showReading);
    connect(&state_, &ViewState::filterChanged, this, [this] { gantt_->setTitleChips(titleChips()); });
    connect(search_bar_, &SearchBar::found, this, &TimelineController::goTo);
    connect(headline_, &StragglerHeadline::changed, this, &TimelineController::synced);
    connect(headline_, &StragglerHeadline::showRequested, this, &TimelineController::lookAt);
    connect(search_bar_, &SearchBar::marked, this, [this](const std::vector<SearchHit>& hits) {
        std::vector<Mark> marks;
        for (const SearchHit& hit : hits) marks.push_back({hit.rank, hit.range});
        gantt_->setMarks(std::move(marks));
    });
    connect(search_bar_, &SearchBar::closed, this, [this] { shell_.focusCanvas(); });
}

void TimelineController::addLayerActions(WindowActions& actions) {
    actions.addAll(MenuName::View, gantt_->commands().actions(Commands::Group::Show));
    QAction* from_zero = actions.addCheckable(
        MenuName::View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Count micro-batches from 0"), {},
        [this](bool on) { state_.setCountFromZero(on); });
    from_zero->setChecked(state_.countFromZero());
    actions
        .addCheckable(MenuName::View,
                      QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Calibrate durations on a busy machine"),
                      {}, [this](bool on) { calibration_->setOn(on); })
        ->setChecked(calibration_->isOn());
}

void TimelineController::addActions(WindowActions& actions) {
    using enum MenuName;
    actions.addAll(Go, gantt_->commands().actions(Commands::Group::Navigate));
    actions.addSeparator(Go);
    actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Iteration &before"),
                {QKeySequence(Qt::Key_J)}, [this] { session_.selectNeighbour(-1); });
    actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Iteration &after"),
                {QKeySequence(Qt::Key_K)}, [this] { session_.selectNeighbour(+1); });
    QAction* median = actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Median iteration"),
                                  {QKeySequence(Qt::SHIFT | Qt::Key_J)}, [this] { goToMedian(); });
    actions.setCondition(
        median, [this] { return !session_.bars().empty(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no iteration is complete yet"));
    actions.addSeparator(Go);
    notes_->addActions(actions);
    actions.addSeparator(Go);
    QAction* difference = actions.add(
        Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Difference from the nearest schedule"), {},
        [this] {
            shell_.showView(MainView::Timeline);
            schedules_.showDifference();
        });
    actions.setCondition(
        difference,
        [this] {
            const auto import = session_.shown().import;
            return import && import->first_difference;
        },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions",
                          "the order is a schedule of the catalog, or nothing is imported"));
    actions.add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Find…"),
                {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)}, [this] {
                    shell_.showView(MainView::Timeline);
                    search_bar_->open();
                });

    // A submenu of their own, or the menu is taller than a small screen.
    QMenu* selecting = actions.addSubmenu(
        Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Select, measure, filter"));
    selecting->addActions(gantt_->commands().actions(Commands::Group::Select));
    QAction* copy =
        actions.add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Copy what is selected"),
                    {QKeySequence(Qt::CTRL | Qt::Key_C)}, [this] { copySelected(); });
    actions.setCondition(
        copy, [this] { return state_.selection() || state_.gap() || state_.measured(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "nothing is selected"));
    QAction* gaps = actions.add(
        Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Export gaps and causes as CSV…"),
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, [this] { askForGapsFile(); });
    actions.setCondition(
        gaps, [this] { return listedCauses() != nullptr; },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no gaps with causes are listed"));
    actions.addSeparator(Analyze);
    QAction* ideal = actions.addCheckable(
        Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Bubble relative to &ideal"), {},
        [this](bool on) {
            state_.setBubbleDefinition(on ? BubbleDefinition::OfIdeal : BubbleDefinition::OfTotal);
        });
    const auto showDefinition = [this, ideal] {
        ideal->setChecked(state_.bubbleDefinition() == BubbleDefinition::OfIdeal);
    };
    connect(&state_, &ViewState::presentationChanged, ideal, showDefinition);
    showDefinition();
    baselines_->addActions(actions);
    actions.addSeparator(Analyze);
}

void TimelineController::addPlayActions(WindowActions& actions) {
    using enum MenuName;
    const auto add = [&](const char* text, const QKeySequence& keys, const std::function<void()>& how) {
        QAction* action = actions.add(Run, text, {keys}, [this, how] { play(how); });
        actions.setCondition(
            action, [this] { return player_.canPlay(); },
            QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "the iteration that is shown is not complete"));
    };
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "P&lay this iteration slowly, or pause it"),
        {Qt::SHIFT | Qt::Key_P}, [this] { player_.toggle(); });
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One operation on in this iteration"),
        {Qt::ALT | Qt::Key_Period}, [this] { player_.step(+1); });
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One operation back in this iteration"),
        {Qt::ALT | Qt::Key_Comma}, [this] { player_.step(-1); });
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One micro-batch on in this iteration"),
        {Qt::ALT | Qt::SHIFT | Qt::Key_Period}, [this] { player_.beat(+1); });
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One micro-batch back in this iteration"),
        {Qt::ALT | Qt::SHIFT | Qt::Key_Comma}, [this] { player_.beat(-1); });
    addPaces(actions);
    actions.addSeparator(Run);
}

void TimelineController::addPaces(WindowActions& actions) {
    using Pace = IterationPlayer::Pace;
    QMenu* menu = actions.addSubmenu(MenuName::Run,
                                     QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Spee&d of slow play"));
    auto* group = new QActionGroup(this);
    const auto add = [&](const char* text, Pace pace) {
        QAction* action = actions.make(
            text, [this, pace] { player_.setPace(pace); }, true);
        action->setChecked(player_.pace() == pace);
        group->addAction(action);
        menu->addAction(action);
    };
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Whole iteration in 12 s"), Pace::Whole);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One micro-batch in 2 s"), Pace::OneInTwoSeconds);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One micro-batch a second"), Pace::OneASecond);
    add(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Two micro-batches a second"), Pace::TwoASecond);
}

// The iteration that is shown stays, though others may come.
void TimelineController::play(const std::function<void()>& how) {
    shell_.showView(MainView::Timeline);
    if (!player_.canPlay())
        return shell_.showBriefly(tr("This iteration is not complete yet: J shows the one before"));
    if (state_.follow()) state_.setFollow(false);
    player_.setInBeats(session_.reducedMotion());
    how();
}

void TimelineController::showReading() {
    const std::vector<IterationView> shown = gantt_->views();
    if (!shown.empty()) numbers_->setReading(shown.front(), gantt_->reading());
}

// Of the iteration whose numbers the dock has.
const BubbleCauses* TimelineController::listedCauses() const {
    const auto& listed = numbers_->shown();
    return listed && !listed->view().numbers_hidden ? listed->causes() : nullptr;
}

void TimelineController::askForGapsFile() {
    const auto listed = numbers_->shown();  // training goes on behind the dialog
    if (listedCauses() == nullptr) return;
    const QString path = QFileDialog::getSaveFileName(
        shell_.widget(), tr("Export gaps and causes"),
        QStringLiteral("gaps-%1.csv").arg(listed->view().number()), tr("Tables (*.csv)"));
    if (!path.isEmpty()) writeGaps(path, *listed->causes());
}

void TimelineController::writeGaps(const QString& path, const BubbleCauses& causes) {
    try {
        writeWholeFile(std::filesystem::path(path.toStdU16String()),
                       [&causes](std::ostream& out) { writeGapsCsv(out, causes); });
    } catch (const std::exception& error) {
        return shell_.say(
            {tr("%1 could not be written: %2").arg(QFileInfo(path).fileName(), said(sentenceOf(error))),
             {},
             {}});
    }
    shell_.showBriefly(
        tr("%1: %n gaps", nullptr, static_cast<int>(causes.gaps().size())).arg(QFileInfo(path).fileName()));
}

void TimelineController::copySelected() {
    if (state_.selection() || state_.gap())
        numbers_->detail().copy();
    else
        numbers_->range().copy();
}

// With costs given by hand, of what a card is about, or of what would help.
const std::optional<IterationView>& TimelineController::plan() const {
    return hand_costs_.plan() ? hand_costs_.plan() : asked_plan_ ? asked_plan_ : advice_.plan();
}

bool TimelineController::showPlanOf(const std::string& schedule) {
    RunConfig config = session_.inForce();
    config.schedule = schedule;
    constexpr int kRounds = 4;  // a legal value may make another one illegal
    for (int round = 0; round < kRounds; ++round)
        for (const Problem& problem : session_.problemsOf(config))
            if (!problem.legal.empty()) setConfigField(config, problem.field, problem.legal.front());
    if (!session_.problemsOf(config).empty()) return false;
    asked_plan_ = session_.planOf(config);
    asked_plan_->alternative = true;
    sync();
    return true;
}

void TimelineController::leavePlan() {
    if (!std::exchange(asked_plan_, std::nullopt)) return;
    sync();
}

void TimelineController::retranslate() {
    syncBars();
    sync();
}

void TimelineController::sync() {
    const std::optional<IterationView> file = schedules_.filePlan();
    const std::optional<IterationView> swapped = baseline().onCanvas();
    const std::optional<IterationView>& advice = plan();
    IterationView view = recent_.withDurations(analyses_.withAnalysis(swapped  ? *swapped
                                                                      : file   ? *file
                                                                      : advice ? *advice
                                                                               : session_.shown()));
    if (state_.layers().checkpointing) view = checkpointing_.withPlans(std::move(view));
    player_.offer(view);
    const IterationView whole = view;
    if (player_.active()) view = player_.view();
    gantt_->setScrubbable(player_.active());
    gantt_->setNotice(titleNotice());
    gantt_->setBoundaryNote(boundaryNote());
    std::vector<IterationView> stacked = swapped ? std::vector{view} : baselines_->with(view);
    if (!swapped && !hand_costs_.plan())
        stacked.insert(stacked.end(), advice_.stacked().begin(), advice_.stacked().end());
    gantt_->setStacked(std::move(stacked));
    const PreparedView& first = gantt_->picture().groups.front();
    notes_->sync(!swapped && !first.isBaseline() && !file && !advice);
    gantt_->setTitleChips(titleChips());
    minimap_->sync();
    legend_->setGroups(gantt_->picture().groups);
    search_bar_->setView(first.view());
    schedules_.sync(view);
    auto numbers = swapped ? swapped : file ? file : advice ? advice : session_.numbers();
    // Of an iteration that runs on the canvas the numbers are another's.
    if (numbers && numbers->ran == whole.ran && numbers->planned == whole.planned)
        numbers->analysis = whole.analysis;
    else if (numbers && whole.now_ns >= 0)
        numbers = analyses_.withAnalysis(*numbers);
    numbers_->setBaseline(baseline().pinned());
    numbers_->setView(numbers ? *numbers : whole);
    numbers_->setShown(view);
    gantt_->setLastComplete(numbers);
    const bool nothing_ran = view.ran->empty() && session_.state() == SessionState::Idle;
    welcome_->setVisible(nothing_ran && session_.problems().empty());
    syncNotation();
    strip_->setShown(session_.shownIteration());
    const bool running = isAtWork(session_.state()) && session_.history().newest() >= 0;
    strip_->setRunning(running ? std::optional<int>(session_.history().newest()) : std::nullopt);
    light_->follow();
    emit synced();
}

// The strips write times and bubbles as the canvas does.
void TimelineController::syncNotation() {
    const Notation& notation = gantt_->picture().notation;
    if (notation == notation_) return;
    notation_ = notation;
    pending_strip_->setNotation(notation);
    strip_->setNotation(notation);
    schedules_.panel()->search().setNotation(notation);
    advice_.setNotation(notation);
    hand_costs_.setUnit(notation.unit);
    headline_->setNotation(notation);
    emit notationChanged(notation);
}

void TimelineController::syncBars() {
    strip_->setBars(session_.bars());
    numbers_->setBars(session_.bars());
    strip_->setShown(session_.shownIteration());
    syncPending();
}

void TimelineController::syncPending() {
    auto pending = session_.announcedPending();
    if (pending) pending = hand_costs_.planned(std::move(*pending));
    numbers_->setPending(pending);
    pending_strip_->setPending(pending, session_.inForce(),
                               pending ? pending->summary_now : IterationSummary{},
                               pending ? pending->tokens_per_s_now : 0);
    gantt_->setBoundaryNote(boundaryNote());
}

// A real one, the nearest to the median.
void TimelineController::goToMedian() {
    const auto found = recent_.median();
    if (!found) return shell_.showBriefly(tr("No events of such an iteration are kept"));
    shell_.showView(MainView::Timeline);
    session_.select(found->iteration);
    const bool imported = session_.bars().back().numbered_by_files;
    shell_.showBriefly(tr("Iteration %1 is nearest to the median of %2 iterations, %3")
                           .arg(QString::number(iterationNumber(found->iteration, imported)),
                                QString::number(found->of), notation_.duration(1e6 * found->median_ms)));
}

void TimelineController::goTo(const SearchHit& hit) {
    const PreparedView& searched = gantt_->picture().groups.front();
    if (hit.action)
        state_.select(Selection{hit.rank, *hit.action, searched.view().iteration, searched.isBaseline()});
    else
        state_.setMeasured(hit.range);
    const TimeRange visible = state_.range();
    if (hit.range.from_ns >= visible.from_ns && hit.range.to_ns <= visible.to_ns) return;
    const double width = std::max(visible.width(), 2.0 * hit.range.width());
    const double middle = (hit.range.from_ns + hit.range.to_ns) / 2;
    state_.setRange({middle - width / 2, middle + width / 2});
}

// Large enough to be read, whatever was in sight.
void TimelineController::lookAt(const SearchHit& hit) {
    constexpr double kAround = 12;
    goTo(hit);
    const double width = std::min(kAround * hit.range.width(), state_.range().width());
    const double middle = (hit.range.from_ns + hit.range.to_ns) / 2;
    state_.setRange({middle - width / 2, middle + width / 2});
    shell_.focusCanvas();
}

std::vector<IterationView> TimelineController::viewsToExport() const {
    std::vector<IterationView> views = gantt_->views();
    const bool under_way =
        !player_.active() && isAtWork(session_.state()) &&
        std::ranges::any_of(views, [](const IterationView& view) { return view.now_ns >= 0; });
    const auto whole = session_.numbers();
    if (under_way && whole && whole->report) views = baselines_->with(*whole);
    return views;
}

}  // namespace bscope::ui
