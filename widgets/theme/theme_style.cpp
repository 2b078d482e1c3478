#include "widgets/theme/theme_style.h"

#include <QApplication>
#include <QTableView>

namespace bscope::ui {

ThemeStyle::ThemeStyle(const Theme& theme) : QProxyStyle(QStringLiteral("Fusion")), theme_(theme) {}

void ThemeStyle::install(const Theme& theme) {
    if (auto* style = qobject_cast<ThemeStyle*>(QApplication::style()))
        style->theme_ = theme;
    else
        QApplication::setStyle(new ThemeStyle(theme));
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* returned) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (metric == PM_FocusFrameHMargin && qobject_cast<const QTableView*>(widget) != nullptr)
        return theme_.px(6) - 1;  // as the sheet has it for heads; views add a pixel
    return QProxyStyle::pixelMetric(metric, option, widget);
}

const Theme& currentTheme() {
    static const Theme light = Theme::make(ThemeKind::Light);
    const auto* style = qobject_cast<const ThemeStyle*>(QApplication::style());
    return style != nullptr ? style->theme() : light;
}

}  // namespace bscope::ui
