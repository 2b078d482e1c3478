#include "widgets/picture/overlay_painter.h"

#include <algorithm>

#include "view/gap.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/note_flags.h"
#include "widgets/picture/timeline_painter.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr std::size_t kFewArrows = 60;

}  // namespace

void OverlayPainter::draw(const Cursor& cursor, const std::optional<TimeRange>& measured,
                          const std::optional<LaneSpan>& lanes) {
    for (column_ = 0; column_ < picture_.layout.columns; ++column_) {
        pills_.clear();
        if (const QRectF note = boundaryNotePlace(picture_); !note.isNull() && isHere(0))
            pills_.push_back(note);
        painter_.save();
        painter_.translate(picture_.layout.leftOf(column_), 0);
        column(cursor, measured, lanes);
        painter_.restore();
    }
}

void OverlayPainter::drawMessages() {
    const LaneLayout& layout = picture_.layout;
    for (column_ = 0; column_ < layout.columns; ++column_) {
        painter_.save();
        painter_.translate(layout.leftOf(column_), 0);
        painter_.setClipRect(layout.plot.intersected(layout.view));
        arrows();
        painter_.restore();
    }
}

void OverlayPainter::drawNow() {
    for (column_ = 0; column_ < picture_.layout.columns; ++column_) {
        painter_.save();
        painter_.translate(picture_.layout.leftOf(column_), 0);
        pills_.clear();
        nowLine();
        painter_.restore();
    }
}

void OverlayPainter::column(const Cursor& cursor, const std::optional<TimeRange>& measured,
                            const std::optional<LaneSpan>& lanes) {
    const LaneLayout& layout = picture_.layout;
    painter_.save();
    painter_.setClipRect(layout.plot.intersected(layout.view));
    criticalPath();
    marks();
    selectedLife();
    selectedGap();
    chain();
    arrows();
    if (cursor.zoom_range) tint(*cursor.zoom_range, std::nullopt);
    painter_.restore();
    if (column_ == 0) drawNoteFlags(painter_, picture_);
    if (measured) measuredRange(*measured, lanes);
    if (cursor.time_ns && !measured) hairLine(*cursor.time_ns);
    nowLine();
}

// A frame around each on the lanes, and a tick at the foot of the ruler; closer than a pixel they are one.
void OverlayPainter::marks() {
    if (picture_.marks.empty() || !isHere(0)) return;
    const auto& lanes = picture_.layout.groups.front();
    const double line = picture_.line(), foot = picture_.layout.ruler.bottom();
    const QColor& accent = picture_.theme.accent;
    double ticked = -1e9;
    painter_.setBrush(Qt::NoBrush);
    for (const Mark& mark : picture_.marks) {
        if (mark.rank >= static_cast<int>(lanes.size())) continue;
        const double left = picture_.snapped(picture_.axis.toPx(mark.range.from_ns)),
                     right = picture_.snapped(picture_.axis.toPx(mark.range.to_ns));
        if (right < picture_.layout.plot.left() || left > picture_.layout.plot.right()) continue;
        const QRectF& box = lanes[static_cast<std::size_t>(mark.rank)].box;
        const QRectF around(left, box.top(), std::max(right - left, 2 * line), box.height());
        painter_.setPen(QPen(accent, 3 * line));
        painter_.drawRect(around);
        // Apart from the box' own colour, whichever that is.
        painter_.setPen(QPen(picture_.theme.canvas, line));
        if (around.width() > 8 * line)
            painter_.drawRect(around.adjusted(2 * line, 2 * line, -2 * line, -2 * line));
        if (left < ticked + line) continue;
        ticked = left;
        painter_.save();
        painter_.setClipping(false);
        painter_.fillRect(QRectF(left, foot - 6 * picture_.theme.scale, 2 * line, 6 * picture_.theme.scale),
                          accent);
        painter_.restore();
    }
}

