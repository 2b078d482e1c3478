// ScheduleChoiceDialog: which schedule when: every schedule of the catalog with the costs of a run,
// PREDICTED, by the time of a sample, and beside it what usually decides, and what many texts say instead.
// What is out or not legal is struck out, with the reason. A marks a line to be stacked on the canvas, R has
// the marked ones run. Window thread only.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "analysis/schedule_choice.h"
#include "widgets/controls/button.h"
#include "widgets/tune/prediction_dialog.h"

namespace bscope::ui {

using ScheduleAndChunks = std::pair<std::string, int>;   // v
using MeasuredMs = std::map<ScheduleAndChunks, double>;  // of an iteration

class ScheduleChoiceDialog : public PredictionDialog {
    Q_OBJECT
public:
    explicit ScheduleChoiceDialog(QWidget* parent = nullptr);

    // The run's schedule, and whose costs everything is predicted with.
    void setRun(const QString& schedule, const QString& costs);
    // Without a model neither a cap nor a peak in bytes is known.
    void setCap(double megabytes, bool known);
    // What is said of the run that was advised about, with times as the dialog writes them.
    struct Words {
        std::vector<ChoiceStep> steps;
        std::function<std::vector<PopularClaim>(const DurationText&)> claims;
        std::function<Sentence(const DurationText&)> verdict;
    };
    void setChoice(const Advice& advice, const RunConfig& config, Words words);
    void setMarked(std::vector<RunConfig> marked);
    bool isMarked(const Candidate& candidate) const;
    // What schedules took that ran; `running` says how far they are, "": they do not run.
    void setMeasured(const MeasuredMs& ms, const QString& running);
    void setCanRun(bool can) { can_run_ = can; }
    QString measuring() const { return measuring_->text(); }
    QStringList claims() const;
    void followTheme() override;

    QStringList tree() const;
    int chosenLine() const { return chosen_; }
    // "ZB-V, v = 2"
    static QString nameOf(const Candidate& candidate);
    const Candidate* candidateAt(int row) const override;  // nullptr: the run as it is

signals:
    void markToggled(const bscope::Candidate& candidate);
    void runAsked();

private:
    void refresh() override;
    void fill() override;
    bool isTheRun(int row) const override;
    void fillTree();
    QStringList cellsOf(const Candidate* candidate) const;
    void take(int row) override;

    Words words_of_run_;
    RunConfig config_;
    std::vector<RunConfig> marked_;
    MeasuredMs measured_ms_;
    QString running_;
    bool can_run_ = false;
    std::vector<const Candidate*> rows_;  // of advice_; nullptr: the run as it is
    bool knows_bytes_ = true;
    int chosen_ = 0;
    QString schedule_;
    Label *tree_title_, *tree_text_, *tree_foot_, *claims_text_, *measuring_;
};

}  // namespace bscope::ui
