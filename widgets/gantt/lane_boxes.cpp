// Boxes of a lane: what ran. Wide enough ones are boxes with a number; narrower than 2 px they merge into columns that
// show, from the prefix sums, exactly which share of the column's time each operation took.
#include <algorithm>
#include <array>

#include "widgets/gantt/hatch.h"
#include "widgets/gantt/lane_painter.h"
#include "widgets/gantt/text_runs.h"

namespace bscope::ui {

namespace {

constexpr double kLeastNumber = 10;
constexpr double kDimmedFill = 0.5, kDimmedLabel = 0.72;
constexpr std::array<Op, 5> kStacked{Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight, Op::Recompute};

}  // namespace

void LanePainter::boxes() {
    const auto events = group_.ran(rank_);
    const auto offset = events.empty() ? 0 : static_cast<std::size_t>(events.data() - group_.view().ran->compute(rank_).data());
    const double column = picture_.column(), least = 2 * column;
    double next_column = picture_.layout.plot.left();
    std::size_t i = firstVisible(events);
    while (i < events.size()) {
        const Edges x = edges(events[i].start_ns, events[i].end_ns);
        if (rightOfPlot(x.left)) break;
        const bool cut = x.left < picture_.layout.plot.left() || x.right > picture_.layout.plot.right();
        if (x.width() >= least || cut) {
            box(events[i], x);
            ++i;
            continue;
        }
        const double at = std::max(std::floor(x.left / column) * column, next_column);
        next_column = at + column;
        const std::int64_t to = timeAt(next_column);
        busyColumn(at, column, timeAt(at), to);
        i = std::max(i + (events[i].end_ns <= to), group_.view().ran->firstEndingAfter(rank_, to) - offset);
    }
}

void LanePainter::busyColumn(double x, double width, std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns <= from_ns) return;
    double bottom = lane_.box.bottom();
    const double per_ns = lane_.box.height() / static_cast<double>(to_ns - from_ns);
    if (picture_.layers.bubbles)
        painter_.fillRect(QRectF(x, lane_.box.top(), width, lane_.box.height()), theme_.bubble);
    for (const Op op : kStacked) {
        if (!group_.contains(op)) continue;
        const double height = static_cast<double>(group_.view().ran->busy_ns(rank_, op, from_ns, to_ns)) * per_ns;
        if (height <= 0) continue;
        const QColor fill = theme_.fill(op);
        painter_.fillRect(QRectF(x, bottom - height, width, height), picture_.selection ? faded(fill, kDimmedFill) : fill);
        bottom -= height;
    }
}

void LanePainter::box(const Event& event, const Edges& x) {
    const bool joins_next = event.op == Op::Recompute;  // the left part of its backward
    const double left = picture_.snapped(x.left);
    double right = std::max(picture_.snapped(x.right), left + picture_.pixel);
    if (right - left >= 4 && !joins_next) right -= picture_.line();
    const QRectF area(left, lane_.box.top(), right - left, lane_.box.height());
    const int chunk = group_.chunkLetterOf(event.stage);
    const bool dimmed = isDimmed(event);
    const QColor full = theme_.fill(event.op, std::max(chunk, 0));
    const QColor fill = dimmed ? faded(full, kDimmedFill) : full;
    painter_.fillRect(area, fill);

    const QColor ink = theme_.ink(full);
    if (event.op == Op::BackwardWeight) {
        painter_.fillRect(QRectF(area.left(), area.top() + 3 * theme_.scale, area.width(), 2 * theme_.scale),
                          mixed(ink, fill, 0.75));
    } else if (event.op == Op::Recompute) {
        drawHatch(painter_, area, Hatch::Rising, {mixed(theme_.ink(full), fill, 0.35), 5 * theme_.scale, picture_.line()});
        return;
    } else if (event.op == Op::OptimizerStep) {
        painter_.setPen(QPen(theme_.ink(fill), picture_.line(), Qt::DotLine));
        painter_.setBrush(Qt::NoBrush);
        if (area.width() > 4) painter_.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    boxLabel(area, event.microbatch, chunk, dimmed ? mixed(theme_.ink(fill), fill, kDimmedLabel) : ink);
}

void LanePainter::boxLabel(const QRectF& box, int microbatch, int chunk, const QColor& ink) {
    if (microbatch < 0 || box.width() < kLeastNumber * theme_.scale) return;
    const QString text = picture_.notation.microbatch(microbatch);
    QFont font = theme_.font(box.height() > 40 * theme_.scale ? 12 : 11.5, QFont::DemiBold);
    if (textWidth(text, font) + 3 > box.width()) font = theme_.font(9.6, QFont::DemiBold);
    if (textWidth(text, font) + 1 > box.width()) return;
    const double letter_room = chunk >= 0 ? 0.2 * box.height() : 0;
    const QRectF visible = box.intersected(picture_.layout.plot);
    drawCentred(painter_, {visible.center().x(), box.center().y() - letter_room}, text, font, ink);
    if (chunk >= 0)
        drawCentred(painter_, {visible.center().x(), box.bottom() - 0.24 * box.height()}, QString(QChar(u'a' + chunk % 26)),
                    theme_.font(9.6, QFont::Medium), ink);
}

}  // namespace bscope::ui
