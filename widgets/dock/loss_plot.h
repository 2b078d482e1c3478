// LossPlot: the loss of the run so far, one line, a vertical rule wherever the configuration changed.
// Hovering names iteration and loss. Training goes on through changes, so the line never breaks; it starts
// anew with a new run.
#pragma once

#include <vector>

#include "view/view_data.h"
#include "widgets/controls/custom_plot.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

class LossPlot : public QCustomPlot, public Themed {
    Q_OBJECT
public:
    explicit LossPlot(QWidget* parent = nullptr);
    void setBars(const std::vector<IterationBar>& bars);
    // Iterations (counting from 0) at which the group differs from the one before.
    const std::vector<int>& changes() const { return changes_; }
    QString rangeText() const;  // "5.55 → 2.99"
    int pointCount() const { return line_->data()->size(); }
    void followTheme() override;

signals:
    void hovered(int iteration, double loss);  // iteration -1: the pointer left

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QCPGraph *line_, *end_;  // owned by the plot
    QCPItemTracer* marker_;  // owned by the plot
    std::vector<QCPItemStraightLine*> rules_;
    std::vector<int> changes_;
};

}  // namespace bscope::ui
