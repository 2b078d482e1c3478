// TimelinePainter: draws a whole Picture. The one drawing code of the canvas and of every exported figure.
#pragma once

#include <QPainter>

#include "widgets/picture/picture.h"

namespace bscope::ui {

class TimelinePainter {
public:
    TimelinePainter(QPainter& painter, const Picture& picture) : painter_(painter), picture_(picture) {}

    // Everything but what follows the pointer.
    void draw();

private:
    void hairGrid();
    void lanes();
    void cover(std::size_t group);
    void endOfIteration();
    void ruler();
    void titles();

    QPainter& painter_;
    const Picture& picture_;
};

// Title line of one group in a rectangle: schedule, parameters, badge, state; numbers at the right. What does
// not fit gives way from the least important: theory, parameters, device.
// letter: of one of several, as a lesson's texts call it; null: there is one.
void drawTitle(QPainter& painter, const Picture& picture, const PreparedView& group, const QRectF& area,
               QChar letter = {});
// "p=4 m=8 v=1 · checkpointing off"
QString parameterText(const IterationView& view);
// The labels of the ruler with their places; the first one carries the unit.
struct RulerLabel {
    QString text;
    QRectF place;
};
std::vector<RulerLabel> rulerLabels(const Picture& picture);
QFont rulerFont(const Theme& theme);

}  // namespace bscope::ui
