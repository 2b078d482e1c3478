#include "widgets/controls/tab_order.h"

#include <QWidget>

namespace bscope::ui {

void chainTabs(const QList<QWidget*>& areas) {
    QWidget* last = nullptr;
    for (QWidget* area : areas) {
        QList<QWidget*> stops;
        QWidget* each = area;
        do {
            const bool is_part =
                each == area || (area->isAncestorOf(each) && each->window() == area->window());
            if (is_part && each->focusPolicy() != Qt::NoFocus && each->focusProxy() == nullptr) stops << each;
            each = each->nextInFocusChain();
        } while (each != area);
        for (QWidget* stop : stops) {
            if (last != nullptr) QWidget::setTabOrder(last, stop);
            last = stop;
        }
    }
}

}  // namespace bscope::ui
