#include "widgets/picture/timeline_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <functional>

#include "widgets/paint/rule.h"
#include "widgets/paint/text_runs.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr double kTickSpacing = 90, kLeastGapWithHair = 8;
constexpr double kRim = 2;  // px around what lanes fill, since painters may stand a part of a pixel off

// Nothing is drawn that would have a time.
bool allCovered(const Picture& picture) {
    return !picture.groups.empty() && std::ranges::all_of(picture.groups, [](const PreparedView& group) {
        return group.view().covered;
    });
}

// Where nothing is shown yet a frame stands in place of the lanes.
bool fillsGround(const Picture& picture, std::size_t group) {
    return group < picture.groups.size() && !picture.groups[group].view().covered;
}

}  // namespace

QRegion groundOfLanes(const Picture& picture) {
    const LaneLayout& layout = picture.layout;
    QRegion filled;
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
        if (!fillsGround(picture, g)) continue;
        const QRectF lanes(layout.view.left(), layout.groups[g].front().all.top(), layout.view.width(),
                           layout.groups[g].back().all.bottom() - layout.groups[g].front().all.top());
        filled += layout.view.intersected(lanes)
                      .adjusted(kRim, kRim, -kRim, -kRim)
                      .translated(layout.leftOf(layout.columnOf(static_cast<int>(g))), 0)
                      .toRect();
    }
    return filled;
}

void TimelinePainter::draw() {
    const LaneLayout& layout = picture_.layout;
    for (column_ = 0; column_ < layout.columns; ++column_) {
        painter_.save();
        painter_.translate(layout.leftOf(column_), 0);
        if (layout.columns > 1) painter_.setClipRect(layout.all, Qt::IntersectClip);
        column();
        painter_.restore();
    }
    painter_.setPen(QPen(picture_.theme.rule, picture_.line()));
    for (int column = 1; column < layout.columns; ++column) {
        const double x =
            picture_.snapped(layout.leftOf(column) - layout.column_gap / 2) + 0.5 * picture_.pixel;
        painter_.drawLine(QLineF(x, layout.all.top(), x, layout.all.bottom()));
    }
}

void TimelinePainter::column() {
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing, false);
    painter_.setClipRect(picture_.layout.view);
    hairGrid();
    lanes();
    endOfIteration();
    painter_.restore();
    ruler();
    titles();
}

void TimelinePainter::hairGrid() {
    const LaneLayout& layout = picture_.layout;
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
        if (!isHere(g) || lanesHaveGround(g)) continue;
        verticalHairs(painter_, g);
        const bool covered = g < picture_.groups.size() && picture_.groups[g].view().covered;
        for (std::size_t r = 0; r < layout.groups[g].size() && !covered; ++r) hairBelow(painter_, g, r);
    }
}

// Hairs and ground touch every row of the picture: of many lanes each paints its part.
bool TimelinePainter::lanesHaveGround(std::size_t group) const {
    return threads_ != nullptr && fillsGround(picture_, group);
}

void TimelinePainter::verticalHairs(QPainter& painter, std::size_t group) const {
    const std::vector<Lane>& lanes = picture_.layout.groups[group];
    const Ticks ticks =
        niceTicks(picture_.axis, picture_.notation.unitNs(), kTickSpacing * picture_.theme.scale);
    for (const double value : ticks.values) {
        const double x =
            picture_.snapped(picture_.axis.toPx(value * picture_.notation.unitNs())) + 0.5 * picture_.pixel;
        drawRule(painter, QLineF(x, lanes.front().all.top(), x, lanes.back().memory.bottom()),
                 picture_.line(), picture_.theme.hair);
    }
}

// Between this lane and the next one.
void TimelinePainter::hairBelow(QPainter& painter, std::size_t group, std::size_t rank) const {
    const LaneLayout& layout = picture_.layout;
    const std::vector<Lane>& lanes = layout.groups[group];
    if (picture_.figure() || layout.metrics.gap < kLeastGapWithHair || rank + 1 == lanes.size()) return;
    const double y =
        picture_.snapped(lanes[rank].all.bottom() - layout.metrics.gap / 2) + 0.5 * picture_.pixel;
    drawRule(painter, QLineF(0, y, layout.all.right(), y), picture_.line(), picture_.theme.hair);
}

