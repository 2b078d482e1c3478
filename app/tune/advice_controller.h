// AdviceController: what would help the run that the window shows, predicted with its costs on a thread of
// its own. What is taken of a run that can be changed goes the way of every other change, pending with its
// ghost until the next iteration; of a recording it is shown as a plan in place of the iteration, until the
// window shows something else. Window thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "analysis/advisor.h"
#include "app/session/session.h"
#include "app/shell/background.h"
#include "app/shell/shell.h"
#include "app/tune/advice_record.h"
#include "app/tune/measure_job.h"
#include "widgets/tune/advice_dialog.h"
#include "widgets/tune/schedule_choice_dialog.h"

namespace bscope::ui {

class AdviceController : public QObject {
    Q_OBJECT
public:
    AdviceController(Session& session, Shell& shell);

    void open();
    void setNotation(const Notation& notation);       // of the times that are told
    AdviceDialog* dialog() const { return dialog_; }  // null while closed
    // The schedules alone, and what usually decides; in place of the other dialog.
    void openSchedules();
    ScheduleChoiceDialog* choice() const { return choice_; }  // null while closed
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
        bool replayed = false;
    };
    Basis basis() const;
    QString costsText() const;
    QString runText() const;
    QString meaningText() const;
    void prepare(PredictionDialog* dialog);
    void begin(PredictionDialog* dialog);
    PredictionDialog* asking() const;  // the dialog that is there, or null
    void setAdvice(const std::shared_ptr<const Advice>& result);
    void setFailure(const QString& why);
    void play();
    void search();
    void take(const Candidate& candidate);
    void drawPlan(const Candidate& candidate);
    IterationView planOf(const Candidate& candidate) const;
    QString markingText() const;
    void toggleMark(const Candidate& candidate);
    void showMarks();
    void runMarked();
    void endMeasuring(const MeasuredMs& ms, const QString& words);
    void follow();
    void promise(const Candidate& candidate);
    void showOutcomes();

    Session& session_;
    Shell& shell_;
    Notation notation_;
    QPointer<AdviceDialog> dialog_;
    QPointer<ScheduleChoiceDialog> choice_;  // at most one of the two is there
    std::shared_ptr<const Basis> basis_;
    Advice advice_;
    std::optional<IterationView> plan_;
    std::vector<IterationView> stacked_;
    int plan_of_ = -1;  // the iteration they stand for
    MeasureJob measure_;
    bool run_waits_ = false;  // for what is measured
    AdviceRecord record_;
    QTimer soon_;  // until outcomes are shown
    Background<Advice> work_{*this};
    Background<std::optional<Candidate>> search_{*this};
};

}  // namespace bscope::ui
