// ProblemChip: why a value is illegal, in place, with buttons for the nearest legal ones. The whole reason is
// to be read: where one line is too short it stands on several. More problems than one are counted, and all
// listed in the tool tip.
#pragma once

#include <QWidget>
#include <vector>

#include "schedule/problem.h"
#include "widgets/controls/button.h"
#include "widgets/text/legal_fixes.h"

namespace bscope::ui {

class ProblemChip : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ProblemChip(QWidget* parent = nullptr);
    // offers: the ways out, the best first; two are shown.
    void setProblems(const std::vector<Problem>& problems, const std::vector<std::vector<Fix>>& offers);
    QString reason() const { return reason_; }
    Button* fix() const { return fix_; }         // the best offer
    Button* otherFix() const { return other_; }  // the second one
    void followTheme() override;
    QSize sizeHint() const override;  // the whole reason on one line
    QSize minimumSizeHint() const override { return sizeHint(); }
    int heightForWidth(int width) const override;

signals:
    void fixChosen(int offer);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { placeFixes(); }

private:
    void placeFixes();
    int fixesWidth() const;
    QRect reasonRoom(int width, int height) const;

    std::vector<Problem> problems_;
    std::vector<std::vector<Fix>> offers_;
    QString reason_;
    Button *fix_, *other_;
};

}  // namespace bscope::ui
