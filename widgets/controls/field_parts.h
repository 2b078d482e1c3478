// What the input fields share behind their backs: how they are left and how a bare editor inside a field
// looks.
#pragma once

#include <QKeyEvent>
#include <QLineEdit>

#include "widgets/theme/theme.h"

namespace bscope::ui {

// Enter and Esc give the focus back.
bool leavesField(const QKeyEvent* event);
// The field paints its own frame; the editor inside is bare text, whatever the chrome's sheet says of line
// edits.
void colourEditor(QLineEdit* editor, const Theme& theme, const QColor& ink);

}  // namespace bscope::ui
