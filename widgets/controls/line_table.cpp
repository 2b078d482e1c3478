#include "widgets/controls/line_table.h"

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

FilledLines::FilledLines(QTableWidget& table) : header_(*table.horizontalHeader()) {
    for (int column = 0; column < header_.count(); ++column) {
        modes_.push_back(header_.sectionResizeMode(column));
        header_.setSectionResizeMode(column, QHeaderView::Fixed);
    }
}

FilledLines::~FilledLines() {
    for (int column = 0; column < header_.count(); ++column)
        header_.setSectionResizeMode(column, modes_[static_cast<std::size_t>(column)]);
}

}  // namespace bscope::ui
