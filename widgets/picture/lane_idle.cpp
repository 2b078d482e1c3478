// Idle time of a lane: tinted, hatched by what caused most of it (fill and drain rise, dependency falls, the
// network is crossed, all else is level; nothing where the cause is not known), labelled where the label
// fits.
#include <QFontMetricsF>
#include <algorithm>

#include "widgets/paint/text_runs.h"
#include "widgets/picture/cause_hatch.h"
#include "view/gallop.h"
#include "widgets/picture/lane_painter.h"

namespace bscope::ui {

namespace {

constexpr double kLeastSeen = 1.5, kLeastHatched = 4, kLeastLabelled = 24;

}  // namespace

void LanePainter::idle() {
    const IdlePeriods& periods = prepared_.idle;
    const std::int64_t visible_from = timeAt(picture_.layout.plot.left());
    auto i = static_cast<std::size_t>(
        std::ranges::partition_point(periods, [=](const IdlePeriod& p) { return p.end_ns <= visible_from; }) -
        periods.begin());
    HatchLines hatch;
    Gallop gallop;
    while (i < periods.size()) {
        const IdlePeriod period = periods[i];
        const Edges x = edges(period.start_ns, period.end_ns);
        if (rightOfPlot(x.left)) break;
        if (x.width() < kLeastSeen) {  // on to the first period that ends beyond this pixel
            const std::int64_t next = timeAt(x.left + 1);
            i = gallop.next(periods, i + 1, [=](const IdlePeriod& p) { return p.end_ns <= next; });
            continue;
        }
        const double left = picture_.snapped(x.left), right = picture_.snapped(x.right);
        const QRectF area(left, lane_.box.top(), right - left, lane_.box.height());
        painter_.fillRect(area, theme_.bubble);
        if (const Gap* gap = group_.gapOf(period); gap != nullptr && area.width() >= kLeastHatched)
            collectHatch(hatch, area, hatchOf(familyOf(gap->cause)), theme_.hatchSpacing());
        if (area.width() >= kLeastLabelled * theme_.scale)
            labelled_idle_.emplace_back(uncovered(period, area), i);
        ++i;
    }
    drawHatchLines(painter_, hatch, {theme_.bubble_hatch, theme_.hatchSpacing(), picture_.line()});
    if (group_.running() && group_.hasRun() && prepared_.started) {  // up to now, cause not known yet
        const Edges x = edges(group_.ran(rank_).back().end_ns, group_.view().now_ns);
        if (x.width() > 1)
            painter_.fillRect(QRectF(x.left, lane_.box.top(), x.width(), lane_.box.height()), theme_.bubble);
    }
}

QRectF LanePainter::uncovered(const IdlePeriod& period, const QRectF& area) const {
    const EventSlice events = group_.ran(rank_);
    QRectF widest(area.topLeft(), QSizeF(0, area.height()));
    double left = area.left();
    const auto takeUpTo = [&](double right) {
        if (right - left > widest.width()) widest = QRectF(left, area.top(), right - left, area.height());
    };
    for (auto box = std::ranges::partition_point(
             events, [&](const Event& event) { return event.end_ns <= period.start_ns; });
         box != events.end() && box->start_ns < period.end_ns; ++box) {
        const Edges x = edges(box->start_ns, box->end_ns);
        takeUpTo(std::min(x.left, area.right()));
        left = std::max(left, x.right);
    }
    takeUpTo(area.right());
    return widest;
}

void LanePainter::idleLabels() {
    const double padding = 5 * theme_.scale, height = QFontMetricsF(idle_font_).height();
    for (const auto& [area, index] : labelled_idle_) {
        const IdlePeriod period = prepared_.idle[index];
        const auto length = static_cast<double>(period.end_ns - period.start_ns);
        const QString with_unit = picture_.notation.duration(length);
        const Gap* const gap = group_.gapOf(period);
        for (const QString& text :
             {gap != nullptr ? with_unit + QStringLiteral(" · ") + causeName(gap->cause) : with_unit,
              with_unit, picture_.notation.number(length)}) {
            const double width = textWidth(text, idle_font_);
            if (width + 2 * padding + 2 > area.width()) continue;
            QRectF plate(0, 0, width + 2 * padding, height);
            plate.moveCenter(area.center());
            painter_.fillRect(plate, theme_.bubble);
            drawCentred(painter_, area.center(), text, idle_font_, theme_.text_soft);
            break;
        }
    }
}

}  // namespace bscope::ui
