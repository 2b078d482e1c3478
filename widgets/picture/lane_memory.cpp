// Activation memory of a lane: live bytes as a filled step curve, one scale for all ranks, the number of
// chunks in flight on the steps, and the cap as a dashed line.
#include <QPaintEngine>
#include <algorithm>
#include <limits>

#include "widgets/paint/rule.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/busy_columns.h"
#include "view/gallop.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr double kNumberRoom = 13, kRepeatAfter = 90;
constexpr qsizetype kManySteps = 400;
constexpr std::size_t kFewPoints = 32;

// Greatest live bytes from points[next] on, which becomes the first at `end_ns` or later: quicker than blocks
// of maxima for a few. False: there are more.
bool peakOfFew(const MemoryPoints& points, std::size_t& next, std::int64_t end_ns, std::int64_t& live) {
    const std::size_t until = std::min(next + kFewPoints, points.size());
    for (; next < until; ++next) {
        const MemoryPoint point = points[next];
        if (point.time_ns >= end_ns) return true;
        live = std::max(live, point.live_bytes);
    }
    return until == points.size();
}

// Least and most live bytes between two times, so that a number keeps clear of the whole curve beside it.
std::pair<std::int64_t, std::int64_t> liveBetween(const MemoryPoints& points, std::int64_t from_ns,
                                                  std::int64_t to_ns) {
    auto point =
        std::ranges::partition_point(points, [=](const MemoryPoint& p) { return p.time_ns <= from_ns; });
    if (point != points.begin()) --point;
    std::int64_t least = point->live_bytes, most = least;
    for (; point != points.end() && point->time_ns <= to_ns; ++point) {
        least = std::min(least, point->live_bytes);
        most = std::max(most, point->live_bytes);
    }
    return {least, most};
}

}  // namespace

double LanePainter::memoryFloor() const {
    return picture_.snapped(lane_.memory.bottom()) - 0.5 * picture_.pixel;
}

// The cap or, without one, the scale.
double LanePainter::memoryTop() const {
    const double top = group_.memoryCap() > 0
                           ? memoryY(group_.memoryCap())
                           : lane_.memory.bottom() - heightOf(group_.memoryScale(drawsHeld()));
    return picture_.snapped(top) - 0.5 * picture_.pixel;
}

void LanePainter::memory() {
    if (lane_.memory.height() <= 0 || group_.memoryScale() <= 0) return;
    const QRectF& plot = picture_.layout.plot;
    const double line = picture_.line(), half = 0.5 * picture_.pixel;
    const double floor = memoryFloor();
    const double base = picture_.snapped(memoryY(0)) - half;
    const auto points = group_.memory(rank_);
    const double now = group_.running() ? std::min(xOf(group_.view().now_ns), plot.right()) : plot.right();

    const std::int64_t from = timeAt(plot.left());
    const auto past_from =
        std::ranges::partition_point(points, [=](const MemoryPoint& p) { return p.time_ns <= from; });
    const auto past_to = std::ranges::partition_point(
        points, [to = timeAt(plot.right())](const MemoryPoint& p) { return p.time_ns <= to; });
    const auto first = static_cast<std::size_t>(past_from - points.begin());
    const auto past = static_cast<std::size_t>(past_to - points.begin());

    const bool dense = static_cast<double>(past - first) > 2 * plot.width();
    QPolygonF curve;
    curve.reserve(2 * (dense ? static_cast<qsizetype>(plot.width()) : static_cast<qsizetype>(past - first)) +
                  4);
    double level = first > 0 ? memoryY(static_cast<double>(points[first - 1].live_bytes)) : base;
    level = picture_.snapped(level) - half;
    curve << QPointF(plot.left(), level);
    Gallop gallop;
    bool are_few = true;  // in the last column
    for (std::size_t i = first; i < past;) {
        double x = xOf(points[i].time_ns);
        std::size_t next = i + 1;
        std::int64_t live = points[i].live_bytes;
        if (dense) {  // the greatest value of the pixel
            x = std::floor(x);
            const std::int64_t column_end = timeAt(x + 1);
            if (!are_few || !peakOfFew(points.first(past), next, column_end, live)) {
                next = std::max(next, gallop.next(points.first(past), i, [=](const MemoryPoint& p) {
                    return p.time_ns < column_end;
                }));
                live = prepared_.memory_peaks.over(points, i, next);
                are_few = next - i <= kFewPoints;
            }
        }
        const double to = picture_.snapped(memoryY(static_cast<double>(live))) - half;
        i = next;
        if (dense && to == level) continue;
        curve << QPointF(x, level) << QPointF(x, to);
        level = to;
    }
    curve << QPointF(std::max(now, curve.back().x()), level);

    const bool in_pixels = curve.size() > kManySteps && group_.hasRun() && !picture_.figure() &&
                           painter_.paintEngine()->type() == QPaintEngine::Raster;
    if (!in_pixels) fillBelow(curve, base);
    if (drawsHeld()) {
        memoryBands(curve.back().x());
        reserved(curve);
    }
    drawRule(painter_, QLineF(plot.left(), floor, plot.right(), floor), line, theme_.rule);
    if (in_pixels) {
        curveInPixels(curve, base);
    } else {
        QPen pen(theme_.memory_line, line);
        pen.setJoinStyle(Qt::MiterJoin);
        if (!group_.hasRun()) pen.setDashPattern({3, 2});
        painter_.setPen(pen);
        painter_.drawPolyline(curve);
    }
    if (picture_.layers.checkpointing)
        for (const CheckpointingPlan& other : group_.view().checkpointing) otherCheckpointing(other);

    if (group_.memoryCap() > 0) {
        const double top = memoryTop();
        QPen dashed(theme_.text_soft, line);
        dashed.setDashPattern({5, 4});
        painter_.setPen(dashed);
        painter_.drawLine(QLineF(plot.left(), top, plot.right(), top));
    }
    if (!dense) inFlightNumbers(points, first, past);
}

