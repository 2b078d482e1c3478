#include "widgets/theme/theme_style.h"

#include <QApplication>

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

const Theme& currentTheme() {
    static const Theme light = Theme::make(ThemeKind::Light);
    const auto* style = qobject_cast<const ThemeStyle*>(QApplication::style());
    return style != nullptr ? style->theme() : light;
}

}  // namespace bscope::ui