void OverlayPainter::outline(double left, double right, const QRectF& box) {
    if (right < picture_.layout.plot.left() || left > picture_.layout.plot.right()) return;
    QPen pen(picture_.theme.text, 2 * picture_.line());
    pen.setJoinStyle(Qt::MiterJoin);
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(QRectF(left, box.top(), std::max(right - left, 2.0), box.height()));
}

void OverlayPainter::selectedLife() {
    for (std::size_t g = 0; g < picture_.lives.size(); ++g)
        for (const Event& event : picture_.lives[g].boxes) {
            if (!isHere(g)) break;
            const QRectF& box = picture_.layout.groups[g][static_cast<std::size_t>(event.rank)].box;
            const double left = picture_.snapped(picture_.xOf(picture_.groups[g], event.start_ns));
            const double right = picture_.snapped(picture_.xOf(picture_.groups[g], event.end_ns));
            outline(left, right - picture_.line(), box);
        }
}

void OverlayPainter::selectedGap() {
    if (!picture_.gap) return;
    const std::size_t g = picture_.selected_group;
    if (!isHere(g)) return;
    const auto period = gapOf(picture_.groups[g], *picture_.gap);
    if (!period) return;
    const QRectF& box = picture_.layout.groups[g][static_cast<std::size_t>(picture_.gap->rank)].box;
    const double inset = picture_.line();  // beside the boxes, not on them
    outline(picture_.snapped(picture_.xOf(picture_.groups[g], period->start_ns)) + inset,
            picture_.snapped(picture_.xOf(picture_.groups[g], period->end_ns)) - 2 * inset,
            box.adjusted(0, inset, 0, -inset));
}

QRectF OverlayPainter::placeOf(std::size_t of, const Reason& reason) const {
    const PreparedView& group = picture_.groups[of];
    const QRectF& box = picture_.layout.groups[of][static_cast<std::size_t>(reason.rank)].box;
    const double left = picture_.snapped(picture_.xOf(group, reason.start_ns));
    return {left, box.top(), picture_.snapped(picture_.xOf(group, reason.end_ns)) - left, box.height()};
}

// From the sender's box to where the data is at the receiver.
void OverlayPainter::messageOf(std::size_t of, const Reason& reason, double width) {
    if (reason.rank < 0) return;
    const PreparedView& group = picture_.groups[of];
    const auto& lanes = picture_.layout.groups[of];
    const QRectF& from = lanes[static_cast<std::size_t>(reason.rank)].box;
    const QRectF& to = lanes[static_cast<std::size_t>(reason.to)].box;
    const bool down = to.top() > from.top();
    painter_.setPen(QPen(picture_.theme.accent, width * picture_.line()));
    painter_.drawLine(QLineF(picture_.xOf(group, reason.start_ns), down ? from.bottom() : from.top(),
                             picture_.xOf(group, reason.end_ns), down ? to.top() : to.bottom()));
}

// The links of the selected gap: boxes with a frame, messages as lines, pauses as lines along the lane; the
// chosen one is tinted.
void OverlayPainter::chain() {
    const std::size_t of = picture_.selected_group;
    if (!isHere(of)) return;
    const Theme& theme = picture_.theme;
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t i = 0; i < picture_.chain.size(); ++i) {
        const Reason& reason = picture_.chain[i];
        const bool is_chosen = picture_.link == static_cast<int>(i);
        if (reason.kind == Reason::Kind::Start) continue;
        if (reason.kind == Reason::Kind::Message) {
            messageOf(of, reason, is_chosen ? 4 : 2);
            continue;
        }
        const QRectF place = placeOf(of, reason);
        if (reason.kind == Reason::Kind::Pause) {
            QPen pen(theme.accent, (is_chosen ? 4 : 2) * picture_.line());
            pen.setDashPattern({2, 1.5});
            painter_.setPen(pen);
            painter_.drawLine(QLineF(place.left(), place.center().y(), place.right(), place.center().y()));
            continue;
        }
        if (is_chosen) {
            QColor tint = theme.accent;
            tint.setAlpha(90);
            painter_.fillRect(place, tint);
        }
        painter_.setPen(QPen(theme.accent, 2 * picture_.line()));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(
            place.adjusted(picture_.line(), picture_.line(), -picture_.line(), -picture_.line()));
    }
    painter_.restore();
}

