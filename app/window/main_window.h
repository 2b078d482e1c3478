// MainWindow: layout, and which view is shown. Content and behaviour belong to the controllers, which use
// this window as a Shell. Window thread only.
#pragma once

#include <QMainWindow>
#include <QMenuBar>
#include <QStackedWidget>
#include <QTimer>

#include "app/lessons/lesson_book.h"
#include "app/session/session.h"
#include "app/settings/appearance.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/controls/brief_notice.h"
#include "widgets/controls/label.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class CanvasKeys;
class CardsController;
class Closing;
class ControlBar;
class FailureBar;
class FileController;
class FirstSteps;
class GradientController;
class HandCostsController;
class HelpController;
class ImprovePage;
class LessonController;
class LookActions;
class Notices;
class PuzzleController;
class RunController;
class ScheduleController;
class SideDock;
class StatusController;
class StatusLine;
class TimelineController;
class TuneController;
class AdviceController;

class MainWindow : public QMainWindow, public Shell, public Themed {
    Q_OBJECT
public:
    MainWindow(const Preferences& preferences, const LessonBook& book);
    ~MainWindow() override;

    // What the program was started for; each shows its trouble in the window.
    void openScenario(const wire::Scenario& scenario, bool run_at_once);
    // The scenario with the schedule and sizes that were chosen last, where they are legal; it runs.
    void startWhereOneWas(const wire::Scenario& scenario);
    // A file of every run, so that none is lost; see Closing.
    void keepRuns(const QString& folder);
    void openFiles(const QStringList& paths);
    void connectTo(const EngineAddress& address, bool keep_wanted);

    QWidget* widget() override { return this; }
    Language language() const override { return appearance_.language(); }
    MainView view() const override { return view_; }
    void showView(MainView view) override;
    void say(const Notice& notice) override;
    void showBriefly(const QString& text) override { brief_->say(text); }
    void showRefusal(const wire::Text& title, const std::vector<Problem>& problems) override;
    void showMe(const QString& what) override;
    void focusCanvas() override;
    void revealSelection() override;
    void followTheme() override;

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBars();
    void buildViews();
    void buildControllers();
    void buildActions();
    void connectParts();
    GanttView* canvas() const;  // of the view; nullptr: it has none
    void openPalette();
    void enterImprove();
    void retranslate();
    void setProjector(bool on);
    void storePreferences();
    void followPresentation();
    void fitPresentation();
    void followSize();

    Preferences preferences_;
    const LessonBook& book_;
    Appearance appearance_;
    Session session_{this};
    ViewState state_;
    MainView view_ = MainView::Timeline;
    QTimer fit_presentation_;

    QWidget* menu_row_;
    QMenuBar* menu_bar_;
    Label* corner_;  // what is open, and whether it is recorded
    WindowActions* actions_;
    ControlBar* controls_;
    FailureBar* failure_bar_;
    QStackedWidget* pages_;
    StatusLine* status_line_;
    BriefNotice* brief_;
    SideDock* side_;

    TuneController* tune_;
    ImprovePage* improve_;
    AdviceController* advice_;
    HandCostsController* hand_costs_;
    LessonController* lessons_;
    ScheduleController* schedules_;
    TimelineController* timeline_;
    RunController* runs_;
    Notices* notices_;
    FileController* files_;
    Closing* closing_;
    StatusController* status_;
    HelpController* help_;
    FirstSteps* first_steps_;
    CardsController* cards_;
    PuzzleController* puzzle_;
    GradientController* gradients_;
    LookActions* looks_ = nullptr;
    CanvasKeys* canvas_keys_;
    QAction* projector_action_ = nullptr;
};

}  // namespace bscope::ui
