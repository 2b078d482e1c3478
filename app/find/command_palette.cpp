#include "app/find/command_palette.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

constexpr int kPlace = Qt::UserRole, kKey = Qt::UserRole + 1, kWhyNot = Qt::UserRole + 2;

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
        const QString why_not = index.data(kWhyNot).toString();
        const QString key = why_not.isEmpty() ? index.data(kKey).toString() : QString();
        const QFontMetrics& metrics = option.fontMetrics;
        const QString name = index.data().toString();
        QColor ink = option.palette.color(QPalette::Text);
        QColor faint = ink;
        faint.setAlphaF(0.65F);
        painter->setPen(why_not.isEmpty() ? ink : faint);
        const int key_width = metrics.horizontalAdvance(key);
        painter->drawText(room, Qt::AlignVCenter,
                          metrics.elidedText(name, Qt::ElideRight, room.width() - key_width - margin));
        painter->setPen(faint);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, key);
        const int left = metrics.horizontalAdvance(name) + 2 * margin;
        if (!why_not.isEmpty() && left < room.width())
            painter->drawText(room.adjusted(left, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight,
                              metrics.elidedText(why_not, Qt::ElideRight, room.width() - left));
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

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, const QSize& most, QWidget* parent)
    : QDialog(parent, Qt::Popup),
      entries_(std::move(entries)),
      field_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(field_);
    column->addWidget(list_);
    field_->setPlaceholderText(tr("Type a part of a name: a command, schedule, option or lesson"));
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
    for (const std::size_t i : ranked(entries_, text)) {
        const PaletteEntry& entry = entries_[i];
        auto* item = new QListWidgetItem(entry.name, list_);
        item->setData(kPlace, static_cast<qulonglong>(i));
        item->setData(kKey, entry.key);
        item->setData(kWhyNot, entry.why_not);
        if (!entry.why_not.isEmpty()) item->setToolTip(entry.name + QStringLiteral(": ") + entry.why_not);
    }
    if (list_->count() == 0) (new QListWidgetItem(tr("Nothing matches"), list_))->setFlags(Qt::NoItemFlags);
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

// What cannot be run leaves the palette open: its reason stands there.
void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr || !item->data(kPlace).isValid()) return void(close());
    const std::function<void()> run = entries_[item->data(kPlace).toULongLong()].run;
    if (!run) return;
    close();
    run();
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
