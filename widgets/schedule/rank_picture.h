// RankPicture: which global rank is which stage of which replica: a column a pipeline stage, a row a replica,
// as bscope ranks prints them and Megatron-LM lays them out. The rank under the pointer, or the chosen one,
// lights up both of its groups: the pipeline that passes activations on (solid), and the ranks that add their
// gradients (dashed). Arrow keys walk.
#pragma once

#include <QWidget>

#include "schedule/rank_layout.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

class RankPicture : public QWidget {
    Q_OBJECT
public:
    explicit RankPicture(QWidget* parent = nullptr);
    void setLayoutOfRanks(const RankLayout& layout);
    const RankLayout& layoutOfRanks() const { return layout_; }
    int shown() const { return hovered_ >= 0 ? hovered_ : chosen_; }  // rank; -1: none
    // "Rank 5: stage 2, replica 1. Pipeline 1, 3, 5, 7; gradients with 4, 5." of the shown rank, else what
    // the picture is.
    QString sentence() const;
    QRectF cellOf(int rank) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

signals:
    void shownChanged();

protected:
    void paintEvent(QPaintEvent*) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // One for each shard of each replica.
    int rows() const;
    int rowOf(int rank) const;
    int rankIn(int stage, int row) const;
    QString rowName(int row) const;
    int rankAt(const QPointF& at) const;
    void light(int hovered, int chosen);
    double rowHeight() const;
    double headWidth() const;

    RankLayout layout_;
    int hovered_ = -1, chosen_ = -1;
};

}  // namespace bscope::ui
