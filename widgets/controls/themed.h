// Themed: what takes its looks from a Theme value. A panel hands the theme on to its parts; nothing asks a
// global. Window thread only.
#pragma once

#include <QLayout>

#include "widgets/theme/theme.h"

namespace bscope::ui {

class Themed {
public:
    virtual ~Themed() = default;
    virtual void setTheme(const Theme& theme) = 0;
};

// Margins and spacing of a layout at 100 %; themeChildren() of a widget above scales them.
void designLayout(QLayout& layout, const QMargins& margins, int spacing);

// Gives the theme to the nearest Themed descendants; each of them sees to its own parts.
void themeChildren(const QObject* parent, const Theme& theme);

}  // namespace bscope::ui
