// AdviceController: the table of the Improve view: what would help the run that is open, predicted with its costs on
// a thread of its own, worked out anew when another run or configuration is open. What is taken of a run that can be changed goes the way of every other change, pending with its
// ghost until the next iteration; of a recording it is shown as a plan in place of the iteration, until the
// window shows something else. Window thread only.
#pragma once

#include <QTimer>

#include "advice/advisor.h"
#include "app/session/session.h"
#include "app/shell/background.h"
#include "app/shell/shell.h"
#include "app/tune/advice_record.h"
#include "app/tune/measure_job.h"
#include "widgets/tune/decision_panel.h"
#include "widgets/tune/improve_table.h"

namespace bscope::ui {

class AdviceController : public QObject {
    Q_OBJECT
public:
    AdviceController(Session& session, Shell& shell);

    ImproveTable* table() const { return table_; }
    DecisionPanel* side() const { return side_; }
    // The view is shown: its lines are of what is known now.
    void enter();
    void setNotation(const Notation& notation);  // of the times that are shown
    // What a sweep of the run's engine measured.
    void setSwept(std::vector<RanBeside> swept);
    // What is on the canvas in place of the iteration; nothing: nothing was taken.
    const std::optional<IterationView>& plan() const { return plan_; }
    // Plans below it.
    const std::vector<IterationView>& stacked() const { return stacked_; }
    void leavePlan();
    // On the canvas of an open file, in place of the iteration: what the candidate of that run would be.
    void showInstead(const AdviceRequest& request, const Candidate& candidate);

signals:
    void planChanged();
    // An order that no catalog has is to be run.
    void orderTaken(const std::shared_ptr<const bscope::Schedule>& order);

private:
    // The run that everything is about.
    struct Basis {
        IterationView view;
        AdviceRequest request;
        bool replayed = false, measured = false;  // measured: costs of something that ran
        bool sameRun(const Basis& other) const;
        bool sameTraining(const Basis& other) const;  // perhaps with other costs
    };
    Basis basis() const;
    QString costsText() const;
    QString runText() const;
    void begin(Basis&& basis);
    void setAdvice(const std::shared_ptr<const Advice>& result);
    void play();
    void search();
    void take(const Candidate& candidate);
    void drawPlan(const std::shared_ptr<const Basis>& basis, const Candidate& candidate);
    static IterationView planOf(const Basis& basis, const Candidate& candidate);
    void toggleMark(const Candidate& candidate);
    void showMarks();
    void runMarked();
    void endMeasuring(const MeasuredMs& ms, const QString& words);
    void showBeside();
    RanBeside theRun() const;
    void follow();
    void promise(const Candidate& candidate);
    void showOutcomes();

    Session& session_;
    Shell& shell_;
    ImproveTable* table_;
    DecisionPanel* side_;
    std::shared_ptr<const Basis> basis_, drawn_;  // of the table; of what is on the canvas
    Advice advice_;
    std::optional<IterationView> plan_;
    std::vector<IterationView> stacked_;
    int plan_of_ = -1;  // the iteration they stand for
    std::vector<RanBeside> swept_, in_turn_;
    MeasureJob measure_;
    bool run_waits_ = false;  // for what is measured
    AdviceRecord record_;
    QTimer soon_;  // until outcomes are shown
    Background<Advice> work_{*this};
    Background<std::optional<Candidate>> search_{*this};
};

}  // namespace bscope::ui
