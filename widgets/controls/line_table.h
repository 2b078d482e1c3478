// The looks that tables of lines share: a line is chosen as a whole, nothing is edited in place, Tab leaves
// the table, and its foot fades out where there are more lines.
#pragma once

#include <QHeaderView>
#include <QTableWidget>
#include <vector>

namespace bscope::ui {

// Columns are as wide as what they hold; `wide` takes the room that is left.
void makeLineTable(QTableWidget& table, int wide);

// While it lives, columns keep their widths: cells that are set one by one would have all lines measured anew
// after each. They follow what they hold when it ends.
class FilledLines {
public:
    explicit FilledLines(QTableWidget& table);
    ~FilledLines();
    FilledLines(const FilledLines&) = delete;
    FilledLines& operator=(const FilledLines&) = delete;

private:
    QHeaderView& header_;
    std::vector<QHeaderView::ResizeMode> modes_;  // (columns,)
};

}  // namespace bscope::ui
