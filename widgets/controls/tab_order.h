// chainTabs: Tab goes through the areas one after the other, and within each through its parts in the order
// they had before. An area may be a single field. Popups have a chain of their own.
#pragma once

#include <QList>

class QWidget;

namespace bscope::ui {

void chainTabs(const QList<QWidget*>& areas);

}  // namespace bscope::ui
