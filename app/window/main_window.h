// MainWindow: puts the session and the views together: fixed layout, menus, what follows what. It holds no
// state of the run; whatever it shows it asks the session for. Window thread only.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QStackedWidget>

#include "app/actions/window_actions.h"
#include "app/find/search_bar.h"
#include "app/import/import_job.h"
#include "app/lessons/lesson_book.h"
#include "app/session/session.h"
#include "app/settings/appearance.h"
#include "app/shell/shell.h"
#include "app/window/baseline.h"
#include "widgets/bars/control_bar.h"
#include "widgets/bars/failure_bar.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/bars/pending_strip.h"
#include "widgets/bars/status_line.h"
#include "widgets/bars/welcome_line.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/legend_bar.h"

namespace bscope::ui {

class CanvasKeys;
class FigureExporter;
class LessonController;
class ScheduleController;
class TuneController;
class WhatIfController;

class MainWindow : public QMainWindow, public Shell {
    Q_OBJECT
public:
    MainWindow(const Preferences& preferences, const LessonBook& book);
    ~MainWindow() override;

    // What the program was started for; each shows its trouble in the window.
    void openScenario(const wire::Scenario& scenario, bool run_at_once);
    void openFile(const QString& path);        // a recording, a scenario, a schedule, or a run to import
    void openFiles(const QStringList& paths);  // several are one run of another program
    void connectTo(const EngineAddress& address, bool keep_wanted) {
        session_.connectTo(address, keep_wanted);
    }

    Session& session() { return session_; }
    ViewState& viewState() { return state_; }
    Appearance& appearance() { return appearance_; }
    ControlBar& controls() { return *controls_; }
    GanttView& gantt() { return *gantt_; }
    NumbersDock& numbers() { return *numbers_; }
    PendingStrip& pendingStrip() { return *pending_strip_; }
    IterationStrip& strip() { return *strip_; }
    FailureBar& failureBar() { return *failure_bar_; }
    SearchBar& searchBar() { return *search_bar_; }
    BriefNotice& briefNotice() { return *brief_; }
    StatusLine& statusLine() { return *status_; }
    WindowActions& actions() { return *actions_; }
    LessonController& lessons() { return *lessons_; }
    TuneController& tune() { return *tune_; }
    WhatIfController& whatIfs() { return *what_if_; }
    ImportJob& imports() { return import_; }
    ScheduleController& schedules() { return *schedules_; }
    FigureExporter& figures() { return *figures_; }
    QString whyNot(const QAction& action) const;  // is it not possible now; "" = it is
    MainView view() const { return view_; }
    QWidget* widget() override { return this; }
    Language language() const override { return appearance_.language(); }
    void showView(MainView view) override;
    void say(const Notice& notice) override;
    void sayRefused(const wire::Text& title, const std::vector<Problem>& problems) override;
    void focusCanvas() override { gantt_->setFocus(); }
    void revealSelection() override { gantt_->revealSelection(); }
    void runShown();  // starts what the canvas shows, or goes on with it

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildLayout();
    QWidget* buildTimelinePage();
    void buildActions();
    void buildFileActions();
    void buildRunActions();
    // A submenu of the values of one field of the configuration.
    template <class Value>
    void addChoices(const char* title, Value RunConfig::*member,
                    std::initializer_list<std::pair<const char*, Value>> choices);
    void buildViewActions();
    void buildGoActions();
    void buildHelpActions();
    void addConditions();
    void connectSession();
    void connectViews();

    void syncPicture();
    void syncConfig();
    void syncState();
    void syncNotation();
    void syncBars();
    void syncStatus();
    void syncFailure();
    QString titleNotice() const;
    QString boundaryNote() const;
    std::vector<GanttView::TitleChip> titleChips() const;
    void chipClicked(const QString& id);
    void applyTheme();
    void nameColours(bool changed);
    void retranslate();
    void setProjector(bool on);
    void showSide();
    void followWidth();
    void showSchedule();
    void openScheduleParts(bool for_file);
    void refillRecentFiles();

    void chooseFile();
    void chooseFolder();
    void importRun(const QStringList& paths);
    void connectImport();
    void toggleRecording();
    void toggleRun();
    std::optional<PendingChange> announcedPending() const;
    void chooseState(bool save);
    void askForAddress();
    void goTo(const SearchHit& hit);
    void openPalette();
    void toggleBaseline();
    void swapBaseline();
    std::vector<IterationView> viewsToExport() const;
    void savePreferences();

    static const char *const kPin, *const kUnpin;  // what N does next

    ColourScheme shown_scheme_ = ColourScheme::Bubblescope;
    Preferences preferences_;
    const LessonBook& book_;
    Appearance appearance_;
    Session session_;
    ImportJob import_{this};
    ViewState state_;
    MainView view_ = MainView::Timeline;
    Notation notation_;     // of the strips
    QString told_trouble_;  // what the bar says of a state that lasts
    wire::Text source_;     // name of the scenario or file, for the corner
    Baseline baseline_;
    struct ScheduleParts {
        bool panel = false, grid = false;
    };
    bool narrow_ = false;
    struct {
        bool numbers = true, schedule = false;
    } docks_when_wide_;
    std::optional<ScheduleParts> parts_before_file_;  // while a schedule file is open

    QWidget* menu_row_;
    QMenuBar* menu_bar_;
    Label* corner_;  // what is open, and whether it is recorded
    WindowActions* actions_;
    ControlBar* controls_;
    FailureBar* failure_bar_;
    SearchBar* search_bar_;
    QStackedWidget *pages_, *side_;
    GanttView* gantt_;
    LegendBar* legend_;
    WelcomeLine* welcome_;
    PendingStrip* pending_strip_;
    IterationStrip* strip_;
    QDockWidget* dock_;
    NumbersDock* numbers_;
    StatusLine* status_;
    BriefNotice* brief_;
    TuneController* tune_ = nullptr;
    WhatIfController* what_if_ = nullptr;
    ScheduleController* schedules_ = nullptr;
    LessonController* lessons_ = nullptr;
    FigureExporter* figures_ = nullptr;
    CanvasKeys* canvas_keys_ = nullptr;
    QAction *record_action_ = nullptr, *dock_action_ = nullptr, *projector_action_ = nullptr,
            *explain_action_ = nullptr, *grid_action_ = nullptr, *baseline_action_ = nullptr;
    std::vector<QAction*> scheme_actions_;  // one a ColourScheme
    QAction *leave_recording_action_ = nullptr, *replay_step_action_ = nullptr, *step_action_ = nullptr,
            *undo_action_ = nullptr, *default_action_ = nullptr, *swap_action_ = nullptr,
            *copy_selected_action_ = nullptr, *difference_action_ = nullptr;
    QMenu* recent_menu_ = nullptr;
};

}  // namespace bscope::ui
