// PartLanes: what some ranks of a pipeline did in one iteration, a lane a rank, each from its own first
// operation on, since nothing puts their clocks in order.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "schedule/action.h"

namespace bscope::ui {

struct PartLane {
    struct Box {
        Action action;  // stage -1: not known
        double start_ms = 0, end_ms = 0;
    };
    QString name;  // "rank 2"
    std::vector<Box> boxes;  // by start
};

class PartLanes : public QWidget {
    Q_OBJECT
public:
    explicit PartLanes(QWidget* parent = nullptr);
    // count_from_zero: numbers of micro-batches in the boxes.
    void setLanes(std::vector<PartLane> lanes, bool count_from_zero = false);
    const std::vector<PartLane>& lanes() const { return lanes_; }
    QRectF boxRect(std::size_t lane, std::size_t box) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<PartLane> lanes_;
    double longest_ms_ = 0;
    bool count_from_zero_ = false;
};

}  // namespace bscope::ui
