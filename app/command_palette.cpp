#include "command_palette.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/panels/format.h"

namespace bscope::ui {

namespace {

constexpr int kPlace = Qt::UserRole, kKey = Qt::UserRole + 1;

// The command on the left, its key on the right.
class CommandRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {0, option.fontMetrics.height() * 17 / 10};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const int margin = option.fontMetrics.height() / 2;
        const QRect room = option.rect.adjusted(margin, 0, -margin, 0);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
        const QString key = index.data(kKey).toString();
        const int key_width = option.fontMetrics.horizontalAdvance(key);
        QColor ink = option.palette.color(QPalette::Text);
        painter->setPen(ink);
        painter->drawText(room, Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight,
                                                        room.width() - key_width - margin));
        ink.setAlphaF(0.65F);
        painter->setPen(ink);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, key);
    }
};

}  // namespace

QString plainActionText(const QAction& action) {
    return withoutMnemonic(action.text().section(QLatin1Char('\t'), 0, 0));
}

QString commandName(const QAction& action) {
    const QString name = plainActionText(action);
    for (const QObject* place : action.associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(place))
            return CommandPalette::tr("%1: %2").arg(plainActionText(*menu->menuAction()), name);
    return name;
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

CommandPalette::CommandPalette(const QList<QAction*>& actions, const QSize& most, QWidget* parent)
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
    list_->setItemDelegate(new CommandRow(list_));
    setAttribute(Qt::WA_DeleteOnClose);
    setFocusProxy(field_);
    setFixedWidth(most.width());
    setMaximumHeight(most.height());
    filter({});
}

void CommandPalette::filter(const QString& text) {
    list_->clear();
    for (qsizetype i = 0; i < actions_.size(); ++i) {
        const QAction& action = *actions_[i];
        const QString name = commandName(action);
        if (!matchesLoosely(name, text)) continue;
        QString key = action.text().section(QLatin1Char('\t'), 1);
        if (key.isEmpty()) key = action.shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(name, list_);
        item->setData(kPlace, i);
        item->setData(kKey, key);
    }
    if (list_->count() == 0) (new QListWidgetItem(tr("No such command"), list_))->setFlags(Qt::NoItemFlags);
    list_->setCurrentRow(0);
    fitToList();
}

void CommandPalette::fitToList() {
    const int rows = list_->count() * list_->sizeHintForRow(0) + 2 * list_->frameWidth();
    const QMargins margins = layout()->contentsMargins();
    const int others = margins.top() + field_->sizeHint().height() + layout()->spacing() + margins.bottom();
    list_->setFixedHeight(std::min(rows, maximumHeight() - others));
    layout()->activate();  // or the former height stays its least
    resize(width(), others + list_->height());
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    const bool is_command = item && item->data(kPlace).isValid();
    QAction* action = is_command ? actions_[item->data(kPlace).toLongLong()] : nullptr;
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