void TimelinePainter::lanes() {
    const LaneLayout& layout = picture_.layout;
    std::vector<std::pair<int, int>> seen;  // group, rank
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        if (!isHere(g)) continue;
        if (picture_.groups[g].view().covered) {
            cover(g);
            continue;
        }
        for (int r = 0; r < picture_.groups[g].lanes(); ++r)
            if (layout.groups[g][static_cast<std::size_t>(r)].all.intersects(layout.view))
                seen.emplace_back(static_cast<int>(g), r);
    }
    const auto forEach = [&](const std::function<void(QPainter&, int group, int rank)>& paint) {
        const auto part = [&](QPainter& painter, std::size_t i) {
            paint(painter, seen[i].first, seen[i].second);
        };
        if (threads_ != nullptr) return threads_->paint(painter_, seen.size(), part);
        for (std::size_t i = 0; i < seen.size(); ++i) part(painter_, i);
    };
    forEach([&](QPainter& painter, int group, int rank) { lane(painter, group, rank); });
    forEach([&](QPainter& painter, int group, int rank) {  // may reach into the rows of the next lane
        LanePainter words(painter, picture_, group, rank);
        painter.save();
        painter.setClipRect(layout.view);
        words.memoryScale();
        words.header();
        words.end();
        painter.restore();
    });
}

// What stays within its rows.
void TimelinePainter::lane(QPainter& painter, int group, int rank) const {
    const LaneLayout& layout = picture_.layout;
    const std::vector<Lane>& lanes = layout.groups[static_cast<std::size_t>(group)];
    const auto index = static_cast<std::size_t>(rank);
    const double top = picture_.snapped(lanes[index].all.top());
    const double bottom =
        picture_.snapped(index + 1 < lanes.size() ? lanes[index + 1].all.top() : lanes[index].all.bottom());
    const QRectF sight =
        layout.view.intersected(QRectF(layout.view.left(), top, layout.view.width(), bottom - top));
    LanePainter lane(painter, picture_, group, rank);
    painter.save();
    painter.setClipRect(sight);
    if (lanesHaveGround(static_cast<std::size_t>(group))) {
        painter.fillRect(sight.adjusted(-kRim, -kRim, kRim, kRim), picture_.theme.canvas);
        verticalHairs(painter, static_cast<std::size_t>(group));
        hairBelow(painter, static_cast<std::size_t>(group), index);
    }
    painter.setClipRect(
        sight.intersected(QRectF(layout.plot.left(), sight.top(), layout.plot.width(), sight.height())));
    lane.brackets();
    if (picture_.layers.bubbles) lane.idle();
    lane.ghost();
    if (picture_.layers.bubbles) lane.idleLabels();
    lane.neighbours();
    lane.boxes();
    lane.communication();
    painter.setClipRect(sight);
    if (picture_.layers.memory) lane.memory();
    painter.restore();
}

// A frame over all lanes of a run that may not be seen yet.
void TimelinePainter::cover(std::size_t group) {
    const Theme& theme = picture_.theme;
    const auto& lanes = picture_.layout.groups[group];
    const QRectF plot = picture_.layout.plot;
    const QRectF frame(plot.left(), lanes.front().all.top(), plot.width(),
                       lanes.back().all.bottom() - lanes.front().all.top());
    painter_.fillRect(frame, theme.panel);
    QPen pen(theme.rule, picture_.line());
    pen.setDashPattern({4, 3});
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
    drawCentred(painter_, frame.center(), Canvas::tr("shown after your guess"), theme.font(13),
                theme.text_soft);
}

void TimelinePainter::endOfIteration() {
    if (picture_.figure()) return;
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        const bool pending = !picture_.boundary_note.isEmpty();
        if (!isHere(g) || picture_.groups[g].view().covered) continue;
        // A stream's ranks end an iteration each at its own time, where its neighbour's boxes begin.
        if (picture_.groups[g].view().isStream() && !pending) continue;
        const double x =
            picture_.snapped(picture_.axis.toPx(picture_.groups[g].computeEnd())) + 0.5 * picture_.pixel;
        if (x < picture_.axis.left_px() || x > picture_.axis.right_px()) continue;
        const auto& lanes = picture_.layout.groups[g];
        QPen pen(pending ? picture_.theme.accent : picture_.theme.text_soft, picture_.line());
        pen.setDashPattern(pending ? QList<qreal>{4, 3} : QList<qreal>{1.5, 2.5});
        painter_.setPen(pen);
        painter_.drawLine(QLineF(x, lanes.front().all.top(), x, lanes.back().all.bottom()));
    }
}

static QFont noteFont(const Theme& theme) {
    return theme.font(10.5, QFont::DemiBold);
}

QFont rulerFont(const Theme& theme) {
    return theme.font(10.5);
}

std::vector<RulerLabel> rulerLabels(const Picture& picture) {
    if (allCovered(picture)) return {};
    const LaneLayout& layout = picture.layout;
    const double s = picture.theme.scale, unit_ns = picture.notation.unitNs();
    const Ticks ticks = niceTicks(picture.axis, unit_ns, kTickSpacing * s);
    const QFontMetricsF metrics(rulerFont(picture.theme));
    std::vector<RulerLabel> labels;
    for (const double value : ticks.values) {
        QString text = numberText(value, ticks.decimals);
        if (labels.empty()) text = withUnit(text, picture.notation.unitName());
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(picture.axis.toPx(value * unit_ns) - width / 2, layout.ruler.left(),
                                       layout.ruler.right() - width);
        if (!labels.empty() && left < labels.back().place.right() + 8 * s) continue;
        labels.push_back({text, QRectF(left, layout.ruler.center().y() - metrics.height() / 2 - s, width,
                                       metrics.height())});
    }
    return labels;
}

