// MainWindow: every action with its key, by menu.
#include <QActionGroup>

#include "app/export/figure_exporter.h"
#include "app/find/command_palette.h"
#include "app/lessons/lesson_controller.h"
#include "app/tune/tune_controller.h"
#include "app/tune/what_if_controller.h"
#include "app/window/main_window.h"
#include "widgets/help/glossary_dialog.h"
#include "widgets/help/help_dialog.h"

namespace bscope::ui {

void MainWindow::buildActions() {
    buildFileActions();
    buildRunActions();
    buildViewActions();
    buildGoActions();
    lessons_->addActions(*actions_);
    buildHelpActions();
    addConditions();
}

QString MainWindow::whyNot(const QAction& action) const {
    const QString of_canvas = gantt_->commands().whyNot(action);
    return of_canvas.isEmpty() ? actions_->whyNot(action) : of_canvas;
}

// Of actions that would do nothing.
void MainWindow::addConditions() {
    const auto when = [this](QAction* action, auto possible, const char* why_not) {
        actions_->setCondition(action, [=] { return possible() ? QString() : tr(why_not); });
    };
    const auto replays = [this] { return session_.state() == SessionState::Replaying; };
    const auto can_change = [=] { return !replays(); };
    const char* const no_recording = QT_TR_NOOP("no recording is open");
    const char* const is_recording = QT_TR_NOOP("a recording cannot be changed");
    when(
        difference_action_,
        [this] {
            const auto import = session_.shown().import;
            return import && import->first_difference;
        },
        QT_TR_NOOP("the order is a schedule of the catalog, or nothing is imported"));
    when(leave_recording_action_, replays, no_recording);
    when(replay_step_action_, replays, no_recording);
    when(record_action_, can_change, QT_TR_NOOP("what is replayed is a recording"));
    when(default_action_, can_change, is_recording);
    when(
        step_action_, [this] { return controls_->stepButton()->isEnabled(); },
        QT_TR_NOOP("pause first: it runs"));
    when(
        undo_action_, [this] { return session_.pending().has_value(); }, QT_TR_NOOP("no change is pending"));
    when(
        baseline_action_,
        [this] { return baseline_.pinned() || (session_.numbers() && session_.numbers()->report); },
        QT_TR_NOOP("no iteration is complete yet"));
    when(
        swap_action_, [this] { return baseline_.pinned().has_value(); },
        QT_TR_NOOP("no baseline is pinned (N)"));
    when(
        copy_selected_action_, [this] { return state_.selection() || state_.gap(); },
        QT_TR_NOOP("nothing is selected"));
}

void MainWindow::buildFileActions() {
    using enum MenuName;
    actions_->add(
        File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Open recording, scenario, schedule or trace…"),
        {QKeySequence(Qt::CTRL | Qt::Key_O)}, [this] { chooseFile(); });
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Import the run in a folder…"),
                  {QKeySequence(Qt::CTRL | Qt::Key_I)}, [this] { chooseFolder(); });
    recent_menu_ = actions_->addSubmenu(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Open &recent"));
    connect(recent_menu_, &QMenu::aboutToShow, this, &MainWindow::refillRecentFiles);
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Connect to an engine…"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] { askForAddress(); });
    leave_recording_action_ =
        actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Leave the recording"),
                      {QKeySequence(Qt::CTRL | Qt::Key_W)}, [this] { session_.closeRecording(); });
    actions_->addSeparator(File);
    record_action_ =
        actions_->addCheckable(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Record to a file…"),
                               {QKeySequence(Qt::CTRL | Qt::Key_R)}, [this](bool) { toggleRecording(); });
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Save weights and optimizer…"),
                  {QKeySequence(Qt::CTRL | Qt::Key_S)}, [this] { chooseState(true); });
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Load &weights and optimizer…"), {},
                  [this] { chooseState(false); });
    figures_ = new FigureExporter([this] { return viewsToExport(); }, state_, *actions_, this);
    figures_->setFolder(preferences_.folder);
    controls_->setExportMenu(figures_->menu());
    actions_->addSeparator(File);
    actions_->add(File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Quit"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });
}