// A bar at the foot of every box on it, and its messages as lines.
void OverlayPainter::criticalPath() {
    if (!isHere(0)) return;
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing, true);
    const double height = 4 * picture_.theme.scale;
    for (const Reason& reason : picture_.critical_path) {
        if (reason.kind == Reason::Kind::Message) messageOf(0, reason, 2.5);
        if (reason.kind != Reason::Kind::Operation && reason.kind != Reason::Kind::Pause) continue;
        const QRectF place = placeOf(0, reason);
        const QRectF bar(place.left(), place.bottom() - height, std::max(place.width(), 1.0), height);
        if (reason.kind == Reason::Kind::Operation)
            painter_.fillRect(bar, picture_.theme.accent);
        else
            painter_.fillRect(bar.adjusted(0, height / 3, 0, -height / 3), picture_.theme.accent);
    }
    painter_.restore();
}

void OverlayPainter::arrows() {
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        if (!isHere(g)) continue;
        const PreparedView& group = picture_.groups[g];
        if (g < picture_.lives.size()) {
            for (const MessageArrow& message : picture_.lives[g].messages) arrow(group, g, message, 1);
        } else if (picture_.layers.arrows && g < picture_.messages.size() &&
                   (picture_.figure() || !picture_.layout.low())) {
            const auto visible = [&](const MessageArrow& m) {
                return picture_.xOf(group, m.arrived_ns) > picture_.layout.plot.left() &&
                       picture_.xOf(group, m.sent_ns) < picture_.layout.plot.right();
            };
            const auto count = static_cast<std::size_t>(std::ranges::count_if(picture_.messages[g], visible));
            if (count >= kFewArrows && !picture_.figure()) continue;
            for (const MessageArrow& message : picture_.messages[g])
                if (visible(message)) arrow(group, g, message, picture_.figure() ? 0.8 : 0.4);
        }
    }
    painter_.restore();
}

// From the end of the sender's box to where the data is at the receiver, with an 8 px bend at both ends.
void OverlayPainter::arrow(const PreparedView& group, std::size_t group_index, const MessageArrow& message,
                           double opacity) {
    const auto& lanes = picture_.layout.groups[group_index];
    const QRectF& from = lanes[static_cast<std::size_t>(message.from_rank)].box;
    const QRectF& to = lanes[static_cast<std::size_t>(message.to_rank)].box;
    const bool down = to.top() > from.top();
    const double s = picture_.theme.scale, sign = down ? 1 : -1, bend = 8 * s, head = 4 * s;
    const QPointF start(picture_.xOf(group, message.sent_ns) - picture_.line(),
                        down ? from.bottom() : from.top());
    const QPointF end(picture_.xOf(group, message.arrived_ns), down ? to.top() : to.bottom());
    QColor colour = picture_.theme.communication;
    // Thin lines sink into black.
    const double strength = picture_.theme.kind == ThemeKind::Dark ? std::min(1.0, 1.75 * opacity) : opacity;
    colour.setAlphaF(static_cast<float>(strength));
    const QPointF line[]{start,
                         {start.x(), start.y() + sign * bend},
                         {end.x(), end.y() - sign * bend},
                         {end.x(), end.y() - sign * head}};
    painter_.setPen(QPen(colour, opacity < 1 ? picture_.line() : 1.4 * picture_.line()));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolyline(line, 4);
    const QPointF tip[]{end,
                        {end.x() - head * 0.8, end.y() - sign * head * 1.4},
                        {end.x() + head * 0.8, end.y() - sign * head * 1.4}};
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour);
    painter_.drawPolygon(tip, 3);
}

