// The looks that tables of lines share: a line is chosen as a whole, nothing is edited in place, and Tab
// leaves the table.
#pragma once

#include <QTableWidget>

namespace bscope::ui {

// Columns are as wide as what they hold; `wide` takes the room that is left.
void makeLineTable(QTableWidget& table, int wide);

}  // namespace bscope::ui
