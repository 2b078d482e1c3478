#include "command_palette.h"

#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

namespace bscope::ui {

QString plainActionText(const QAction& action) {
    return action.text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
}

bool matchesLoosely(const QString& text, const QString& pattern) {
    qsizetype at = 0;
    for (const QChar letter : pattern) {
        if (letter.isSpace()) continue;
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0) return false;
        ++at;
    }
    return true;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), field_(new QLineEdit(this)), list_(new QListWidget(this)) {
    for (QAction* action : actions)
        if (!action->isSeparator() && !action->menu() && action->isEnabled() &&
            !plainActionText(*action).isEmpty())
            actions_.append(action);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(field_);
    column->addWidget(list_);
    field_->setPlaceholderText(tr("Type a part of a command"));
    field_->setAccessibleName(tr("Command"));
    field_->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(field_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusProxy(field_);
    filter({});
}

void CommandPalette::filter(const QString& text) {
    list_->clear();
    for (qsizetype i = 0; i < actions_.size(); ++i) {
        const QAction& action = *actions_[i];
        const QString name = plainActionText(action);
        if (!matchesLoosely(name, text)) continue;
        QString key = action.text().section(QLatin1Char('\t'), 1);
        if (key.isEmpty()) key = action.shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(key.isEmpty() ? name : name + QStringLiteral("    ") + key, list_);
        item->setData(Qt::UserRole, i);
    }
    list_->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    QAction* action = item ? actions_[item->data(Qt::UserRole).toLongLong()] : nullptr;
    close();
    if (action) action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int step = key == Qt::Key_Down ? 1 : -1;
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace bscope::ui
