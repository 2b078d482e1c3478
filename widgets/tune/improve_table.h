// ImproveTable: one table of what would help the run that is open: schedules, m, v, recomputation, splits, links,
// what a search finds. PREDICTED, the run's own line at its top too, so that lines compare with each other. Filters
// choose the question; what needs more copies of the weights, trains another way or is not in a framework stays,
// pale, with the reason. Enter, a double click or the button takes a line, A marks it to be stacked on the canvas,
// R has the marked schedules run, C copies what a framework is given for it. Plain values in, signals out. Window
// thread only.
#pragma once

#include <QTableWidget>
#include <functional>
#include <optional>

#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"
#include "widgets/controls/words_under.h"
#include "widgets/tune/copy_flags.h"
#include "widgets/tune/improve_lines.h"

namespace bscope::ui {

class ImproveTable : public QWidget, public WordsUnder, public Themed {
    Q_OBJECT
public:
    explicit ImproveTable(QWidget* parent = nullptr);

    void setRun(const ImproveRun& run);
    void setPlaying();  // the lines are being worked out
    void setFailure(const QString& why);
    void setAdvice(const Advice& advice);
    void setSearching(bool on);
    // Of times; its lines stay while a run goes on, so another unit alone is another notation.
    void setNotation(const Notation& notation);
    // What was predicted of changes that were taken and what came out; errors: of all predictions that ran on
    // that machine.
    void setOutcomes(const std::vector<PromiseOutcome>& outcomes, const QString& machine,
                     const std::vector<double>& errors);
    void setMarked(std::vector<RunConfig> marked);
    void setBeside(std::vector<RanBeside> beside);
    void setRunning(const QString& words);  // how far the marked schedules are, "": they do not run
    // What is typed into a framework for a line; nullptr: for the run as it is.
    using FlagsOfLine = std::function<FrameworkFlags(const Candidate*, Framework)>;
    void setFlags(FlagsOfLine flags);
    void followTheme() override;
    QString wordsAt(const QPoint& at) const override;

    double cap() const { return cap_->value(); }
    bool wantsOneCopy() const { return copies_->current() == 1; }
    bool wantsFlush() const { return updates_->current() == 1; }
    ImproveKind kind() const { return static_cast<ImproveKind>(kinds_->current()); }
    std::optional<Framework> framework() const;
    QWidget* footWords() const { return cap_name_; }  // at the right below all
    bool isMarked(const Candidate& candidate) const { return data_.isMarked(candidate); }
    const Candidate* candidateAt(int row) const;  // nullptr: the run as it is, or a change that was taken before

    const Advice& advice() const { return data_.advice; }
    bool playing() const { return playing_; }
    bool searching() const { return searching_; }
    QTableWidget* table() const { return table_; }
    QString sentence() const { return sentence_->text(); }
    QString title() const { return title_->text(); }  // the run
    QString status() const { return status_->text(); }
    const Label* about() const { return about_; }  // with which costs, whose
    QString running() const { return running_; }
    CopyFlags* copyFlags() const { return copy_; }
    Button* takeButton() const { return take_; }
    NumberField* capField() const { return cap_; }
    Segments* kinds() const { return kinds_; }
    Segments* copies() const { return copies_; }
    Segments* updates() const { return updates_; }
    ChoiceField* frameworkField() const { return framework_; }

signals:
    void taken(const bscope::Candidate& candidate);
    void limitsEdited();
    void markToggled(const bscope::Candidate& candidate);
    void runAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void build();
    void keepChange();
    bool handleKey(int key);
    void take();
    void fill();
    void fitColumns();
    void fitRows(int width);  // of the column of changes
    void setLine(int row);
    void refresh();  // texts around the lines
    void followLine();
    QString keysText() const;
    void showStatus();

    ImproveLines data_;
    std::vector<ImproveLine> lines_;  // of data_
    std::optional<Sentence> kept_;
    std::vector<double> errors_;
    FlagsOfLine flags_;
    Notation latest_;
    QString machine_, failure_, running_;
    bool playing_ = false, searching_ = false;

    Label *title_, *about_, *cap_name_, *sentence_, *status_;
    Badge* badge_;
    NumberField* cap_;
    CopyFlags* copy_;
    Button* take_;
    Segments *kinds_, *copies_, *updates_;
    ChoiceField* framework_;
    QTableWidget* table_;
};

}  // namespace bscope::ui
