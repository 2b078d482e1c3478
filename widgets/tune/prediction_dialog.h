// PredictionDialog: what the dialogs about other configurations share: title and badge, whose costs
// everything is PREDICTED with, a cap on memory, and a table of lines, of which a click or Enter takes one.
// Plain values in, signals out. Window thread only.
#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <QTableWidget>
#include <optional>
#include <vector>

#include "analysis/advisor.h"
#include "analysis/schedule_choice.h"
#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"
#include "widgets/text/notation.h"
#include "widgets/tune/copy_flags.h"

namespace bscope::ui {

class PredictionDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    // What taking a line does: "shows it as a plan".
    void setMeaning(const QString& taking);
    virtual void setPlaying();  // the lines are being worked out
    void setFailure(const QString& why);
    // Of times; its lines stay while a run goes on, so another unit alone is another notation.
    void setNotation(const Notation& notation);

    // What is typed into a framework for a line; nullptr: for the run as it is.
    using FlagsOfLine = std::function<FrameworkFlags(const Candidate*, Framework)>;
    void setFlags(FlagsOfLine flags);

    // What counts; lines that are left out stay, pale, with the reason.
    bool wantsOneCopy() const { return copies_->current() == 1; }
    bool wantsFlush() const { return updates_->current() == 1; }
    std::optional<Framework> framework() const;
    Segments* copies() const { return copies_; }
    Segments* updates() const { return updates_; }
    ChoiceField* frameworkField() const { return framework_; }
    // The run that everything is about: "primus-pp8 · 1F1B, p = 8, m = 16".
    void setAbout(const QString& run);
    CopyFlags* copyFlags() const { return copy_; }
    double cap() const { return cap_->value(); }
    NumberField* capField() const { return cap_; }
    QTableWidget* table() const { return table_; }
    QString sentence() const { return sentence_->text(); }

signals:
    void taken(const bscope::Candidate& candidate);
    void capEdited();  // or another limit

protected:
    // Columns of words are left aligned, the others right; `wide` takes the room that is left.
    PredictionDialog(int columns, const std::vector<int>& words, int wide, TextRole sentence,
                     QWidget* parent);
    virtual void refresh() = 0;  // texts around the lines
    virtual void fill() = 0;     // the lines
    virtual const Candidate* candidateAt(int row) const = 0;
    virtual void take(int row);
    virtual bool isTheRun(int row) const = 0;  // as it is

    void begin();  // once it is whole
    void setAnswer(const Advice& advice);
    void setLook(double row_px, const QSize& size);  // of the theme
    void setHeads(const QString& title, const QString& cap, const QStringList& heads);
    QString activationsCapText() const;
    DurationText durationText() const;  // in the unit of the window
    struct LineLook {
        bool own = false, out = false;  // the run as it is; a line that is excluded
        QString tip;
        std::vector<int> struck;  // columns
    };
    void setLine(int row, const QStringList& cells, const LineLook& look);
    void keepCurrent(int row);  // or the last line
    // Why there are no lines to speak of; nothing when there are.
    std::optional<QString> stateText() const;

    void followLine();  // what can be copied

    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    Advice advice_;
    bool playing_ = false;
    QString run_, costs_, taking_, failure_;
    Notation notation_;
    QVBoxLayout* column_;
    Label *title_, *about_, *cap_name_, *sentence_;
    Badge* badge_;
    NumberField* cap_;
    CopyFlags* copy_;
    QTableWidget* table_;
    Segments *copies_, *updates_;
    ChoiceField* framework_;

private:
    std::vector<int> words_;
    FlagsOfLine flags_;
};

}  // namespace bscope::ui
