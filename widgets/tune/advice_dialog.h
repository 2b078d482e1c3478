// AdviceDialog: what would help a run, a line each, by gain. PREDICTED, the run's own line too, so that lines
// compare with each other. A line that is clicked, or Enter on it, is taken; the dialog stays, so that one
// after the other can be looked at. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QTableWidget>

#include "analysis/advisor.h"
#include "timeline/promises.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"

namespace bscope::ui {

class AdviceDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    enum class Cap { Megabytes, InFlight };  // in micro-batches

    explicit AdviceDialog(QWidget* parent = nullptr);

    // Whose costs everything is predicted with: "the medians of all iterations of Primus pp_vis".
    void setSource(const QString& costs);
    // What taking a line does: "shows it as a plan".
    void setMeaning(const QString& taking);
    void setCap(Cap unit, double cap);
    // 0: the model is not known, and a micro-batch's time is shown instead of tokens/s.
    void setTokensOfSample(int tokens);
    void setPlaying();  // the lines are being worked out
    void setSearching(bool on);
    void setAdvice(const Advice& advice);
    // What was predicted of changes that were taken and what came out; errors: of all predictions that ran on
    // that machine.
    void setOutcomes(const std::vector<PromiseOutcome>& outcomes, const QString& machine,
                     const std::vector<double>& errors);
    void setFailure(const QString& why);
    void followTheme() override;

    double cap() const { return cap_->value(); }
    NumberField* capField() const { return cap_; }
    QTableWidget* table() const { return table_; }
    QString sentence() const { return sentence_->text(); }
    QString status() const { return status_->text(); }
    const Advice& advice() const { return advice_; }
    bool searching() const { return searching_; }
    // nullptr: the run as it is, or a change that was taken before.
    const Candidate* candidateAt(int row) const;

signals:
    void taken(const bscope::Candidate& candidate);
    void capEdited();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void fill();
    void tellRow();
    void tellStatus();
    void take(int row);
    // A line of the table: a candidate, a change that was taken before, or (none) the run as it is.
    struct Row {
        const Candidate* candidate = nullptr;
        const PromiseOutcome* outcome = nullptr;
    };
    std::vector<Row> rowsNow() const;
    const PromiseOutcome* outcomeOf(const Candidate& candidate) const;
    QStringList cellsOf(const Row& row) const;
    static QString gotText(const PromiseOutcome* outcome);
    static QString outcomeText(const PromiseOutcome& outcome);
    QString sentenceOf(const Row& row) const;

    Advice advice_;
    std::vector<Row> rows_;
    std::vector<PromiseOutcome> outcomes_;
    std::vector<double> errors_;
    QString machine_;
    bool playing_ = false, searching_ = false;
    Cap unit_ = Cap::Megabytes;
    int tokens_ = 0;
    QString costs_, taking_, failure_;
    Label *title_, *about_, *cap_name_, *sentence_, *status_;
    Badge* badge_;
    NumberField* cap_;
    QTableWidget* table_;
};

}  // namespace bscope::ui