// Beside the strip: what its top and its floor are.
void LanePainter::memoryScale() {
    if (!picture_.layers.memory || lane_.memory.height() <= 0 || group_.memoryScale() <= 0) return;
    if (lane_.header.width() < 70 * theme_.scale && !picture_.figure()) return;
    const QRectF& plot = picture_.layout.plot;
    const double floor = memoryFloor(), top = memoryTop();
    const bool cap = group_.memoryCap() > 0;
    const QFont font = theme_.font(10);
    const double right = plot.left() - 6 * theme_.scale;
    const QString greatest =
        cap ? capText(group_.view().config.memory_cap_mb) : bytesText(group_.memoryScale(drawsHeld()));
    if (textWidth(greatest, font) + 8 < plot.left())
        drawRight(painter_, {right, top + 1 * theme_.scale}, greatest, font, theme_.text_faint);
    if (floor - top > 22 * theme_.scale)
        drawRight(painter_, {right, floor - 4 * theme_.scale}, QStringLiteral("0"), font, theme_.text_faint);
}

// A curve of many steps, and what is below it, column by column: lines and polygons of thousands of upright
// edges take a raster engine time by edges times rows.
void LanePainter::curveInPixels(const QPolygonF& curve, double base) {
    const double pixel = picture_.pixel;
    const auto cell = [pixel](double at) { return static_cast<int>(std::floor(at / pixel)); };
    const int first = cell(curve.front().x()), base_row = cell(base);
    struct Rows {  // of the line
        int top = std::numeric_limits<int>::max(), bottom = std::numeric_limits<int>::min();
    };
    std::vector<Rows> columns(static_cast<std::size_t>(cell(curve.back().x()) - first) + 1);
    int highest = base_row;
    for (qsizetype i = 0; i + 1 < curve.size(); ++i) {
        const int from = cell(curve[i].y()), to = cell(curve[i + 1].y());
        const int top = std::min(from, to), bottom = std::max(from, to);
        highest = std::min(highest, top);
        for (int x = std::max(cell(curve[i].x()), first); x <= cell(curve[i + 1].x()); ++x) {
            Rows& rows = columns[static_cast<std::size_t>(x - first)];
            rows = {std::min(rows.top, top), std::max(rows.bottom, bottom)};
        }
    }
    const int thick = std::max(static_cast<int>(std::lround(picture_.line() / pixel)), 1) - 1;
    for (std::size_t x = columns.size(); thick > 0 && x-- > 0;) {
        for (std::size_t before = x - std::min<std::size_t>(x, static_cast<std::size_t>(thick)); before < x;
             ++before)
            columns[x] = {std::min(columns[x].top, columns[before].top),
                          std::max(columns[x].bottom, columns[before].bottom)};
        columns[x].bottom = std::min(columns[x].bottom + thick, base_row);
    }
    std::array<QColor, BusyColumns::kStacked.size()> colours;
    colours[0] = theme_.memory_fill, colours[1] = theme_.memory_line;
    const double height = std::max(base_row - highest, 1);
    BusyColumns stacks(painter_, QRectF(first * pixel, highest * pixel, 0, height * pixel), pixel, colours,
                       {});
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const int bottom = std::min(columns[x].bottom, base_row - 1);
        auto& stack = stacks.add((first + static_cast<int>(x)) * pixel).share;
        stack[0] = (base_row - 1 - bottom) / height;
        stack[1] = std::max(bottom - columns[x].top + 1, 0) / height;
    }
    stacks.paint();
    for (std::size_t x = 0; x < columns.size();) {  // where it lies on the base itself
        const std::size_t from = x;
        while (x < columns.size() && columns[x].bottom >= base_row) ++x;
        if (x > from)
            painter_.fillRect(QRectF((first + static_cast<int>(from)) * pixel, base_row * pixel,
                                     static_cast<double>(x - from) * pixel, pixel),
                              theme_.memory_line);
        else
            ++x;
    }
}

