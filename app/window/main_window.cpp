#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/check/gradient_controller.h"
#include "app/export/figure_exporter.h"
#include "app/export/plan_below.h"
#include "app/find/command_palette.h"
#include "app/handout/handout_exporter.h"
#include "app/lessons/cards_controller.h"
#include "app/lessons/lesson_controller.h"
#include "app/lessons/puzzle_controller.h"
#include "app/schedules/schedule_controller.h"
#include "app/timeline/timeline_controller.h"
#include "app/tune/advice_controller.h"
#include "app/tune/hand_costs_controller.h"
#include "app/tune/tune_controller.h"
#include "app/window/canvas_keys.h"
#include "app/window/closing.h"
#include "app/window/copy_notice.h"
#include "app/window/file_controller.h"
#include "app/window/first_steps.h"
#include "app/window/help_controller.h"
#include "app/window/kept_looks.h"
#include "app/window/look_actions.h"
#include "app/window/motion_action.h"
#include "app/window/notices.h"
#include "app/window/palette_entries.h"
#include "app/window/run_controller.h"
#include "app/window/side_dock.h"
#include "app/window/status_controller.h"
#include "widgets/bars/control_bar.h"
#include "widgets/bars/failure_bar.h"
#include "widgets/bars/status_line.h"
#include "widgets/controls/focus_ring.h"
#include "widgets/controls/long_tips.h"
#include "widgets/controls/tab_order.h"
#include "widgets/text/config_text.h"
#include "widgets/tune/improve_page.h"
#include "widgets/tune/improve_table.h"

