// ReplicaMap: replicas and stages of an imported run as a heat map: a row a replica, a column a stage, darker
// where forward and backward together take longer than the median of all cells. The row of the replica that
// is shown is marked.
#pragma once

#include <QWidget>
#include <memory>

#include "report/replica_grid.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class ReplicaMap : public QWidget {
    Q_OBJECT
public:
    explicit ReplicaMap(QWidget* parent = nullptr);
    void setGrid(std::shared_ptr<const ReplicaGrid> grid, const Notation& notation);

    bool hasNumbers() const;  // cells are large enough for them
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    // Of a cell, from 0 (as long as the median, or shorter) to 1 (half as long again, or longer).
    double heat(int replica, int stage) const;
    QRectF cellRect(int replica, int stage) const;
    QColor cellColour(int replica, int stage) const;
    QString cellText(int replica, int stage) const;  // in words

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    double rowHeight() const;
    double labelWidth() const;
    double headHeight() const;

    std::shared_ptr<const ReplicaGrid> grid_;
    Notation notation_;
    double median_ns_ = 0;
};

}  // namespace bscope::ui
