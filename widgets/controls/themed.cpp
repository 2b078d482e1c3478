#include "widgets/controls/themed.h"

#include <QApplication>
#include <QMainWindow>
#include <QVariant>
#include <QWidget>

namespace bscope::ui {
namespace {

struct LayoutDesign {
    QMargins margins;
    int spacing = 0;
};
constexpr const char* kDesign = "layoutDesign";

void scaleLayout(QLayout& layout, const Theme& theme) {
    const QVariant kept = layout.property(kDesign);
    if (!kept.isValid()) return;
    const auto design = kept.value<LayoutDesign>();
    const QMargins& m = design.margins;
    layout.setContentsMargins(theme.px(m.left()), theme.px(m.top()), theme.px(m.right()),
                              theme.px(m.bottom()));
    layout.setSpacing(theme.px(design.spacing));
}

// Children first: the size of a whole follows from those of its parts.
void followBelow(QObject& object) {
    const QObjectList children = object.children();
    for (QObject* child : children) followBelow(*child);
    if (auto* layout = qobject_cast<QLayout*>(&object)) return scaleLayout(*layout, currentTheme());
    auto* widget = qobject_cast<QWidget*>(&object);
    if (widget == nullptr) return;
    widget->updateGeometry();
    widget->update();
    if (auto* themed = dynamic_cast<Themed*>(widget)) themed->followTheme();
}

}  // namespace

void setTheme(const Theme& theme) {
    ThemeStyle::install(theme);
    QApplication::setFont(theme.font(12));  // dialogs, menus and tips, too
    const QString chrome = chromeStyleSheet(theme);
    const QWidgetList windows = QApplication::topLevelWidgets();
    for (QWidget* window : windows) {
        if (window->parentWidget() != nullptr) continue;
        const bool is_main = qobject_cast<QMainWindow*>(window) != nullptr;
        const QString before = window->styleSheet();
        // Qt keeps the fonts that it finds when it styles: those of the new theme, then.
        if (is_main && !before.isEmpty() && before != chrome) followBelow(*window);
        if (is_main) setSheet(*window, chrome);
        followBelow(*window);
    }
}

void setSheet(QWidget& widget, const QString& sheet) {
    if (widget.styleSheet() != sheet) widget.setStyleSheet(sheet);
}

void designLayout(QLayout& layout, const QMargins& margins, int spacing) {
    layout.setProperty(kDesign, QVariant::fromValue(LayoutDesign{margins, spacing}));
    scaleLayout(layout, currentTheme());
}

}  // namespace bscope::ui
