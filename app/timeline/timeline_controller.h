// TimelineController: the Timeline view: the canvas with what lies around it, and the numbers beside it.
// Shows the iteration that the session gives, or in its place the pinned baseline, the plan of an open
// schedule file or what another schedule would give. Window thread only.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/find/search_bar.h"
#include "app/schedules/schedule_controller.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"
#include "app/timeline/auto_calibration.h"
#include "app/timeline/baseline_controller.h"
#include "app/timeline/canvas_highlighter.h"
#include "app/timeline/checkpointing_plans.h"
#include "app/timeline/gap_analyses.h"
#include "app/timeline/iteration_player.h"
#include "app/timeline/notes_controller.h"
#include "app/timeline/recent_iterations.h"
#include "app/timeline/straggler_headline.h"
#include "app/tune/advice_controller.h"
#include "app/tune/hand_costs_controller.h"
#include "widgets/bars/iteration_strip.h"
#include "widgets/bars/pending_strip.h"
#include "widgets/bars/welcome_line.h"
#include "widgets/dock/numbers_dock.h"
#include "widgets/gantt/gantt_view.h"
#include "widgets/gantt/legend_bar.h"
#include "widgets/gantt/minimap.h"

namespace bscope::ui {

class TimelineController : public QObject {
    Q_OBJECT
public:
    TimelineController(Session& session, ViewState& state, ScheduleController& schedules,
                       AdviceController& advice, HandCostsController& hand_costs, Shell& shell);

    QWidget* page() const { return page_; }
    NumbersDock* side() const { return numbers_; }
    SearchBar* searchBar() const { return search_bar_; }  // its place is above the pages
    WelcomeLine* welcome() const { return welcome_; }
    StragglerLine* stragglerLine() const { return headline_->line(); }
    LegendBar* legend() const { return legend_; }
    GanttView* canvas() const { return gantt_; }
    CanvasHighlighter& canvasLight() { return *light_; }
    BaselineController& baselines() { return *baselines_; }
    AutoCalibration& calibration() { return *calibration_; }
    IterationPlayer& player() { return player_; }
    NotesController& notes() { return *notes_; }
    const Baseline& baseline() const { return baselines_->baseline(); }
    // What is slower than its like in most of the last iterations, in words; empty: nothing.
    // or it stands above the canvas already.
    QString straggler() const {
        return headline_->line()->isHidden() ? recent_.straggler(gantt_->picture().notation) : QString();
    }
    QWidgetList tabOrder() const;  // of the page

    void addLayerActions(WindowActions& actions);  // View: what the canvas shows
    void addActions(WindowActions& actions);       // Go and Analyze
    void addPlayActions(WindowActions& actions);   // Run
    void retranslate();
    void sync();
    // The plan of a schedule with what is in force otherwise, in the place of the run, until something else is
    // asked for; the wanted configuration stays. False: it cannot run with these parameters.
    bool showPlanOf(const std::string& schedule);
    void leavePlan();
    // As `bscope export --gaps` writes them; says what became of it.
    void writeGaps(const QString& path, const BubbleCauses& causes);
    // What an exported picture shows: the canvas, but the last complete iteration while one is under way.
    std::vector<IterationView> viewsToExport() const;

signals:
    void synced();                                               // the canvas shows what the session has now
    void notationChanged(const bscope::ui::Notation& notation);  // of what the canvas shows

private:
    void play(const std::function<void()>& how);
    void addPaces(WindowActions& actions);
    void buildPage();
    void connectViews();
    void syncBars();
    void syncPending();
    void syncNotation();
    QString titleNotice() const;
    QString boundaryNote() const;
    std::vector<GanttView::TitleChip> titleChips() const;
    void showReading();
    void copySelected();
    const std::optional<IterationView>& plan() const;  // that was asked for, in the place of the run
    const BubbleCauses* listedCauses() const;  // null: none
    void askForGapsFile();
    void chipClicked(const QString& id);
    void goToMedian();
    void goTo(const SearchHit& hit);
    void lookAt(const SearchHit& hit);

    Session& session_;
    ViewState& state_;
    ScheduleController& schedules_;
    AdviceController& advice_;
    HandCostsController& hand_costs_;
    Shell& shell_;
    Notation notation_;                         // of the strips
    std::optional<IterationView> asked_plan_;  // showPlanOf()

    QWidget* page_;
    GanttView* gantt_;
    Minimap* minimap_;
    LegendBar* legend_;
    WelcomeLine* welcome_;
    PendingStrip* pending_strip_;
    IterationStrip* strip_;
    NumbersDock* numbers_;
    SearchBar* search_bar_;
    GapAnalyses analyses_{this};
    bool shows_hand_costs_ = false;
    IterationPlayer player_{this};
    RecentIterations recent_;
    AutoCalibration* calibration_;   // child
    StragglerHeadline* headline_;    // child of the page
    BaselineController* baselines_;  // child
    NotesController* notes_;         // child
    CheckpointingPlans checkpointing_{session_};
    std::unique_ptr<CanvasHighlighter> light_;
};

}  // namespace bscope::ui
