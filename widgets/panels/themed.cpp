// Walks the object tree down to the nearest themed parts.
#include "widgets/panels/themed.h"

namespace bscope::ui {

void themeChildren(const QObject* parent, const Theme& theme) {
    for (QObject* child : parent->children()) {
        if (auto* themed = dynamic_cast<Themed*>(child)) {
            themed->setTheme(theme);
        } else {
            themeChildren(child, theme);
        }
    }
}

}  // namespace bscope::ui
