#include "widgets/picture/note_flags.h"

#include "widgets/paint/text_runs.h"

namespace bscope::ui {
namespace {

QFont fontOfFlags(const Theme& theme) {
    return theme.font(10, QFont::DemiBold);
}

// The lane's box; null: the note is on the ruler.
const QRectF* laneOf(const Picture& picture, const NoteMark& note) {
    if (note.rank < 0 || picture.layout.groups.empty()) return nullptr;
    const auto& lanes = picture.layout.groups.front();
    return note.rank < static_cast<int>(lanes.size()) ? &lanes[static_cast<std::size_t>(note.rank)].box
                                                      : nullptr;
}

// What it is on: a line along the box or the ruler, and of an instant one down through the lanes.
void drawExtent(QPainter& painter, const Picture& picture, const NoteMark& note, const QRectF& flag) {
    const QRectF& plot = picture.layout.plot;
    const double line = 2 * picture.line();
    const double from = std::max(picture.snapped(picture.axis.toPx(note.range.from_ns)), plot.left()),
                 to = std::min(picture.snapped(picture.axis.toPx(note.range.to_ns)), plot.right());
    const QColor& ink = picture.theme.text;
    if (to > from) return painter.fillRect(QRectF(from, flag.bottom() - line, to - from, line), ink);
    QPen dashes(ink, picture.line());
    dashes.setDashPattern({2, 2});
    painter.setPen(dashes);
    const QRectF* const lane = laneOf(picture, note);
    painter.drawLine(
        QLineF(flag.left(), flag.bottom(), flag.left(), lane != nullptr ? lane->bottom() : plot.bottom()));
}

}  // namespace

QRectF flagOf(const Picture& picture, const NoteMark& note) {
    const LaneLayout& layout = picture.layout;
    const double s = picture.theme.scale, x = picture.snapped(picture.axis.toPx(note.range.from_ns)),
                 end = picture.axis.toPx(note.range.to_ns);
    if (end < layout.plot.left() || x > layout.plot.right()) return {};
    const double width =
        std::max(14 * s, textWidth(QString::number(note.number), fontOfFlags(picture.theme)) + 8 * s);
    const QRectF* const lane = laneOf(picture, note);
    if (note.rank >= 0 && lane == nullptr) return {};
    const double foot = lane != nullptr ? lane->top() : layout.ruler.bottom();
    const QRectF flag(
        std::clamp(x, layout.plot.left(), std::max(layout.plot.left(), layout.plot.right() - width)),
        foot - 14 * s, width, 14 * s);
    const bool hidden =
        lane != nullptr && (lane->bottom() < layout.view.top() || lane->top() > layout.view.bottom());
    return hidden ? QRectF() : flag;
}

const NoteMark* noteUnder(const Picture& picture, const QPointF& at) {
    for (auto note = picture.notes.rbegin(); note != picture.notes.rend(); ++note)  // the topmost first
        if (flagOf(picture, *note).contains(at)) return &*note;
    return nullptr;
}

void drawNoteFlags(QPainter& painter, const Picture& picture) {
    const Theme& theme = picture.theme;
    painter.save();
    for (const NoteMark& note : picture.notes) {
        const QRectF flag = flagOf(picture, note);
        if (flag.isEmpty()) continue;
        drawExtent(painter, picture, note, flag);
        painter.fillRect(flag, theme.text);
        drawCentred(painter, flag.center(), QString::number(note.number), fontOfFlags(theme), theme.canvas);
    }
    painter.restore();
}

}  // namespace bscope::ui