void MainWindow::buildRunActions() {
    using enum MenuName;
    actions_->add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Run or pause"),
                  {QKeySequence(Qt::Key_F5), QKeySequence(Qt::Key_P)}, [this] { toggleRun(); });
    step_action_ = actions_->add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&One iteration"),
                                 {QKeySequence(Qt::Key_F6)}, [this] { session_.step(); });
    replay_step_action_ =
        actions_->add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One operation on (recording)"),
                      {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] { session_.stepReplayOperation(); });
    actions_->addSeparator(Run);
    undo_action_ =
        actions_->add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Undo the pending change"),
                      {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [this] { session_.undoPending(); });
    default_action_ = actions_->add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Default settings"),
                                    {}, [this] { session_.edit(RunConfig{}); });
    actions_->addSeparator(Run);
    addChoices(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "De&vice"), &RunConfig::device,
        {{QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on the CPU"), DeviceChoice::Cpu},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on GPUs (CUDA)"), DeviceChoice::Cuda},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on GPUs when there are any (auto)"),
          DeviceChoice::Auto}});
    addChoices(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Number &type"), &RunConfig::dtype,
        {{QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute in fp32"), Dtype::Fp32},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute in bf16 (GPUs only)"), Dtype::Bf16}});
}

template <class Value>
void MainWindow::addChoices(const char* title, Value RunConfig::*member,
                            std::initializer_list<std::pair<const char*, Value>> choices) {
    QMenu* menu = actions_->addSubmenu(MenuName::Run, title);
    auto* group = new QActionGroup(this);
    for (const auto& choice : choices) {
        const Value value = choice.second;  // Clang 14 captures no structured binding
        QAction* action = actions_->make(
            choice.first,
            [this, member, value] {
                RunConfig config = session_.wanted();
                config.*member = value;
                session_.edit(config);
            },
            true);
        const auto follow = [this, action, member, value] {
            action->setChecked(session_.wanted().*member == value);
        };
        connect(&session_, &Session::configChanged, action, follow);
        follow();
        group->addAction(action);
        menu->addAction(action);
    }
}

