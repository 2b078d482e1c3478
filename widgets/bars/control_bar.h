// ControlBar: the tool bar. What is changed every minute stands open (schedule, p, m, v, checkpointing), the
// rest is behind Setup; what does not fit goes into a menu at its right end. An edit takes effect 150 ms
// after the last change, at once on Enter; an illegal one stays in its field, is explained with the nearest
// legal value as a button, and is not announced. Whatever waits or is illegal, every part keeps its place
// (see BarRoom). Plain values in, signals out. Window thread only.
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>
#include <functional>
#include <optional>

#include "view/view_data.h"
#include "widgets/bars/bar_room.h"
#include "widgets/bars/config_edit.h"
#include "widgets/bars/main_view.h"
#include "widgets/bars/pipeline_fields.h"
#include "widgets/bars/problem_chip.h"
#include "widgets/bars/run_button.h"
#include "widgets/bars/setup_button.h"
#include "widgets/bars/setup_panel.h"
#include "widgets/controls/button.h"
#include "widgets/data/session_state.h"

class QAction;
class QHBoxLayout;
class QMenu;

namespace bscope::ui {

class ControlBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ControlBar(QWidget* parent = nullptr);

    using Judge = std::function<std::vector<Problem>(const RunConfig&)>;
    // Decides what is legal; without one, the catalog and the files of this machine do.
    void setJudge(Judge judge) { judge_ = std::move(judge); }

    // Shows a configuration and drops whatever was being edited (start, lesson, undo). No signal.
    void setConfig(const RunConfig& in_force);
    const RunConfig& inForce() const { return edit_.inForce(); }
    // The engine now runs this one: shown unless something is being edited. No signal.
    void setInForce(const RunConfig& config);
    // The engine will not run this one: it is shown with its problems; none: it will.
    void setRefused(const RunConfig& config, const std::vector<Problem>& problems);
    // A change waits for its boundary: its fields are marked and the chip offers Undo.
    void setPending(const std::optional<PendingChange>& pending);
    void setState(SessionState state, bool replay_runs = false);
    void setView(MainView view);  // no signal
    void setExportMenu(QMenu* menu);
    // What lies below it and may be covered by the reason of an illegal value; the numbers beside it may not.
    void setPage(QWidget* page);
    // A run of another program: checkpointing and what Setup holds are not known. No signal.
    void setImported(bool on);
    // A lesson chose the values and may change them with every iteration: those of its first run are shown,
    // and the summary says whose they are. nullopt: the lesson is over.
    void setLessonSettings(const std::optional<RunConfig>& shown);
    void followTheme() override;
    QSize minimumSizeHint() const override;

    // As if it had been chosen in its field: v comes with it.
    void chooseSchedule(const QString& name);
    int chunksFor(const CatalogEntry& schedule) const { return edit_.chunksFor(schedule); }  // its v
    struct Option {
        QString name;
        const char *context, *source;  // of the name's translation
        std::function<void()> enter;   // goes to its field
    };
    std::vector<Option> options();

    const RunConfig& edited() const { return edit_.shown(); }
    const std::vector<Problem>& currentProblems() const { return edit_.problems(); }
    // Ctrl+1, Ctrl+2, Ctrl+3: for the View menu too.
    QAction* viewAction(MainView view) const { return view_actions_[static_cast<std::size_t>(view)]; }

    NumberField* p() const { return fields_->p; }
    NumberField* m() const { return fields_->m; }
    NumberField* v() const { return fields_->v; }
    ScheduleField* schedule() const { return fields_->schedule; }
    ChoiceField* recompute() const { return fields_->recompute; }
    RunButton* runButton() const { return run_; }
    Button* stepButton() const { return step_; }
    Button* pendingChip() const { return pending_chip_; }
    Button* exportButton() const { return export_; }
    Button* explainButton() const { return explain_; }  // checkable: the panel about the schedule
    Button* gridButton() const { return grid_; }        // checkable: the step-by-rank grid
    Button* overflowButton() const { return overflow_; }
    QMenu* overflowMenu() const { return overflow_menu_; }
    ProblemChip* problemChip() const { return problem_chip_; }
    IconWords& iconWords() { return *icon_words_; }
    SetupButton* setupButton() const { return setup_; }
    SetupPanel* setupPanel() const { return setup_panel_; }
    Segments* viewSwitch() const { return views_; }

signals:
    void configEdited(const bscope::RunConfig& config);  // legal ones only
    void runClicked();                                   // also: play a recording, run again after a failure
    void pauseClicked();
    void cancelClicked();  // while the engine starts
    void reconnectClicked();
    void stepClicked();
    void undoPending();
    void speedChosen(double factor);  // of a replay
    void viewChosen(bscope::ui::MainView view);
    void said(const QString& text);  // what came along with an edit
    void focusReturned();            // Enter or Esc in a field: the canvas gets the keys back

protected:
    bool eventFilter(QObject* page, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void buildRow();
    void connectFields();
    void retranslate();
    void showConfig(const RunConfig& config);
    void readFields();
    void commit();
    void pickSchedule();
    void showProblems();
    void markPending();
    void showSummary();
    void openSetup();
    void collapse();
    void placeChips();

    ConfigEdit edit_;
    Judge judge_ = [](const RunConfig& config) { return problems(config); };
    bool lesson_settings_ = false, imported_ = false;
    QTimer settle_;

    Button* overflow_;
    QMenu *overflow_menu_, *export_menu_ = nullptr;
    RunButton* run_;
    Button *step_, *explain_, *grid_, *pending_chip_, *export_;
    PipelineFields* fields_;
    ChoiceField* speed_;
    ProblemChip* problem_chip_;
    SetupButton* setup_;
    SetupPanel* setup_panel_;
    Segments* views_;
    IconWords* icon_words_;
    std::array<QAction*, 3> view_actions_{};
    std::optional<BarRoom> room_;
};

}  // namespace bscope::ui
