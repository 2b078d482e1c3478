#include "widgets/schedule/row_labels.h"

#include <algorithm>

namespace bscope::ui {

double heightOfRow(int rows, double usual, double most, const Theme& theme) {
    constexpr double kLeast = 4;
    return std::clamp(most / std::max(1, rows), kLeast, usual) * theme.scale;
}

bool isRoomy(const LabelledRows& rows, const Theme& theme) {
    return rows.height >= 13 * theme.scale;
}

void paintRowLabels(QPainter& painter, const LabelledRows& rows, const Theme& theme,
                    const std::function<QString(int)>& name) {
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_soft);
    const int every = isRoomy(rows, theme) ? 1 : static_cast<int>(14 * theme.scale / rows.height) + 1;
    for (int row = 0; row < rows.count; row += every) {
        const double above = rows.top + (row + 0.5) * rows.height - theme.px(9);
        painter.drawText(QRectF(0, std::max(0.0, above), rows.width, theme.px(18)), Qt::AlignVCenter,
                         name(row));
    }
}

}  // namespace bscope::ui