void MainWindow::buildViewActions() {
    using enum MenuName;
    for (const MainView view : {MainView::Timeline, MainView::Tune, MainView::Lessons})
        actions_->addAll(View, {controls_->viewAction(view)});
    actions_->addSeparator(View);
    actions_->addAll(View, gantt_->commands().actions(Commands::Group::Show));
    QAction* from_zero = actions_->addCheckable(
        View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Count micro-batches from 0"), {},
        [this](bool on) { state_.setCountFromZero(on); });
    from_zero->setChecked(preferences_.count_from_zero);
    actions_->addSeparator(View);
    dock_action_ = actions_->addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Numbers"),
                                          {QKeySequence(Qt::Key_Q)}, [this](bool) {
                                              explain_action_->setChecked(false);
                                              showSchedule();
                                          });
    explain_action_ =
        actions_->addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&About the schedule"),
                               {QKeySequence(Qt::Key_E)}, [this](bool) { showSchedule(); });
    grid_action_ =
        actions_->addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Step-by-rank &grid"),
                               {QKeySequence(Qt::Key_G)}, [this](bool) { showSchedule(); });
    projector_action_ =
        actions_->addCheckable(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Projector"),
                               {QKeySequence(Qt::Key_F11)}, [this](bool on) { setProjector(on); });
    addAction(projector_action_);  // its key works while the menu is hidden

    QMenu* themes = actions_->addSubmenu(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Theme"));
    auto* theme_group = new QActionGroup(this);
    const auto theme = [&](const char* text, ThemeChoice choice) {
        QAction* action = actions_->make(
            text, [this, choice] { appearance_.setThemeChoice(choice); }, true);
        action->setChecked(appearance_.themeChoice() == choice);
        theme_group->addAction(action);
        themes->addAction(action);
    };
    theme(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "As the system"), ThemeChoice::System);
    theme(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Light"), ThemeChoice::Light);
    theme(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Dark"), ThemeChoice::Dark);
    QMenu* colours = actions_->addSubmenu(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Colours"));
    auto* colour_group = new QActionGroup(this);
    for (const ColourScheme scheme : kColourSchemes) {
        QAction* action = colours->addAction(QString());
        action->setCheckable(true);
        nameForPalette(*action, "Canvas", schemeSource(scheme));
        connect(action, &QAction::triggered, this, [this, scheme] { appearance_.setScheme(scheme); });
        colour_group->addAction(action);
        scheme_actions_.push_back(action);
    }
    actions_->add(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Next &colours"),
                  {QKeySequence(Qt::Key_C)}, [this] { appearance_.nextScheme(); });
    actions_->addSeparator(View);
    actions_->add(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Larger interface"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)},
                  [this] { appearance_.zoomInterface(+1); });
    actions_->add(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Smaller interface"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Minus)}, [this] { appearance_.zoomInterface(-1); });
    actions_->add(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Interface at 100 %"),
                  {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { appearance_.zoomInterface(0); });
    QMenu* languages =
        actions_->addSubmenu(View, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Language (语言)"));
    const auto language = [&](const QString& name, Language choice) {
        connect(languages->addAction(name), &QAction::triggered, this,
                [this, choice] { appearance_.setLanguage(choice); });
    };
    language(QStringLiteral("English"), Language::English);
    language(QStringLiteral("简体中文"), Language::Chinese);
}

void MainWindow::buildGoActions() {
    using enum MenuName;
    actions_->addAll(Go, gantt_->commands().actions(Commands::Group::Navigate));
    actions_->addSeparator(Go);
    actions_->add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Iteration &before"),
                  {QKeySequence(Qt::Key_J)}, [this] { session_.selectNeighbour(-1); });
    actions_->add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Iteration &after"),
                  {QKeySequence(Qt::Key_K)}, [this] { session_.selectNeighbour(+1); });
    actions_->addSeparator(Go);
    difference_action_ = actions_->add(
        Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Difference from the nearest schedule"), {},
        [this] {
            showView(MainView::Timeline);
            if (!grid_action_->isChecked()) grid_action_->trigger();
            schedules_->jumpToDifference();
        });
    actions_->add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Find…"),
                  {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::Key_Slash)}, [this] {
                      showView(MainView::Timeline);
                      search_bar_->open();
                  });
    actions_->add(Go, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Command palette…"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}, [this] { openPalette(); });

    actions_->addAll(Analyze, gantt_->commands().actions(Commands::Group::Select));
    copy_selected_action_ =
        actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Copy what is selected"),
                      {QKeySequence(Qt::CTRL | Qt::Key_C)}, [this] { numbers_->detail().copy(); });
    actions_->addSeparator(Analyze);
    QAction* ideal = actions_->addCheckable(
        Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Bubble relative to &ideal"), {},
        [this](bool on) {
            state_.setBubbleDefinition(on ? BubbleDefinition::OfIdeal : BubbleDefinition::OfTotal);
        });
    connect(&state_, &ViewState::presentationChanged, ideal,
            [this, ideal] { ideal->setChecked(state_.bubbleDefinition() == BubbleDefinition::OfIdeal); });
    baseline_action_ = actions_->add(Analyze, kPin, {QKeySequence(Qt::Key_N)}, [this] { toggleBaseline(); });
    swap_action_ =
        actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Swap with the baseline"),
                      {QKeySequence(Qt::Key_X)}, [this] { swapBaseline(); });
    actions_->addSeparator(Analyze);
    actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Sweep m"),
                  {QKeySequence(Qt::CTRL | Qt::Key_T)}, [this] {
                      showView(MainView::Tune);
                      tune_->startSweep();
                  });
    actions_->add(Analyze, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&What if…"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)}, [this] {
                      showView(MainView::Timeline);
                      what_if_->open(appearance_.theme());
                  });
}

void MainWindow::buildHelpActions() {
    using enum MenuName;
    actions_->add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Keys and mouse"),
                  {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)}, [this] {
                      auto* help = new HelpDialog(this);
                      help->setTheme(appearance_.theme());
                      help->setAttribute(Qt::WA_DeleteOnClose);
                      help->open();
                  });
    actions_->add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Glossary"),
                  {QKeySequence(Qt::SHIFT | Qt::Key_F1)}, [this] {
                      auto* glossary = new GlossaryDialog(this);
                      glossary->setTheme(appearance_.theme());
                      glossary->setAttribute(Qt::WA_DeleteOnClose);
                      glossary->open();
                  });
    actions_->add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&About Bubblescope"), {}, [this] {
        say({tr("Bubblescope %1: a real pipeline, live.").arg(QStringLiteral(BUBBLESCOPE_VERSION)),
             tr("Free software under the GNU General Public License, version 3 or later."),
             {}});
    });
}

}  // namespace bscope::ui