// lanes: of every group; nullopt: the whole height.
void OverlayPainter::tint(const TimeRange& range, const std::optional<LaneSpan>& lanes) {
    const QRectF& plot = picture_.layout.plot;
    const double left = std::max(picture_.snapped(picture_.axis.toPx(range.from_ns)), plot.left());
    const double right = std::min(picture_.snapped(picture_.axis.toPx(range.to_ns)), plot.right());
    if (right <= left) return;
    QColor fill = picture_.theme.accent;
    fill.setAlpha(picture_.theme.kind == ThemeKind::Dark ? 40 : 22);
    const auto part = [&](double top, double bottom) {
        painter_.fillRect(QRectF(left, top, right - left, bottom - top), fill);
        painter_.setPen(QPen(picture_.theme.accent, picture_.line()));
        painter_.drawLine(QLineF(left, top, left, bottom));
        painter_.drawLine(QLineF(right, top, right, bottom));
    };
    if (!lanes) return part(plot.top(), plot.bottom());
    for (std::size_t g = 0; g < picture_.layout.groups.size(); ++g) {
        if (!isHere(g)) continue;
        const std::vector<Lane>& group = picture_.layout.groups[g];
        const int last = std::min(lanes->last, static_cast<int>(group.size()) - 1);
        if (lanes->first > last) continue;
        const double top = group[static_cast<std::size_t>(lanes->first)].all.top(),
                     bottom = group[static_cast<std::size_t>(last)].all.bottom();
        part(top, bottom);
        painter_.drawLine(QLineF(left, top, right, top));
        painter_.drawLine(QLineF(left, bottom, right, bottom));
    }
}

// Δt in the ruler, and at every lane end busy and bubble share of the range in place of the iteration's
// numbers.
void OverlayPainter::measuredRange(const TimeRange& range, const std::optional<LaneSpan>& lanes) {
    const LaneLayout& layout = picture_.layout;
    const Theme& theme = picture_.theme;
    painter_.save();
    painter_.setClipRect(layout.plot.intersected(layout.view));
    tint(range, lanes);
    painter_.restore();
    const double middle = picture_.axis.toPx((range.from_ns + range.to_ns) / 2);
    rulerPill(std::clamp(middle, layout.plot.left(), layout.plot.right()),
              QStringLiteral("Δ ") + picture_.notation.duration(range.width()), theme.accent);

    const double s = theme.scale;
    painter_.save();
    painter_.setClipRect(layout.view);
    for (std::size_t g = 0; g < picture_.groups.size() && g < picture_.readings.size(); ++g) {
        if (!isHere(g) || !picture_.readings[g]) continue;
        for (const RangeNumbers::OfRank& each : picture_.readings[g]->numbers.ranks) {
            const Lane& lane = layout.groups[g][static_cast<std::size_t>(each.rank)];
            const double bubble = each.all.bubbleOfTotal();
            if (each.all.busy_ns + each.all.idle_ns == 0) continue;  // the rank has no part in it
            const QRectF cell(lane.end.left() + 8 * s, lane.ghost_top, lane.end.width() - 8 * s,
                              lane.box.bottom() - lane.ghost_top + 2 * s);
            painter_.fillRect(cell, theme.accent_tint);
            const double left = lane.end.left() + 16 * s, y = lane.box.center().y();
            drawRuns(painter_, left, y - 8 * s,
                     {{picture_.notation.bubble(bubble), theme.font(14, QFont::DemiBold), theme.accent},
                      {u' ' + Canvas::tr("range"), theme.font(11), theme.accent}});
            drawLeft(painter_, {left, y + 8.5 * s}, Canvas::tr("busy %1").arg(shareText(1 - bubble)),
                     theme.font(11), theme.text_soft);
        }
    }
    painter_.restore();
}

