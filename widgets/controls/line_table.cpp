#include "widgets/controls/line_table.h"

#include <QStyledItemDelegate>

#include "widgets/controls/scroll_fade.h"

namespace bscope::ui {

namespace {

// The chosen line is marked; its cell has no frame of its own.
class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->state &= ~QStyle::State_HasFocus;
    }
};

}  // namespace

void makeLineTable(QTableWidget& table, int wide) {
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setItemDelegate(new LineDelegate(&table));
    new ScrollFade(&table, &Theme::canvas);
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
