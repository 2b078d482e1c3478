// SearchSection: the offer to look for an order that is best for the costs of this run, how long the search
// takes, and what it found. What is found is PREDICTED and says so. Plain values in, signals out.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "schedule/schedule.h"
#include "widgets/controls/button.h"
#include "widgets/controls/figure_table.h"
#include "widgets/controls/provenance_badge.h"
#include "widgets/controls/section.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

struct SearchOffer {
    ScheduleParams params;
    bool measured = false;  // costs come from an iteration that ran
    double cap = 0;         // micro-batches of a rank; 0 = no cap
    QString refusal;        // why it cannot be searched; "" when it can
    bool operator==(const SearchOffer&) const = default;
};

struct SearchFinding {
    QString now;  // title of the schedule it is compared with
    double now_ms = 0, found_ms = 0;
    double gap = 0;          // of the optimum, at most
    QString began_with;      // catalog title; "" = list scheduling
    int peak_in_flight = 0;  // chunks, of the fullest rank
};

class SearchSection : public Section {
    Q_OBJECT
public:
    explicit SearchSection(QWidget* parent = nullptr);
    void setOffer(const SearchOffer& offer);  // another one drops what was found
    void setRunning(bool on);
    void setFinding(const SearchFinding& finding);
    void setNotation(const Notation& notation);  // of times
    void setChosen(bool on);                     // what was found is what runs, or waits to
    void forget();                               // what was found or is being looked for

    Button* searchButton() const { return search_; }
    Button* runButton() const { return run_; }
    bool running() const { return running_; }
    const std::optional<SearchFinding>& finding() const { return finding_; }
    QString sentence() const { return sentence_->text(); }

signals:
    void searchClicked();
    void cancelClicked();
    void runClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    SearchOffer offer_;
    std::optional<SearchFinding> finding_;
    bool running_ = false, chosen_ = false;
    Notation notation_;
    QTimer clock_;
    QElapsedTimer since_;
    Badge* badge_;
    FigureTable* table_;
    Label *about_, *sentence_;
    Button *search_, *run_;
};

}  // namespace bscope::ui
