#include "app/settings/appearance.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <algorithm>
#include <cmath>

#include "widgets/controls/themed.h"

namespace bscope::ui {

Appearance::Appearance(const Preferences& preferences, QObject* parent)
    : QObject(parent), choice_(preferences.theme), scheme_(preferences.scheme), scale_(preferences.scale) {
    qApp->installEventFilter(this);
    ThemeStyle::install(theme());  // widgets made from now on have it
    setLanguage(preferences.language);
}

bool Appearance::systemIsDark() const {
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
}

Theme Appearance::theme() const {
    const bool dark = choice_ == ThemeChoice::Dark || (choice_ == ThemeChoice::System && systemIsDark());
    const ThemeKind kind = projector_ ? ThemeKind::Projector : dark ? ThemeKind::Dark : ThemeKind::Light;
    Theme made = Theme::make(kind, scheme_, scale_);
    if (projector_) made.scale = scale_ * projector_scale_;
    return made;
}

void Appearance::refresh() {
    const Theme now = theme();
    if (now == currentTheme()) return;
    setTheme(now);
    emit themeChanged();
}

bool Appearance::eventFilter(QObject* watched, QEvent* event) {
    if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange &&
        choice_ == ThemeChoice::System)
        refresh();
    return QObject::eventFilter(watched, event);
}

void Appearance::setThemeChoice(ThemeChoice choice) {
    choice_ = choice;
    refresh();
}

void Appearance::setScheme(ColourScheme scheme) {
    scheme_ = scheme;
    refresh();
}

void Appearance::nextScheme() {
    setScheme(kColourSchemes[(static_cast<std::size_t>(scheme_) + 1) % kColourSchemes.size()]);
}

void Appearance::setScale(double scale) {
    scale_ = std::clamp(scale, Preferences::kMinScale, Preferences::kMaxScale);
    refresh();
}

void Appearance::zoomInterface(int steps) {
    setScale(steps == 0 ? 1.0 : std::round(10.0 * scale_ + steps) / 10.0);
}

void Appearance::setProjector(bool on) {
    projector_ = on;
    refresh();
}

void Appearance::setProjectorScale(double scale) {
    projector_scale_ = scale;
    refresh();
}

void Appearance::changeLanguage() {
    setLanguage(language() == Language::English ? Language::Chinese : Language::English);
}

void Appearance::setLanguage(Language language) {
    language_ = language;
    translations_.setLanguage(language);
    emit languageChanged();
}

}  // namespace bscope::ui
