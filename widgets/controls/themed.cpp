// Walks the object tree down to the nearest themed parts.
#include "widgets/controls/themed.h"

#include <QVariant>

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

}  // namespace

void designLayout(QLayout& layout, const QMargins& margins, int spacing) {
    layout.setProperty(kDesign, QVariant::fromValue(LayoutDesign{margins, spacing}));
    layout.setContentsMargins(margins);
    layout.setSpacing(spacing);
}

void themeChildren(const QObject* parent, const Theme& theme) {
    for (QObject* child : parent->children()) {
        if (auto* themed = dynamic_cast<Themed*>(child)) {
            themed->setTheme(theme);
        } else {
            if (auto* layout = qobject_cast<QLayout*>(child)) scaleLayout(*layout, theme);
            themeChildren(child, theme);
        }
    }
}

}  // namespace bscope::ui
