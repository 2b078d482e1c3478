// AdviceDialog: what would help a run, a line each, by gain. PREDICTED, the run's own line too, so that lines
// compare with each other. A line that is clicked, or Enter on it, is taken; the dialog stays, so that one
// after the other can be looked at. Window thread only.
#pragma once

#include "timeline/promises.h"
#include "widgets/tune/prediction_dialog.h"

namespace bscope::ui {

class AdviceDialog : public PredictionDialog {
    Q_OBJECT
public:
    enum class Cap { Megabytes, InFlight };  // in micro-batches

    explicit AdviceDialog(QWidget* parent = nullptr);

    // Whose costs everything is predicted with: "the medians of all iterations of Primus pp_vis".
    void setSource(const QString& costs);
    void setCap(Cap unit, double cap);
    // 0: the model is not known, and a micro-batch's time is shown instead of tokens/s.
    void setTokensOfSample(int tokens);
    void setPlaying() override;
    void setSearching(bool on);
    void setAdvice(const Advice& advice);
    // What was predicted of changes that were taken and what came out; errors: of all predictions that ran on
    // that machine.
    void setOutcomes(const std::vector<PromiseOutcome>& outcomes, const QString& machine,
                     const std::vector<double>& errors);
    void followTheme() override;

    QString status() const { return status_->text(); }
    const Advice& advice() const { return advice_; }
    bool searching() const { return searching_; }
    // nullptr: the run as it is, or a change that was taken before.
    const Candidate* candidateAt(int row) const override;

private:
    void refresh() override;
    void fill() override;
    bool isTheRun(int row) const override;
    void tellRow();
    void tellStatus();
    // A line of the table: a candidate, a change that was taken before, or (none) the run as it is.
    struct Row {
        const Candidate* candidate = nullptr;
        const PromiseOutcome* outcome = nullptr;
    };
    std::vector<Row> rowsNow() const;
    const PromiseOutcome* outcomeOf(const Candidate& candidate) const;
    QStringList cellsOf(const Row& row) const;
    QString gotText(const PromiseOutcome* outcome) const;
    QString outcomeText(const PromiseOutcome& outcome) const;
    QString sentenceOf(const Row& row) const;

    std::vector<Row> rows_;
    std::vector<PromiseOutcome> outcomes_;
    std::vector<double> errors_;
    QString machine_;
    bool searching_ = false;
    Cap unit_ = Cap::Megabytes;
    int tokens_ = 0;
    Label* status_;
};

}  // namespace bscope::ui
