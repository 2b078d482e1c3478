// LessonController: the Lessons view: a list, then one lesson in four steps over the pictures of its runs.
// Until the guess is made the views of covered runs hold nothing, so that nothing of them can be seen. Fills
// the texts with the numbers of the runs just made, and gives the settings back on leaving. Window thread
// only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <map>

#include "app/lessons/interview_hour.h"
#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_marks.h"
#include "app/lessons/lesson_progress.h"
#include "app/lessons/lesson_runner.h"
#include "app/lessons/reveal_animation.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/legend_bar.h"
#include "widgets/lessons/learning_place.h"
#include "widgets/lessons/lesson_panel.h"
#include "widgets/lessons/presented_lesson.h"
#include "widgets/schedule/step_grid.h"
#include "widgets/tune/sweep_model.h"

namespace bscope::ui {

class LessonController : public QObject {
    Q_OBJECT
public:
    // timeline: what the user chose for the timeline, which the lessons' pictures follow. Whether the run is
    // followed is chosen in either.
    LessonController(Session& session, const LessonBook& book, ViewState& timeline, Shell& shell);

    QWidget* page() const { return page_; }
    LearningPlace* side() const { return side_; }
    InterviewHour& hour() { return hour_; }
    void addActions(WindowActions& actions);
    void retranslate();

    void enter();                               // the view was chosen: the list, or the lesson that is open
    void open(const wire::Scenario& scenario);  // has a lesson
    void openFirst();
    void leave();                              // another view was chosen
    std::vector<IterationView> views() const;  // on the canvas
    const wire::Scenario* opened() const { return open_ ? &*open_ : nullptr; }
    // Of the lesson itself, not of its tries; null until all are made.
    const LessonRunner::Made* lessonRuns() const { return lesson_runs_ ? &*lesson_runs_ : nullptr; }
    LessonRuns numbersMade() const { return numbers(); }  // of its runs and of the tries that were made
    std::vector<IterationView> viewsOf(const LessonRunner::Made& made) const { return runner_.viewsOf(made); }
    // For a class: while a lesson is open its page has the whole window, with large words below the pictures.
    void setPresenting(bool on);
    bool presents() const { return presenting_ && open_.has_value(); }
    // The greatest of the given scales of the interface at which all lanes are in sight, else the least.
    double fittingScale(const std::vector<double>& scales) const;
    QString statusNote() const;

    GanttView* canvas() const { return gantt_; }
    StepGrid* table() const { return table_; }
    LessonPanel& panel() { return *panel_; }
    LessonList& list() { return *list_; }
    ViewState& viewState() { return state_; }
    PresentedLesson& presented() { return *presented_; }
    LessonRunner& runner() { return runner_; }
    RevealAnimation& opening() { return opening_; }

signals:
    void presentationChanged();  // presents(), or what has to fit
    void presentationLeft();     // asked for by a key
    // The configuration is the lesson's, whose first run is shown; nullopt: it is the user's again.
    // Steps of the interview hour that are no lessons.
    void cardsAsked(const std::vector<std::string>& ids);
    void quizAsked();
    void changeLanguage();  // asked for by a key
    void settingsTaken(const std::optional<bscope::RunConfig>& first);
    // The lesson's sweep, of its first run's configuration.
    void tuneAsked(const bscope::RunConfig& config, const bscope::ui::SweepForm& form);

private:
    void openAt(int index);
    void start();
    void runTry(int index);
    std::optional<LessonCourse> courseOf(const google::protobuf::RepeatedPtrField<wire::LessonRun>& runs);
    void showSession();  // what runs: while no lesson is open, or after its runs
    void showStep();
    void moveCurtain();
    void showRuns();
    void showPictures();
    void showTable();
    void showTexts();
    void showList();
    void keepGuess();
    LessonMarks::Marks marksNow() const;
    void nextMark();
    void lightFirst();
    void forgetMark();
    void showMark();
    void takeFocus();
    void followPresentation();
    void followHour();
    void takeStep(const InterviewHour::Step& step);
    bool isRevealed() const { return !walk_.numbersHidden(); }
    LessonRuns numbers() const;
    LessonData data() const;

    Session& session_;
    const LessonBook& book_;
    Shell& shell_;
    LessonRunner runner_;
    RevealAnimation opening_;
    bool was_revealed_ = false;
    LessonProgress progress_;
    InterviewHour hour_;
    std::optional<wire::Scenario> open_;
    std::optional<LessonRunner::Made> lesson_runs_;  // kept while tries are made and shown
    std::map<int, LessonRuns> try_numbers_;          // by set
    int trying_ = -1;                                // the set of tries on the canvas
    QElapsedTimer since_open_;
    bool guess_kept_ = false;
    bool presenting_ = false;
    std::optional<bool> memory_before_;  // a presentation: whether the curves were drawn
    std::vector<std::size_t> to_fit_;    // rows of the table, and lanes of each picture

    ViewState state_;
    QWidget* page_;
    StepGrid* table_;
    GanttView* gantt_;
    LegendBar* legend_;
    LessonMarks marks_;
    LessonList* list_;
    LessonPanel* panel_;
    LearningPlace* side_;
    PresentedLesson* presented_;
    LessonWalk& walk_;  // of the panel
    std::vector<QAction*> actions_;
    struct LevelMenu {
        int level;
        QMenu* menu;
    };
    std::vector<LevelMenu> levels_;
};

}  // namespace bscope::ui
