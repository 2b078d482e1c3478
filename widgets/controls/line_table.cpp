#include "widgets/controls/line_table.h"

#include <QHeaderView>

namespace bscope::ui {

void makeLineTable(QTableWidget& table, int wide) {
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    QHeaderView& header = *table.horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionsClickable(false);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setSectionResizeMode(wide, QHeaderView::Stretch);
}

}  // namespace bscope::ui
