// ProblemChip: why a value is illegal, in place, with a button for the nearest legal ones. More problems than
// one are counted, and all listed in the tool tip.
#pragma once

#include <QWidget>
#include <vector>

#include "schedule/problem.h"
#include "widgets/panels/button.h"

namespace bscope::ui {

class ProblemChip : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ProblemChip(QWidget* parent = nullptr);
    void setProblems(const std::vector<Problem>& problems);  // shows itself when there are any
    void setTight(bool on);                                  // may shrink further
    QString reason() const { return reason_; }
    Button* fix() const { return fix_; }
    void setTheme(const Theme& theme) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void fixChosen(const QString& field, long value);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { placeFix(); }

private:
    std::vector<std::pair<QString, long>> nearestLegal() const;
    void placeFix();

    std::vector<Problem> problems_;
    QString reason_;
    bool tight_ = false;
    Button* fix_;
    Theme theme_;
};

}  // namespace bscope::ui
