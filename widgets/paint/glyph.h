// Glyphs: the window's few icons, drawn as vectors in the ink of the moment, sharp at every scale and in both
// themes.
#pragma once

#include <QPainter>

namespace bscope::ui {

enum class Glyph {
    None,
    Run,
    Pause,
    Step,
    Cancel,
    Reconnect,
    Undo,
    Redo,
    Export,
    ChevronDown,
    ChevronUp,
    ChevronRight,
    Timeline,
    Tune,
    Lessons,
    Explain,
    Grid,
    More
};

// Draws the glyph centred in the box, 10 px design size scaled to the box's height / 10.
void drawGlyph(QPainter& painter, Glyph glyph, const QRectF& box, const QColor& ink);

}  // namespace bscope::ui
