#include "widgets/picture/change_tint.h"

namespace bscope::ui {

void drawChange(QPainter& painter, const QRectF& area, int step, const Theme& theme) {
    const QColor fill = theme.change(step);
    painter.fillRect(area, fill);
    const double side = 5 * theme.scale, inset = 1.5 * theme.scale;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ink(fill));
    for (int i = 0; i < std::abs(step); ++i) {
        const double left = area.left() + inset + i * (side + inset);
        if (left + side + inset > area.right() || side + 2 * inset > area.height()) break;
        const double foot = area.top() + inset + (step > 0 ? side : 0),
                     tip = area.top() + inset + (step > 0 ? 0 : side);
        const QPointF corners[]{{left, foot}, {left + side, foot}, {left + side / 2, tip}};
        painter.drawPolygon(corners, 3);
    }
    painter.restore();
}

}  // namespace bscope::ui
