// OverlayPainter: what lies above the picture and changes with the pointer or the selection: selected life,
// arrows, measured range, now line, hair-line.
#pragma once

#include <QPainter>

#include "widgets/picture/picture.h"

namespace bscope::ui {

class OverlayPainter {
public:
    OverlayPainter(QPainter& painter, const Picture& picture) : painter_(painter), picture_(picture) {}
    // lanes: that the measured range is on; nullopt: all.
    // Of a figure, on each column.
    void drawMessages();
    void drawNow();
    void draw(const Cursor& cursor, const std::optional<TimeRange>& measured,
              const std::optional<LaneSpan>& lanes = std::nullopt);

private:
    void column(const Cursor& cursor, const std::optional<TimeRange>& measured,
                const std::optional<LaneSpan>& lanes);  // the painter stands at its left edge
    bool isHere(std::size_t group) const {
        return group < picture_.groups.size() && picture_.layout.columnOf(static_cast<int>(group)) == column_;
    }
    void marks();
    void selectedLife();
    void selectedGap();
    void chain();
    void criticalPath();
    void messageOf(std::size_t group, const Reason& reason, double width);
    QRectF placeOf(std::size_t group, const Reason& reason) const;
    void outline(double left, double right, const QRectF& box);
    void arrows();
    void arrow(const PreparedView& group, std::size_t group_index, const MessageArrow& message,
               double opacity);
    void tint(const TimeRange& range, const std::optional<LaneSpan>& lanes);
    void measuredRange(const TimeRange& range, const std::optional<LaneSpan>& lanes);
    void nowLine();
    void hairLine(double time_ns);
    void rulerPill(double x, const QString& text, const QColor& fill);

    QPainter& painter_;
    const Picture& picture_;
    int column_ = 0;
    std::vector<QRectF> pills_;  // on its ruler
};

}  // namespace bscope::ui
