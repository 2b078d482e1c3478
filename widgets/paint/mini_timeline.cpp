// Painting of small timelines.
#include "widgets/paint/mini_timeline.h"

#include <algorithm>

#include "widgets/paint/hatch.h"
#include "widgets/text/format.h"

namespace bscope::ui {

void paintMiniTimeline(QPainter& painter, const QRectF& box, const Timeline& timeline,
                       const StagePlaces& places, const Theme& theme, double time_range_ns,
                       const MiniTimelineStyle& style) {
    if (time_range_ns <= 0) return;
    const double per_ns = box.width() / time_range_ns;
    const auto begin_ns = timeline.begin_ns();
    const double span_ns = std::min(static_cast<double>(timeline.end_ns() - begin_ns), time_range_ns);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(10.5, QFont::Medium));
    const QFontMetricsF metrics(painter.font());
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const double top = box.top() + rank * (style.row_height + style.row_gap);
        const QRectF row(box.left(), top, span_ns * per_ns, style.row_height);
        style.opacity < 1 ? painter.fillRect(row, theme.hair)
                          : paintHatch(painter, row, theme, Hatch::Rising);
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const double left = box.left() + static_cast<double>(event.start_ns - begin_ns) * per_ns;
            const double width = static_cast<double>(event.duration_ns()) * per_ns;
            const double gap = width > 4 ? 1 : 0;
            const QRectF cell(left, top, width - gap, style.row_height);
            const bool dim = event.microbatch < style.bright_from;
            QColor fill = theme.fill(event.op, places.of(event.stage));
            if (dim) fill = mixed(fill, theme.bubble, 0.45);
            if (style.opacity < 1) fill = mixed(fill, theme.hair, style.opacity);
            painter.fillRect(cell, fill);
            if (!style.numbers || dim || style.row_height < 12) continue;
            const QString number = microbatchText(event.microbatch, style.count_from_zero, event.segment);
            if (metrics.horizontalAdvance(number) + 4 > cell.width()) continue;
            painter.setPen(theme.ink(fill));
            painter.drawText(cell, Qt::AlignCenter, number);
        }
    }
    painter.restore();
}

}  // namespace bscope::ui
