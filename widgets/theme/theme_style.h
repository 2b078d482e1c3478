// ThemeStyle: the application's style, which holds the one Theme of the window. Widgets that paint themselves
// ask currentTheme() when they paint, so that none keeps a copy. Window thread only.
#pragma once

#include <QProxyStyle>

#include "widgets/theme/theme.h"

namespace bscope::ui {

class ThemeStyle : public QProxyStyle {
    Q_OBJECT
public:
    explicit ThemeStyle(const Theme& theme);
    // Makes `theme` that of the application's style; a style of another kind is replaced.
    static void install(const Theme& theme);
    const Theme& theme() const { return theme_; }
    // Buttons of dialogs have words alone, as all others here.
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;

    // Cells of a table have their words where its head has them.
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;

private:
    Theme theme_;
};

// That of the application's style; the light one at 100 % until one was installed.
const Theme& currentTheme();

}  // namespace bscope::ui
