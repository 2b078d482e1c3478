// LessonController: the Lessons view: a list, then one lesson in four steps over the pictures of its runs.
// Sets the controls to the lesson's runs, hides numbers until the guess is made, fills the texts with the
// numbers of the runs just made, and gives the settings back on leaving. Window thread only.
#pragma once

#include <QObject>
#include <QStackedWidget>

#include "app/actions/window_actions.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_runner.h"
#include "app/shell/shell.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/legend_bar.h"
#include "widgets/lessons/lesson_panel.h"

namespace bscope::ui {

class LessonController : public QObject {
    Q_OBJECT
public:
    // timeline: what the user chose for the timeline, which the lessons' pictures follow.
    LessonController(Session& session, const LessonBook& book, const ViewState& timeline, Shell& shell);

    QWidget* page() const { return page_; }
    QWidget* side() const { return side_; }
    void addActions(WindowActions& actions);
    void retranslate();

    void enter();                               // the view was chosen: the list, or the lesson that is open
    void open(const wire::Scenario& scenario);  // has a lesson
    void openFirst();
    void leave();                              // another view was chosen
    std::vector<IterationView> views() const;  // on the canvas
    QString statusNote() const;

    GanttView* canvas() const { return gantt_; }
    LessonPanel& panel() { return *panel_; }
    LessonList& list() { return *list_; }
    ViewState& viewState() { return state_; }
    LessonRunner& runner() { return runner_; }

signals:
    void settingsTaken(bool taken);  // the configuration is the lesson's, or the user's again

private:
    void openAt(int index);
    void runTry(int index);
    std::optional<RunConfig> legalConfig(const wire::LessonRun& run);
    void showSession();  // what runs: while no lesson is open, or after its runs
    void showStep();
    void showRuns();
    void showTexts();
    void showList();
    int number() const;  // of the open lesson, from 1; 0 = not in the book
    LessonData data() const;
    bool claimsHold(const LessonRuns& runs) const;
    std::optional<LessonComparison> comparison() const;

    Session& session_;
    const LessonBook& book_;
    Shell& shell_;
    LessonRunner runner_;
    std::optional<wire::Scenario> open_;
    std::vector<RunConfig> lesson_configs_;
    std::vector<std::optional<IterationView>> lesson_runs_;  // kept while a try-next run is shown
    bool trying_ = false;
    QStringList done_;

    ViewState state_;
    QWidget* page_;
    GanttView* gantt_;
    LegendBar* legend_;
    QStackedWidget* side_;
    LessonList* list_;
    LessonPanel* panel_;
    std::vector<QAction*> actions_;
};

}  // namespace bscope::ui
