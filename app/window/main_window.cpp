// MainWindow: layout and events; actions, files and what follows the session are in the files beside this
// one.
#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QStatusBar>
#include <QVBoxLayout>
#include <utility>

#include "app/export/figure_exporter.h"
#include "app/lessons/lesson_controller.h"
#include "app/schedules/schedule_controller.h"
#include "app/tune/tune_controller.h"
#include "app/tune/what_if_controller.h"
#include "app/window/canvas_keys.h"
#include "widgets/controls/focus_ring.h"
#include "widgets/controls/tab_order.h"

namespace bscope::ui {
namespace {

constexpr int kDockWidth = 284, kLessonWidth = 372, kScheduleWidth = 340;
constexpr int kScheduleSide = 3;  // page of the side; the others are those of the views
constexpr int kNarrow = 1100;     // below, at 100 %, the dock is a drawer

// A drop-down list, not the style's own menu, which takes no colours from a style sheet.
constexpr const char* kListPopups = "QComboBox { combobox-popup: 0; }";

QVBoxLayout* tightColumn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

}  // namespace

MainWindow::MainWindow(const Preferences& preferences, const LessonBook& book)
    : preferences_(preferences), book_(book), appearance_(preferences) {
    shown_scheme_ = appearance_.scheme();
    setAcceptDrops(true);
    setMinimumSize(640, 400);
    buildLayout();
    tune_ = new TuneController(session_, *this);
    what_if_ = new WhatIfController(session_, *this);
    lessons_ = new LessonController(session_, book_, state_, *this);
    pages_->addWidget(tune_->page());
    side_->addWidget(tune_->side());
    pages_->addWidget(lessons_->page());
    side_->addWidget(lessons_->side());
    schedules_ = new ScheduleController(session_, state_, *this);
    side_->addWidget(schedules_->panel());
    auto* column = static_cast<QVBoxLayout*>(pages_->widget(0)->layout());
    column->insertWidget(column->indexOf(legend_) + 1, schedules_->strip());
    for (GanttView* canvas : pages_->findChildren<GanttView*>()) new FocusRing(canvas);
    for (QScrollArea* part : side_->findChildren<QScrollArea*>()) new FocusRing(part);
    canvas_keys_ = new CanvasKeys(*this, [this]() -> GanttView* {
        if (view_ == MainView::Timeline) return gantt_;
        return view_ == MainView::Lessons ? lessons_->canvas() : nullptr;
    });
    buildActions();
    state_.setBubbleDefinition(preferences.of_ideal ? BubbleDefinition::OfIdeal : BubbleDefinition::OfTotal);
    state_.setCountFromZero(preferences.count_from_zero);
    connectSession();
    connectViews();
    connectImport();

    if (preferences.geometry.isEmpty() || !restoreGeometry(preferences.geometry))
        resize(appearance_.theme().px(1440), appearance_.theme().px(900));
    dock_action_->setChecked(preferences.dock);
    explain_action_->setChecked(preferences.schedule_panel);
    grid_action_->setChecked(preferences.step_grid);
    applyTheme();
    showSchedule();
    retranslate();
    syncConfig();
    syncState();
    syncBars();
    syncPicture();
    chainTabs({controls_, failure_bar_, search_bar_, gantt_, welcome_, pending_strip_, schedules_->strip(),
               strip_, tune_->page(), lessons_->page(), side_, status_});
    gantt_->setFocus();
}

MainWindow::~MainWindow() {
    disconnect(&session_, nullptr, this, nullptr);
    disconnect(&appearance_, nullptr, this, nullptr);
}

void MainWindow::buildLayout() {
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

    auto* middle = new QWidget(this);
    auto* column = tightColumn(middle);
    failure_bar_ = new FailureBar(middle);
    failure_bar_->hide();
    search_bar_ = new SearchBar(state_, middle);
    pages_ = new QStackedWidget(middle);
    pages_->addWidget(buildTimelinePage());
    column->addWidget(failure_bar_);
    column->addWidget(search_bar_);
    column->addWidget(pages_, 1);
    setCentralWidget(middle);
    brief_ = new BriefNotice(pages_);

    numbers_ = new NumbersDock(state_, this);
    side_ = new QStackedWidget(this);
    side_->addWidget(numbers_);
    dock_ = new QDockWidget(this);
    dock_->setObjectName(QStringLiteral("numbers"));
    dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock_->setTitleBarWidget(new QWidget(dock_));
    dock_->setWidget(side_);
    addDockWidget(Qt::RightDockWidgetArea, dock_);

    status_ = new StatusLine(this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(status_, 1);
    statusBar()->setContentsMargins(0, 0, 0, 0);
}

QWidget* MainWindow::buildTimelinePage() {
    auto* page = new QWidget(this);
    auto* column = tightColumn(page);
    gantt_ = new GanttView(state_, page);
    welcome_ = new WelcomeLine(page);
    pending_strip_ = new PendingStrip(page);
    legend_ = new LegendBar(state_, page);
    strip_ = new IterationStrip(page);
    column->addWidget(gantt_, 1);
    column->addWidget(welcome_);
    column->addWidget(pending_strip_);
    column->addWidget(legend_);
    column->addWidget(strip_);
    return page;
}

void MainWindow::showView(MainView view) {
    if (view_ == MainView::Lessons && view != MainView::Lessons) lessons_->leave();
    view_ = view;
    showSide();
    pages_->setCurrentIndex(static_cast<int>(view));
    controls_->setView(view);
    if (view == MainView::Lessons) lessons_->enter();
    if (view == MainView::Tune) tune_->enter();
    if (view == MainView::Timeline) gantt_->setFocus();
    syncConfig();
    syncStatus();
}

// The side is the view's own; beside the timeline stand the numbers or what there is to say of the schedule.
void MainWindow::showSide() {
    const bool timeline = view_ == MainView::Timeline;
    const bool schedule = timeline && explain_action_->isChecked();
    side_->setCurrentIndex(schedule ? kScheduleSide : static_cast<int>(view_));
    const int width = schedule ? kScheduleWidth : view_ == MainView::Lessons ? kLessonWidth : kDockWidth;
    dock_->setFixedWidth(appearance_.theme().px(width));
    const bool projector = timeline && appearance_.projector();
    dock_->setVisible(!projector && (!timeline || schedule || dock_action_->isChecked()));
    layout()->activate();  // at once, or the page is painted with the room it had beside another side
}

void MainWindow::showSchedule() {
    schedules_->setShown(explain_action_->isChecked(), grid_action_->isChecked());
    controls_->explainButton()->setChecked(explain_action_->isChecked());
    controls_->gridButton()->setChecked(grid_action_->isChecked());
    showSide();
}

// A file needs both; closing it leaves them as they were.
void MainWindow::openScheduleParts(bool for_file) {
    if (for_file && !parts_before_file_)
        parts_before_file_ = {explain_action_->isChecked(), grid_action_->isChecked()};
    const ScheduleParts parts =
        for_file ? ScheduleParts{true, true} : parts_before_file_.value_or(ScheduleParts{});
    if (!for_file) parts_before_file_.reset();
    explain_action_->setChecked(parts.panel);
    grid_action_->setChecked(parts.grid);
    showSchedule();
}

// The menu's mark and words; a change is said in a few words, too.
void MainWindow::nameColours(bool changed) {
    for (std::size_t i = 0; i < scheme_actions_.size(); ++i) {
        scheme_actions_[i]->setText(schemeName(kColourSchemes[i]));
        scheme_actions_[i]->setChecked(kColourSchemes[i] == appearance_.scheme());
    }
    if (changed)
        brief_->say(tr("Colours: %1; by operation, a rank's chunks by their shade")
                        .arg(schemeName(appearance_.scheme())));
}

void MainWindow::applyTheme() {
    const Theme& theme = appearance_.theme();
    nameColours(theme.scheme != std::exchange(shown_scheme_, theme.scheme));
    QApplication::setFont(theme.font(12));  // dialogs, menus and tips, too
    setStyleSheet(chromeStyleSheet(theme) + QLatin1String(kListPopups));
    menu_bar_->setFont(theme.font(12));  // platforms have fonts of their own for menus
    for (QMenu* menu : findChildren<QMenu*>()) menu->setFont(theme.font(12));
    gantt_->setTheme(theme);
    legend_->setTheme(theme);
    for (Themed* part : std::initializer_list<Themed*>{controls_, failure_bar_, search_bar_, welcome_,
                                                       pending_strip_, strip_, numbers_, status_, brief_})
        part->setTheme(theme);
    tune_->setTheme(theme);
    what_if_->setTheme(theme);
    lessons_->setTheme(theme);
    schedules_->setTheme(theme);
    for (FocusRing* ring : findChildren<FocusRing*>()) ring->setTheme(theme);
    menu_row_->setMinimumHeight(theme.px(28));
    corner_->setTheme(theme);
    corner_->setContentsMargins(0, 0, theme.px(16), 0);
    statusBar()->setFixedHeight(theme.px(24));
    showSide();
    followWidth();
    schedules_->strip()->setRoom(height());
    syncStatus();
}

void MainWindow::setProjector(bool on) {
    appearance_.setProjector(on);
    projector_action_->setChecked(on);
    menu_row_->setVisible(!on);
    showSide();
    setWindowState(on ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    followWidth();
    schedules_->strip()->setRoom(height());
    syncStatus();
}

// In a narrow window the dock is a drawer: closed when it becomes narrow, and as it was when there is room
// again.
void MainWindow::followWidth() {
    const bool narrow = width() < appearance_.theme().px(kNarrow);
    if (narrow == narrow_) return;
    narrow_ = narrow;
    if (narrow) docks_when_wide_ = {dock_action_->isChecked(), explain_action_->isChecked()};
    dock_action_->setChecked(!narrow && docks_when_wide_.numbers);
    explain_action_->setChecked(!narrow && docks_when_wide_.schedule);
    showSchedule();
}

// Keys of letters whose place on this keyboard holds another letter, and what nobody wanted; the rest are
// shortcuts.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (QAction* action = actions_->byPlace(*event); action && action->isEnabled()) return action->trigger();
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
    savePreferences();
    event->accept();
}

void MainWindow::savePreferences() {
    preferences_.theme = appearance_.themeChoice();
    preferences_.scheme = appearance_.scheme();
    preferences_.scale = appearance_.scale();
    preferences_.language = appearance_.language();
    preferences_.dock = narrow_ ? docks_when_wide_.numbers : dock_action_->isChecked();
    const ScheduleParts parts =
        parts_before_file_.value_or(ScheduleParts{explain_action_->isChecked(), grid_action_->isChecked()});
    preferences_.schedule_panel = narrow_ ? docks_when_wide_.schedule : parts.panel;
    preferences_.step_grid = parts.grid;
    preferences_.of_ideal = state_.bubbleDefinition() == BubbleDefinition::OfIdeal;
    preferences_.count_from_zero = state_.countFromZero();
    if (!isFullScreen()) preferences_.geometry = saveGeometry();
    preferences_.save();
}

}  // namespace bscope::ui
