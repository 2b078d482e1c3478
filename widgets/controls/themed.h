// Themed: a widget whose sizes, fonts or sheet are set from the theme and have to be set again when it
// changes. What a widget takes from currentTheme() while it paints or measures itself needs none of this.
// Window thread only.
#pragma once

#include <QLayout>

#include "widgets/theme/theme_style.h"

namespace bscope::ui {

class Themed {
public:
    virtual ~Themed() = default;
    virtual void followTheme() = 0;  // after its children have followed
};

// The theme of the whole program from now on: style, font, sheet of every main window, and what is in it.
void setTheme(const Theme& theme);

// Of a theme that may be as before here: Qt styles a widget and everything in it anew even for the same
// sheet.
void setSheet(QWidget& widget, const QString& sheet);

// Margins and spacing of a layout at 100 %, which follow the theme's scale.
void designLayout(QLayout& layout, const QMargins& margins, int spacing);

}  // namespace bscope::ui
