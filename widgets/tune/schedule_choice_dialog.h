// ScheduleChoiceDialog: which schedule when: every schedule of the catalog with the costs of a run,
// PREDICTED, by the time of a sample, and beside it what usually decides. What is out or not legal is struck
// out, with the reason. Window thread only.
#pragma once

#include "analysis/schedule_choice.h"
#include "widgets/tune/prediction_dialog.h"

namespace bscope::ui {

class ScheduleChoiceDialog : public PredictionDialog {
    Q_OBJECT
public:
    explicit ScheduleChoiceDialog(QWidget* parent = nullptr);

    // The run's schedule, and whose costs everything is predicted with.
    void setRun(const QString& schedule, const QString& costs);
    // Without a model neither a cap nor a peak in bytes is known.
    void setCap(double megabytes, bool known);
    void setChoice(const Advice& advice, const std::vector<ChoiceStep>& steps);
    void followTheme() override;

    QStringList tree() const;
    int chosenLine() const { return chosen_; }
    // "ZB-V, v = 2"
    static QString nameOf(const Candidate& candidate);
    const Candidate* candidateAt(int row) const override;  // nullptr: the run as it is

private:
    void refresh() override;
    void fill() override;
    void fillTree();
    QStringList cellsOf(const Candidate* candidate) const;
    QString verdict() const;
    void take(int row) override;

    std::vector<ChoiceStep> steps_;
    std::vector<const Candidate*> rows_;  // of advice_; nullptr: the run as it is
    bool knows_bytes_ = true;
    int chosen_ = 0;
    QString schedule_;
    Label *tree_title_, *tree_text_, *tree_foot_;
};

}  // namespace bscope::ui
