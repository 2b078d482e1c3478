// Idle time of a lane: tinted, hatched by its cause (fill and drain rise, dependency falls, waiting for the network is
// crossed), labelled where the label fits.
#include <QFontMetricsF>
#include <algorithm>

#include "widgets/gantt/hatch.h"
#include "widgets/gantt/lane_painter.h"
#include "widgets/gantt/text_runs.h"

namespace bscope::ui {

namespace {

Hatch hatchOf(IdleCause cause) {
    if (cause == IdleCause::Transfer) return Hatch::Cross;
    return cause == IdleCause::Dependency ? Hatch::Falling : Hatch::Rising;
}

}  // namespace

template <typename Draw>
void LanePainter::eachVisibleIdle(const Draw& draw) const {
    const std::int64_t visible_from = timeAt(picture_.layout.plot.left());
    auto period = std::ranges::partition_point(prepared_.idle,
                                               [=](const IdlePeriod& p) { return p.end_ns <= visible_from; });
    while (period != prepared_.idle.end()) {
        const Edges x = edges(period->start_ns, period->end_ns);
        if (rightOfPlot(x.left)) return;
        if (x.width() < 1.5) {  // below sight: on to the first period that ends beyond this pixel
            const std::int64_t next = timeAt(x.left + 1);
            period = std::partition_point(period + 1, prepared_.idle.end(),
                                          [=](const IdlePeriod& p) { return p.end_ns <= next; });
            continue;
        }
        const double left = picture_.snapped(x.left), right = picture_.snapped(x.right);
        draw(QRectF(left, lane_.box.top(), right - left, lane_.box.height()), *period);
        ++period;
    }
}

void LanePainter::idle() {
    eachVisibleIdle([this](const QRectF& area, const IdlePeriod& period) { idleArea(area, period); });
    if (group_.running() && prepared_.started) {  // idle up to now, cause not known yet
        const auto events = group_.ran(rank_);
        const Edges x = edges(events.back().end_ns, group_.view().now_ns);
        if (x.width() > 1) painter_.fillRect(QRectF(x.left, lane_.box.top(), x.width(), lane_.box.height()), theme_.bubble);
    }
}

void LanePainter::idleLabels() {
    eachVisibleIdle([this](const QRectF& area, const IdlePeriod& period) { idleLabel(area, period); });
}

void LanePainter::idleArea(const QRectF& area, const IdlePeriod& period) {
    const HatchStyle style{theme_.bubble_hatch, theme_.hatchSpacing(), picture_.line()};
    painter_.fillRect(area, theme_.bubble);
    double from = area.left();
    for (std::size_t i = 0; i < period.gaps; ++i) {
        const IdleGap& gap = prepared_.gaps[period.first_gap + i];
        const bool last = i + 1 == period.gaps;
        const double to = last ? area.right() : picture_.snapped(edges(gap.start_ns, gap.end_ns).right);
        if (to - from < 3 && !last) continue;  // too thin for a hatch of its own: its neighbour's
        drawHatch(painter_, QRectF(from, area.top(), to - from, area.height()), hatchOf(gap.cause), style);
        from = to;
    }
}

void LanePainter::idleLabel(const QRectF& area, const IdlePeriod& period) {
    const double length = static_cast<double>(period.end_ns - period.start_ns);
    const QFont font = theme_.font(10.5);
    const QString with_unit = picture_.notation.duration(length);
    const double padding = 5 * theme_.scale;
    for (const QString& text : {with_unit + QStringLiteral(" · ") + causeName(period.cause), with_unit,
                                picture_.notation.number(length)}) {
        const double width = textWidth(text, font);
        if (width + 2 * padding + 2 > area.width()) continue;
        const double height = QFontMetricsF(font).height();
        QRectF plate(0, 0, width + 2 * padding, height);
        plate.moveCenter(area.center());
        painter_.fillRect(plate, theme_.bubble);
        drawCentred(painter_, area.center(), text, font, theme_.text_soft);
        return;
    }
}

}  // namespace bscope::ui
