// Flags of notes: where they stand, and how they are drawn over the picture.
#pragma once

#include <QPainter>

#include "widgets/picture/picture.h"

namespace bscope::ui {

// Empty when it is out of sight.
QRectF flagOf(const Picture& picture, const NoteMark& note);
// The note whose flag lies there; nullptr: none.
const NoteMark* noteUnder(const Picture& picture, const QPointF& at);
void drawNoteFlags(QPainter& painter, const Picture& picture);

}  // namespace bscope::ui
