// ScheduleChoiceDialog: which schedule when: every schedule of the catalog with the costs of a run,
// PREDICTED, by the time of a sample, and beside it what usually decides. What is out or not legal is struck
// out, with the reason. A click or Enter takes a line. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QTableWidget>

#include "analysis/schedule_choice.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"

namespace bscope::ui {

class ScheduleChoiceDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit ScheduleChoiceDialog(QWidget* parent = nullptr);

    // The run's schedule, and whose costs everything is predicted with.
    void setRun(const QString& schedule, const QString& costs);
    void setMeaning(const QString& taking);
    // Without a model neither a cap nor a peak in bytes is known.
    void setCap(double megabytes, bool known);
    void setPlaying();
    void setChoice(const Advice& advice, const std::vector<ChoiceStep>& steps);
    void setFailure(const QString& why);
    void followTheme() override;

    double cap() const { return cap_->value(); }
    NumberField* capField() const { return cap_; }
    QTableWidget* table() const { return table_; }
    QString sentence() const { return sentence_->text(); }
    QStringList tree() const;
    int chosenLine() const { return chosen_; }
    // "ZB-V, v = 2"
    static QString nameOf(const Candidate& candidate);
    const Candidate* candidateAt(int row) const;  // nullptr: the run as it is

signals:
    void taken(const bscope::Candidate& candidate);
    void capEdited();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void fill();
    void fillTree();
    QStringList cellsOf(const Candidate* candidate) const;
    QString verdict() const;
    void take(int row);

    Advice advice_;
    std::vector<ChoiceStep> steps_;
    std::vector<const Candidate*> rows_;  // of advice_; nullptr: the run as it is
    bool playing_ = false, knows_bytes_ = true;
    int chosen_ = 0;
    QString schedule_, costs_, taking_, failure_;
    Label *title_, *about_, *cap_name_, *sentence_, *tree_title_, *tree_text_, *tree_foot_;
    Badge* badge_;
    NumberField* cap_;
    QTableWidget* table_;
};

}  // namespace bscope::ui
