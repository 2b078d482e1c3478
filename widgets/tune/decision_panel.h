// DecisionPanel: beside the table of what would help: the best schedule in a sentence, the questions that usually
// decide on one, answered from the run, and what many texts say instead. Plain values in. Window thread only.
#pragma once

#include <QScrollArea>
#include <functional>

#include "advice/schedule_choice.h"
#include "widgets/controls/label.h"
#include "widgets/controls/section.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class DecisionPanel : public QScrollArea {
    Q_OBJECT
public:
    // What is said of the run that was advised about, with times in the window's unit.
    struct Words {
        std::vector<ChoiceStep> steps;
        std::function<std::vector<PopularClaim>(const DurationText&)> claims;
        std::function<Sentence(const DurationText&)> verdict;
    };
    explicit DecisionPanel(QWidget* parent = nullptr);
    void setWords(Words words);  // without a verdict: nothing is known
    void setNotation(const Notation& notation);

    QString verdict() const { return verdict_text_->text(); }
    QStringList tree() const;
    QStringList claims() const;
    int chosenLine() const { return chosen_; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Words words_;
    Notation notation_, latest_;
    int chosen_ = 0;
    Section *verdict_, *tree_, *claims_;
    Label *verdict_text_, *tree_text_, *tree_foot_, *claims_text_;
};

}  // namespace bscope::ui