QRectF boundaryNotePlace(const Picture& picture) {
    if (picture.boundary_note.isEmpty() || picture.groups.empty()) return {};
    const QRectF& ruler = picture.layout.ruler;
    const double s = picture.theme.scale, x = picture.axis.toPx(picture.groups.front().computeEnd());
    const double width = textWidth(picture.boundary_note, noteFont(picture.theme)) + 12 * s;
    const double left =
        std::clamp(x - width + 20 * s, ruler.left(), std::max(ruler.left(), ruler.right() - width));
    return {left, ruler.top() + 2 * s, width, 18 * s};
}

void TimelinePainter::ruler() {
    const LaneLayout& layout = picture_.layout;
    const Theme& theme = picture_.theme;
    const double s = theme.scale;
    const Ticks ticks = niceTicks(picture_.axis, picture_.notation.unitNs(), kTickSpacing * s);
    const QFont font = rulerFont(theme);
    const double bottom = picture_.snapped(layout.ruler.bottom()) - 0.5 * picture_.pixel;
    if (!picture_.figure())
        painter_.fillRect(QRectF(0, layout.ruler.top(), layout.all.width(), layout.ruler.height()),
                          theme.canvas);
    if (allCovered(picture_)) return;
    painter_.setPen(QPen(theme.rule, picture_.line()));
    painter_.drawLine(QLineF(layout.ruler.left(), bottom, layout.ruler.right(), bottom));
    painter_.setPen(QPen(theme.text_faint, picture_.line()));
    for (const double value : ticks.values) {
        const double x =
            picture_.snapped(picture_.axis.toPx(value * picture_.notation.unitNs())) + 0.5 * picture_.pixel;
        painter_.drawLine(QLineF(x, bottom - 4 * s, x, bottom));
    }
    const QRectF note = isHere(0) ? boundaryNotePlace(picture_) : QRectF();
    for (const RulerLabel& label : rulerLabels(picture_))
        if (!label.place.intersects(note.adjusted(-6 * s, 0, 6 * s, 0)) || note.isEmpty())
            drawLeft(painter_, {label.place.left(), label.place.center().y()}, label.text, font,
                     theme.text_soft);
    const bool memory = picture_.layers.memory && layout.metrics.memory > 0;
    QString caption = memory ? said(sentence("bubble · peak")) : said(sentence("bubble"));
    const bool numbers_are_older =
        !picture_.groups.empty() && isHere(0) && picture_.groups.front().numbers() == nullptr;
    if (numbers_are_older && picture_.last_complete && !picture_.numbersAreOfOtherRun())
        caption += QStringLiteral(" #%1").arg(picture_.last_complete->number);
    const double left = layout.plot.right() + (picture_.figure() ? 10 : 16) * s;
    const bool nothing_below = std::ranges::all_of(
        picture_.groups, [](const PreparedView& group) { return group.view().numbers_hidden; });
    if (!nothing_below && left + textWidth(caption, font) <= layout.all.right() - (picture_.figure() ? 0 : 4))
        drawLeft(painter_, {left, layout.ruler.center().y() - 1 * s}, caption, font, theme.text_faint);
    if (!note.isEmpty()) {
        painter_.setPen(QPen(theme.accent, picture_.line(), Qt::DashLine));
        painter_.setBrush(theme.accent_tint);
        painter_.drawRoundedRect(note, 3, 3);
        drawCentred(painter_, note.center(), picture_.boundary_note, noteFont(theme), theme.accent);
    }
}

void TimelinePainter::titles() {
    const LaneLayout& layout = picture_.layout;
    if (!layout.stacked) {
        if (!picture_.groups.empty())
            drawTitle(painter_, picture_, picture_.groups.front(),
                      layout.title.adjusted(0, 0, -picture_.title_end, 0));
        return;
    }
    painter_.save();
    painter_.setClipRect(layout.view);
    for (std::size_t g = 0; g < picture_.groups.size(); ++g) {
        if (!isHere(g)) continue;
        const QRectF& area = layout.group_titles[g];
        if (g > 0 && !picture_.figure() && layout.columns == 1) {
            painter_.setPen(QPen(picture_.theme.rule, picture_.line()));
            painter_.drawLine(QLineF(0, area.top(), area.right(), area.top()));
        }
        drawTitle(painter_, picture_, picture_.groups[g],
                  g > 0 ? area : area.adjusted(0, 0, -picture_.title_end, 0), letterOfGroup(picture_, g));
    }
    painter_.restore();
}

}  // namespace bscope::ui
