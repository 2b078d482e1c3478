// ProblemChip: why a value is illegal, in place, with a button for the nearest legal ones. More problems than
// one are counted, and all listed in the tool tip.
#pragma once

#include <QWidget>
#include <vector>

#include "schedule/problem.h"
#include "widgets/panels/button.h"
#include "widgets/panels/legal_fixes.h"

namespace bscope::ui {

class ProblemChip : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ProblemChip(QWidget* parent = nullptr);
    // Shows itself when there are any problems.
    void setProblems(const std::vector<Problem>& problems, const std::vector<Fix>& fixes);
    void setTight(bool on);  // may shrink further
    QString reason() const { return reason_; }
    Button* fix() const { return fix_; }
    void setTheme(const Theme& theme) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void fixChosen();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { placeFix(); }

private:
    void placeFix();

    std::vector<Problem> problems_;
    std::vector<Fix> fixes_;
    QString reason_;
    bool tight_ = false;
    Button* fix_;
    Theme theme_;
};

}  // namespace bscope::ui