void OverlayPainter::nowLine() {
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        const PreparedView& group = picture_.groups[g];
        if (!isHere(g) || !group.running() || !group.hasRun()) continue;
        const double now = group.relative(group.view().now_ns),
                     x = picture_.snapped(picture_.xOf(group, group.view().now_ns));
        const QRectF& plot = picture_.layout.plot;
        if (x < plot.left() || x > plot.right()) continue;
        const auto& lanes = picture_.layout.groups[g];
        const IterationState iteration_state = group.view().iteration_state;
        const bool goes_on =
            iteration_state == IterationState::Live || iteration_state == IterationState::Replayed;
        const QColor& color = !goes_on ? picture_.theme.text_soft : picture_.theme.ok;
        painter_.fillRect(QRectF(x, std::max(lanes.front().all.top(), plot.top()), 1.5 * picture_.line(),
                                 std::min(lanes.back().all.bottom(), plot.bottom()) -
                                     std::max(lanes.front().all.top(), plot.top())),
                          color);
        rulerPill(x,
                  (goes_on                                     ? Canvas::tr("now %1")
                   : iteration_state == IterationState::Paused ? Canvas::tr("paused at %1")
                   : iteration_state == IterationState::Cut    ? Canvas::tr("cut at %1")
                                                               : Canvas::tr("ended at %1"))
                      .arg(picture_.notation.duration(now)),
                  color);
    }
}

void OverlayPainter::hairLine(double time_ns) {
    const QRectF& plot = picture_.layout.plot;
    const double x = picture_.snapped(picture_.axis.toPx(time_ns));
    if (x < plot.left() || x > plot.right()) return;
    // For a class it is seen from the last row.
    const double wide = picture_.theme.kind == ThemeKind::Projector ? 4 : picture_.line();
    painter_.fillRect(QRectF(x, plot.top() - 4, wide, plot.height() + 4), picture_.theme.accent);
    rulerPill(x,
              picture_.notation.inForwards()
                  ? picture_.notation.duration(time_ns)
                  : withUnit(rulerNumber(picture_.axis, time_ns), QStringLiteral("ms")),
              picture_.theme.accent);
}

// Beside the pills that are there already, as near as it can be. Labels of the ruler that it would touch give
// way.
void OverlayPainter::rulerPill(double x, const QString& text, const QColor& fill) {
    const Theme& theme = picture_.theme;
    const QRectF& ruler = picture_.layout.ruler;
    const QFont font = theme.font(11, QFont::DemiBold);
    const double s = theme.scale, width = textWidth(text, font) + 14 * s, height = 18 * s;
    // The head of the column at the right stays free.
    const double last = std::max(ruler.left(), ruler.right() - width), gap = 3 * s;
    const double wanted = std::clamp(x - width / 2, ruler.left(), last);
    std::vector<double> places{wanted};
    for (const QRectF& other : pills_)
        places.insert(places.end(), {other.left() - gap - width, other.right() + gap});
    const auto isFree = [&](double left) {
        return left >= ruler.left() && left <= last && std::ranges::none_of(pills_, [&](const QRectF& other) {
                   return left < other.right() + 0.5 * gap && left + width > other.left() - 0.5 * gap;
               });
    };
    std::ranges::stable_sort(places, {}, [wanted](double left) { return std::abs(left - wanted); });
    const auto nearest = std::ranges::find_if(places, isFree);
    const double left = nearest == places.end() ? wanted : *nearest;
    const QRectF pill(left, ruler.center().y() - height / 2 - 1, width, height);
    // Where a label lies below another pill, that has to stay.
    const auto isBelowAnother = [this](const QRectF& label) {
        return std::ranges::any_of(pills_, [&label](const QRectF& other) { return label.intersects(other); });
    };
    for (const RulerLabel& label : rulerLabels(picture_))
        if (label.place.intersects(pill.adjusted(-4 * s, 0, 4 * s, 0)) && !isBelowAnother(label.place))
            painter_.fillRect(label.place.adjusted(-1, 0, 1, 0), theme.canvas);
    pills_.push_back(pill);
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing, true);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(fill);
    painter_.drawRoundedRect(pill, 3 * s, 3 * s);
    painter_.restore();
    drawCentred(painter_, pill.center(), text, font, theme.ink(fill));
}

}  // namespace bscope::ui
