#include "widgets/dialogs/notes_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/controls/line_table.h"

namespace bscope::ui {

NotesList::NotesList(QWidget* parent)
    : QDialog(parent),
      about_(makeParagraph(TextRole::Soft, this)),
      table_(new QTableWidget(0, 4, this)),
      go_(new Button(ButtonLook::Primary, Glyph::None, this)),
      change_(new Button(ButtonLook::Plain, Glyph::None, this)),
      remove_(new Button(ButtonLook::Plain, Glyph::None, this)),
      undo_(new Button(ButtonLook::Plain, Glyph::Undo, this)),
      close_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(about_);
    column->addWidget(table_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(undo_);
    buttons->addStretch(1);
    for (Button* each : {close_, remove_, change_, go_}) buttons->addWidget(each);
    column->addLayout(buttons);
    makeLineTable(*table_, 3);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table_, &QTableWidget::cellDoubleClicked, this, [this] { tell(&NotesList::goRequested); });
    connect(go_, &QAbstractButton::clicked, this, [this] { tell(&NotesList::goRequested); });
    connect(change_, &QAbstractButton::clicked, this, [this] { tell(&NotesList::changeRequested); });
    connect(remove_, &QAbstractButton::clicked, this, [this] { tell(&NotesList::removeRequested); });
    connect(undo_, &QAbstractButton::clicked, this, &NotesList::undoRequested);
    connect(close_, &QAbstractButton::clicked, this, &QDialog::close);
    undo_->setEnabled(false);
    followTheme();
    refresh();
    table_->setFocus();
}

void NotesList::setLines(const std::vector<NoteLine>& lines, bool can_undo) {
    undo_->setEnabled(can_undo);
    if (lines == lines_) return;
    lines_ = lines;
    fill();
    refresh();
}

void NotesList::setCurrent(std::int64_t id) {
    const auto line = std::ranges::find(lines_, id, &NoteLine::id);
    if (line != lines_.end()) table_->setCurrentCell(static_cast<int>(line - lines_.begin()), 0);
}

void NotesList::tell(void (NotesList::*signal)(std::int64_t)) {
    const int row = table_->currentRow();
    if (row >= 0 && row < static_cast<int>(lines_.size()))
        emit(this->*signal)(lines_[static_cast<std::size_t>(row)].id);
}

void NotesList::fill() {
    const Theme& theme = currentTheme();
    const int row = table_->currentRow();
    const FilledLines filled(*table_);
    table_->setRowCount(static_cast<int>(lines_.size()));
    for (int i = 0; i < table_->rowCount(); ++i) {
        const NoteLine& line = lines_[static_cast<std::size_t>(i)];
        const QStringList cells{QString::number(i + 1), line.iteration, line.place, line.text};
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setFont(theme.font(12));
            if (column == 3) item->setToolTip(line.text);
            table_->setItem(i, column, item);
        }
    }
    if (!lines_.empty()) table_->setCurrentCell(std::clamp(row, 0, table_->rowCount() - 1), 0);
}

void NotesList::refresh() {
    setWindowTitle(tr("Notes"));
    about_->setText(lines_.empty()
                        ? tr("There are no notes yet. Ctrl+B writes one on the selected operation, gap "
                             "or range, on the time under the pointer or on the whole iteration.")
                        : tr("Enter goes to a note, F2 changes it, Del deletes it, Ctrl+Z undoes the last "
                             "change. The numbers match those on the flags."));
    table_->setHorizontalHeaderLabels({tr("No."), tr("Iteration"), tr("On"), tr("Note")});
    table_->setAccessibleName(tr("Notes"));
    for (int column = 0; column < table_->columnCount(); ++column)
        table_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    go_->setText(tr("Go there"));
    change_->setText(tr("Change…"));
    remove_->setText(tr("Delete"));
    undo_->setText(tr("Undo"));
    close_->setText(tr("Close"));
    for (Button* each : {go_, change_, remove_}) each->setEnabled(!lines_.empty());
}

void NotesList::followTheme() {
    const Theme& theme = currentTheme();
    table_->setFont(theme.font(12));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(24));
    resize(theme.px(640), theme.px(360));
    fill();
}

void NotesList::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return tell(&NotesList::goRequested);
        case Qt::Key_F2:
            return tell(&NotesList::changeRequested);
        case Qt::Key_Delete:
            return tell(&NotesList::removeRequested);
        default:
            break;
    }
    if (event->matches(QKeySequence::Undo) && undo_->isEnabled()) return emit undoRequested();
    QDialog::keyPressEvent(event);
}

void NotesList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
