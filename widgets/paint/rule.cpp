#include "widgets/paint/rule.h"

namespace bscope::ui {

void drawRule(QPainter& painter, const QLineF& line, double width, const QColor& colour) {
    const double half = width / 2;
    const bool level = line.dy() == 0;
    painter.fillRect(QRectF(line.p1(), line.p2())
                         .normalized()
                         .adjusted(level ? 0 : -half, level ? -half : 0, level ? 0 : half, level ? half : 0),
                     colour);
}

}  // namespace bscope::ui