namespace bscope::ui {
namespace {

QVBoxLayout* tightColumn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

// What a window manager puts around a window is not known before it is shown.
QSize firstSize(const QScreen& screen) {
    constexpr QSize kFrame(8, 40);
    const QSize usual(currentTheme().px(1440), currentTheme().px(900));
    return usual.boundedTo(screen.availableGeometry().size() - kFrame);
}

}  // namespace

MainWindow::MainWindow(const Preferences& preferences, const LessonBook& book)
    : preferences_(preferences), book_(book), appearance_(preferences, this) {
    setAcceptDrops(true);
    setMinimumSize(640, 400);
    setAnimated(false);  // clicks at random ended Qt 6.4 in the destructor of a dock's animation
    setWindowTitle(QStringLiteral("Bubblescope"));
    buildBars();
    buildViews();
    buildControllers();
    restoreLooks(preferences, state_, *timeline_);
    buildActions();
    connectParts();

    if (preferences.geometry.isEmpty() || !restoreGeometry(preferences.geometry))
        resize(firstSize(*screen()));
    side_->restore(preferences);
    setTheme(currentTheme());
    retranslate();
    QWidgetList order{controls_, failure_bar_, timeline_->searchBar()};
    order += timeline_->tabOrder();
    order += {improve_, lessons_->page(), side_->widget(), status_line_};
    order << first_steps_->callout();
    chainTabs(order);
    focusCanvas();
    if (!preferences.first_steps_shown) first_steps_->startOnce();
}

MainWindow::~MainWindow() {
    // They end before the parts that follow them.
    session_.disconnect();
    appearance_.disconnect();
}

void MainWindow::buildBars() {
    auto* head = new QWidget(this);
    auto* rows = tightColumn(head);
    menu_row_ = new QWidget(head);
    menu_row_->setObjectName(QStringLiteral("menuRow"));
    menu_row_->setAttribute(Qt::WA_StyledBackground);
    auto* menu_row = new QHBoxLayout(menu_row_);
    menu_row->setContentsMargins(0, 0, 0, 1);  // the rule
    menu_row->setSpacing(0);
    menu_bar_ = new QMenuBar(menu_row_);
    corner_ = new Label(TextRole::Soft, menu_row_);
    corner_->setElided(true);
    menu_row->addWidget(menu_bar_, 1);
    menu_row->addWidget(corner_);
    controls_ = new ControlBar(head);
    rows->addWidget(menu_row_);
    rows->addWidget(controls_);
    setMenuWidget(head);
    actions_ = new WindowActions(*menu_bar_);
    status_line_ = new StatusLine(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_line_, 1);
    statusBar()->setContentsMargins(0, 0, 0, 0);
}

void MainWindow::buildViews() {
    tune_ = new TuneController(session_, *this);
    advice_ = new AdviceController(session_, *this);
    improve_ = new ImprovePage(advice_->table(), tune_->page(), advice_->side(), tune_->side(), this);
    hand_costs_ = new HandCostsController(session_, *this);
    lessons_ = new LessonController(session_, book_, state_, *this);
    schedules_ = new ScheduleController(session_, state_, *this);
    connect(advice_, &AdviceController::orderTaken, schedules_,
            [this](const std::shared_ptr<const Schedule>& order) { schedules_->run(*order); });
    timeline_ = new TimelineController(session_, state_, *schedules_, *advice_, *hand_costs_, *this);

    auto* middle = new QWidget(this);
    auto* column = tightColumn(middle);
    failure_bar_ = new FailureBar(middle);
    failure_bar_->hide();
    pages_ = new QStackedWidget(middle);
    for (QWidget* page : QWidgetList{timeline_->page(), improve_, lessons_->page()}) pages_->addWidget(page);
    column->addWidget(failure_bar_);
    column->addWidget(timeline_->searchBar());
    column->addWidget(pages_, 1);
    setCentralWidget(middle);
    controls_->setPage(middle);
    brief_ = new BriefNotice(pages_);
    new LongTips(this);
    for (GanttView* canvas : pages_->findChildren<GanttView*>()) {
        new FocusRing(canvas);
        canvas->layTitleBeside(controls_->problemChip());
        brief_->addView(canvas);
    }

    brief_->addWords(pages_->findChild<ImproveTable*>()->footWords());

    side_ =
        new SideDock({timeline_->side(), improve_->side(), lessons_->side()}, *schedules_, appearance_, this);
    addDockWidget(Qt::RightDockWidgetArea, side_);
}

void MainWindow::buildControllers() {
    runs_ = new RunController(session_, *schedules_, *controls_, *this);
    runs_->setPlayedInstead([this] {
        IterationPlayer& player = timeline_->player();
        const bool plays = view_ == MainView::Timeline && player.active();
        if (plays) player.toggle();
        return plays;
    });
    notices_ = new Notices(session_, *failure_bar_);
    files_ = new FileController({session_, *schedules_, *lessons_, *notices_}, preferences_, *this);
    closing_ = new Closing({session_, *files_, *notices_, preferences_}, *this);
    status_ =
        new StatusController(session_, appearance_, {*timeline_, *tune_, *lessons_}, *this, *status_line_);
    canvas_keys_ = new CanvasKeys(*this, [this] { return canvas(); });
    help_ = new HelpController(*this);
    first_steps_ = new FirstSteps(session_, *timeline_, *controls_, *this);
    cards_ = new CardsController(session_, book_, *this,
                                 [this](const QString& text) { help_->openGlossary(text); });
    puzzle_ = new PuzzleController(session_, *schedules_, state_, *this,
                                   [this](const QString& text) { help_->openGlossary(text); });
    const auto placed = [this](LearningPlace::Page page, PracticePage* widget) {
        lessons_->side()->setPage(page, widget);
        new FocusRing(widget);
    };
    placed(LearningPlace::Page::Cards, cards_->cardsPage());
    placed(LearningPlace::Page::Quiz, cards_->quizPage());
    placed(LearningPlace::Page::Puzzle, puzzle_->page());
    using Step = InterviewHour::Step;
    connect(lessons_, &LessonController::cardsAsked, cards_, &CardsController::openCardsOf);
    connect(cards_, &CardsController::cardsClosed, this,
            [this] { lessons_->hour().leave(Step::Kind::Cards); });
    connect(cards_, &CardsController::quizClosed, this, [this] { lessons_->hour().leave(Step::Kind::Quiz); });
    connect(lessons_, &LessonController::quizAsked, cards_, &CardsController::openQuiz);
    connect(cards_, &CardsController::cardsOfFinished, this, [this] {
        lessons_->hour().finish(Step{Step::Kind::Cards, {}});
        showView(MainView::Lessons);  // where clock and next step are, from what the last card showed
    });
    cards_->setNext([this] { return lessons_->hour().nextName(); });
    connect(cards_, &CardsController::nextAsked, this, [this] { lessons_->hour().goOn(); });
    connect(cards_, &CardsController::quizFinished, this, [this] {
        lessons_->hour().finish(Step{Step::Kind::Quiz, {}});
    });
    gradients_ = new GradientController(session_, *this);
    new CopyNotice(*this);
}

void MainWindow::buildActions() {
    using enum MenuName;
    files_->addActions(*actions_);
    auto* figures = new FigureExporter(
        [this] { return view_ == MainView::Lessons ? lessons_->views() : timeline_->viewsToExport(); },
        [this](const IterationView& shown, const std::string& schedule) {
            return planBelow(session_, shown, schedule);
        },
        // A lesson's runs follow each other in one file, where their iterations have other numbers.
        [this] { return view_ == MainView::Lessons ? QString() : session_.keeper().path(); }, state_,
        *actions_, this);
    figures->setChoices(preferences_.figures, preferences_.exportFolder());
    controls_->setExportMenu(figures->menu());
    connect(&session_, &Session::stateChanged, figures,
            [this, figures, before = SessionState::Idle]() mutable {
                const SessionState now = session_.state();
                if (std::exchange(before, now) == SessionState::Pausing && now == SessionState::Paused)
                    figures->takePaused();
            });
    connect(figures, &FigureExporter::failed, this, [this](const QString& why) { say({why, {}, {}}); });
    connect(figures, &FigureExporter::written, this, [this](const QString& path) {
        preferences_.export_folder = QFileInfo(path).absolutePath();
        showBriefly(tr("Written: %1").arg(QFileInfo(path).fileName()));
    });
    connect(figures, &FigureExporter::chosen, this, [this, figures] {
        preferences_.figures = figures->choices();
        preferences_.save();
    });
    actions_->addSeparator(File);
    closing_->addActions(*actions_);
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Quit"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });
    runs_->addActions(*actions_);
    for (const MainView view : {MainView::Timeline, MainView::Improve, MainView::Lessons})
        actions_->addAll(View, {controls_->viewAction(view)});
    controls_->viewAction(MainView::Improve)->setProperty(kFurtherNames, namesOfImprove());
    actions_->addSeparator(View);
    timeline_->addLayerActions(*actions_);
    actions_->addSeparator(View);
    side_->addActions(*actions_, *controls_);
    projector_action_ =
        actions_->addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Projector"),
                               {QKeySequence(Qt::Key_F11)}, [this](bool on) { setProjector(on); });
    addAction(projector_action_);  // its key works while the menu is hidden
    new MotionAction(session_, preferences_, *actions_, this);
    controls_->iconWords().setLook(preferences_.icons);
    looks_ = new LookActions(appearance_, controls_->iconWords(), *actions_, *this);
    timeline_->addActions(*actions_);
    timeline_->addPlayActions(*actions_);
    actions_->add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Command palette…"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [this] { openPalette(); });
    actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Sweep"),
                  {QKeySequence(Qt::CTRL | Qt::Key_T)}, [this] {
                      improve_->setSection(ImprovePage::Section::Sweep);
                      showView(MainView::Improve);
                      tune_->startSweep();
                  });
    actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Costs by &hand…"),
                  {QKeySequence(Qt::CTRL | Qt::Key_H)}, [this] { hand_costs_->open(); });
    actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Check the &gradients…"),
                  {QKeySequence(Qt::CTRL | Qt::Key_G)}, [this] { gradients_->open(); });
    actions_->add(Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Interview cards"),
                  {QKeySequence(Qt::Key_I)}, [this] { cards_->openCards(); });
    actions_->add(Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Quiz"),
                  {QKeySequence(Qt::SHIFT | Qt::Key_I)}, [this] { cards_->openQuiz(); });
    actions_->add(Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Build your own schedule"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)}, [this] { puzzle_->open(); });
    actions_->addSeparator(Lessons);
    new HandoutExporter(*lessons_, book_, *actions_, *this);
    lessons_->addActions(*actions_);
    first_steps_->addActions(*actions_);
    help_->addActions(*actions_);
}