// As one polygon, or as rectangles step by step: filling a polygon of thousands of upright edges takes a
// raster engine time by edges times rows. Not in a figure, where a viewer would show the seams.
void LanePainter::fillBelow(const QPolygonF& curve, double base) {
    if (curve.size() > kManySteps && !picture_.figure()) {
        for (qsizetype i = 0; i + 1 < curve.size(); i += 2)
            painter_.fillRect(
                QRectF(curve[i].x(), curve[i].y(), curve[i + 1].x() - curve[i].x(), base - curve[i].y()),
                theme_.memory_fill);
        return;
    }
    QPolygonF area = curve;
    area << QPointF(area.back().x(), base) << QPointF(area.front().x(), base);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.memory_fill);
    painter_.drawPolygon(area);
    painter_.setBrush(Qt::NoBrush);
}

void LanePainter::inFlightNumbers(const MemoryPoints& points, std::size_t first, std::size_t past) {
    const QRectF& plot = picture_.layout.plot;
    const double until = group_.running() ? std::min(xOf(group_.view().now_ns), plot.right()) : plot.right();
    int last_number = -1;
    double last_x = -1e9;
    const std::size_t start = first > 0 ? first - 1 : 0;
    for (std::size_t i = start; i < past;) {
        // A level lasts until the number changes for longer than can be seen.
        const int number = points[i].in_flight;
        const double left = std::max(xOf(points[i].time_ns), plot.left());
        double right = until;
        std::size_t next = i + 1;
        for (; next < past; ++next) {
            right = xOf(points[next].time_ns);
            if (points[next].in_flight != number) break;
        }
        if (next >= past) right = until;
        i = next;
        if (number <= 0 || right - left < kNumberRoom * theme_.scale) continue;
        const double x = (left + right) / 2;
        if (number == last_number && x - last_x < kRepeatAfter * theme_.scale) continue;
        const double half_width = 5 * theme_.scale, half_height = 5 * theme_.scale;
        const auto [least, most] = liveBetween(points, timeAt(x - half_width), timeAt(x + half_width));
        const double over = memoryY(static_cast<double>(most)), under = memoryY(static_cast<double>(least));
        const double ceiling = group_.memoryCap() > 0 ? memoryY(group_.memoryCap()) : lane_.memory.top();
        const bool above = over - 2 * half_height - 2 >= ceiling;
        const bool inside = under + 2 * half_height + 2 <= lane_.memory.bottom();
        if (!above && !inside) continue;
        drawCentred(
            painter_,
            {x, above ? over - half_height - 1.5 * theme_.scale : under + half_height + 2 * theme_.scale},
            QString::number(number), in_flight_font_, theme_.text_soft);
        last_number = number;
        last_x = x;
    }
}

}  // namespace bscope::ui
