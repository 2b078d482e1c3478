// PlacementPicture: where every stage is placed: a row a rank, a column a pass through the pipeline, chunk
// shades as on the canvas, and the way of a micro-batch as a line from stage to stage. Two-replica schedules
// show the second one as the pass that runs the other way.
#pragma once

#include <QWidget>

#include "schedule/stage_places.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

class PlacementPicture : public QWidget {
    Q_OBJECT
public:
    explicit PlacementPicture(QWidget* parent = nullptr);
    void setSchedule(const Schedule& schedule, const QString& in_words);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    QRectF boxOf(int stage) const;

protected:
    void paintEvent(QPaintEvent*) override;
    void changeEvent(QEvent* event) override;

private:
    int passes() const;
    double rowHeight() const;
    double columnWidth() const;
    double headWidth() const;

    ScheduleParams params_;
    StagePlaces places_;
    std::vector<std::vector<int>> chains_;
};

}  // namespace bscope::ui