void MainWindow::connectParts() {
    connect(controls_, &ControlBar::viewChosen, this, &MainWindow::showView);
    connect(timeline_->legend(), &LegendBar::coloursClicked, &appearance_, &Appearance::nextScheme);
    connect(timeline_->welcome(), &WelcomeLine::openRecordingClicked, files_, &FileController::chooseFile);
    connect(timeline_, &TimelineController::notationChanged, tune_->page()->plot(), &TunePlot::setNotation);
    connect(&timeline_->baselines(), &BaselineController::openRequested, files_, &FileController::chooseFile);
    connect(timeline_->welcome(), &WelcomeLine::connectClicked, files_, &FileController::askForAddress);
    connect(timeline_->welcome(), &WelcomeLine::firstLessonClicked, this, [this] {
        showView(MainView::Lessons);
        lessons_->openFirst();
    });
    connect(lessons_, &LessonController::changeLanguage, &appearance_, &Appearance::changeLanguage);
    fit_presentation_.setSingleShot(true);
    fit_presentation_.setInterval(0);
    connect(&fit_presentation_, &QTimer::timeout, this, &MainWindow::fitPresentation);
    connect(lessons_, &LessonController::presentationChanged, this, &MainWindow::followPresentation);
    connect(lessons_, &LessonController::presentationLeft, this, [this] { setProjector(false); });
    connect(lessons_, &LessonController::tuneAsked, this,
            [this](const RunConfig& config, const SweepForm& form) {
                improve_->setSection(ImprovePage::Section::Sweep);
                showView(MainView::Improve);
                tune_->propose(config, form);
            });
    connect(lessons_, &LessonController::settingsTaken, controls_, &ControlBar::setLessonSettings);
    connect(improve_, &ImprovePage::sectionChosen, this, &MainWindow::enterImprove);
    connect(hand_costs_, &HandCostsController::covering, side_, &SideDock::setCovered);
    connect(&session_.sweeps(), &Sweeps::changed, advice_, [this] { advice_->setSwept(tune_->swept()); });
    for (const auto changed : {&ScheduleController::fileOpened, &ScheduleController::fileClosed}) {
        connect(schedules_, changed, runs_, &RunController::sync);
        connect(schedules_, changed, timeline_, &TimelineController::sync);
    }
    connect(first_steps_, &FirstSteps::shown, this, [this] {
        preferences_.first_steps_shown = true;
        preferences_.save();
    });
    connect(files_, &FileController::summaryChanged, this, [this] { corner_->setText(files_->summary()); });
}

void MainWindow::openScenario(const wire::Scenario& scenario, bool run_at_once) {
    files_->openScenario(scenario, run_at_once);
}

void MainWindow::startWhereOneWas(const wire::Scenario& scenario) {
    openScenario(scenario, false);
    const RunConfig config = preferences_.withLastRun(session_.wanted());
    if (session_.problemsOf(config).empty()) session_.edit(config);
    if (session_.problems().empty()) session_.run();
}

void MainWindow::keepRuns(const QString& folder) {
    closing_->keepRuns(folder);
}

void MainWindow::openFiles(const QStringList& paths) {
    files_->openFiles(paths);
}

void MainWindow::connectTo(const EngineAddress& address, bool keep_wanted) {
    session_.connectTo(address, keep_wanted);
}

void MainWindow::followTheme() {
    const Theme& theme = currentTheme();
    menu_bar_->setFont(theme.font(12));  // platforms have fonts of their own for menus
    for (QMenu* menu : findChildren<QMenu*>()) menu->setFont(theme.font(12));
    menu_row_->setMinimumHeight(theme.px(28));
    corner_->setContentsMargins(0, 0, theme.px(16), 0);
    statusBar()->setFixedHeight(theme.px(24));
    side_->arrange();
    followSize();
}

void MainWindow::retranslate() {
    actions_->retranslate();
    looks_->retranslate();
    lessons_->retranslate();
    schedules_->setLanguage(appearance_.language());
    notices_->retranslate();
    corner_->setText(files_->summary());
    runs_->sync();
    timeline_->retranslate();
    first_steps_->retranslate();
}

void MainWindow::setProjector(bool on) {
    appearance_.setProjector(on);
    projector_action_->setChecked(on);
    menu_row_->setVisible(!on);
    side_->arrange();
    lessons_->setPresenting(on);
    setWindowState(on ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
}

// A lesson in projector mode has the whole window, and the interface a size at which its runs fit, once
// everything has its place.
void MainWindow::followPresentation() {
    const bool on = lessons_->presents();
    controls_->setVisible(!on);
    statusBar()->setVisible(!on);
    side_->setPresenting(on);
    fit_presentation_.start();
}

void MainWindow::fitPresentation() {
    const bool on = lessons_->presents();
    centralWidget()->layout()->activate();
    appearance_.setProjectorScale(on ? lessons_->fittingScale(Appearance::kProjectorScales)
                                     : Appearance::kProjectorScales.front());
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    followSize();
}

void MainWindow::followSize() {
    side_->setRoom(width());
    schedules_->strip()->setRoom(height());
    if (lessons_->presents()) fit_presentation_.start();
    status_->sync();
}

// Keys of letters whose place on this keyboard holds another letter, Space and other keys that no widget
// used; the rest are shortcuts.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    for (QAction* action : {actions_->byPlace(*event), actions_->bySpace(*event)})
        if (action != nullptr && action->isEnabled()) return action->trigger();
    if (canvas_keys_->offer(*event)) return;
    QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    openFiles(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    storePreferences();
    event->setAccepted(closing_->mayClose());
}

void MainWindow::storePreferences() {
    preferences_.theme = appearance_.themeChoice();
    preferences_.scheme = appearance_.scheme();
    preferences_.scale = appearance_.scale();
    preferences_.language = appearance_.language();
    side_->store(preferences_);
    keepLooks(state_, *timeline_, preferences_);
    preferences_.icons = controls_->iconWords().look();
    if (!isFullScreen()) preferences_.geometry = saveGeometry();
    const RunConfig& own = lessons_->runner().own();
    if (session_.problemsOf(own).empty()) preferences_.rememberRun(own);
    preferences_.save();
}

}  // namespace bscope::ui
