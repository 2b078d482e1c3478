// The list of schedules: groups, filter, keys; and the field it drops from.
#include "widgets/schedule/schedule_field.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "catalog/catalog.h"
#include "catalog/presets.h"
#include "schedule/formats/file_schedule.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

enum Role { ScheduleName = Qt::UserRole, Aside, Words, IsHead };

enum class Family { OneBackward, SplitBackward, TwoCopies, Asynchronous, ForwardOnly };

// Of the smallest pipeline it can be made for; what cannot be made that small is synchronous.
bool isAsynchronous(const CatalogEntry& entry) {
    const ScheduleParams params{2, defaultChunks(entry), 4, 0};
    return canBeMade(entry.name, params) && makeSchedule(entry.name, params).weights != WeightRule::Flush;
}

Family familyOf(const CatalogEntry& entry) {
    if (entry.forward_only) return Family::ForwardOnly;
    if (entry.replicas > 1) return Family::TwoCopies;
    if (isAsynchronous(entry)) return Family::Asynchronous;
    return entry.split_backward ? Family::SplitBackward : Family::OneBackward;
}

// Name on the left, what it is on the right.
class RowPainter : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const Theme& theme = currentTheme();
        return {theme.px(380), theme.px(index.data(IsHead).toBool() ? 26 : 24)};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = currentTheme();
        const bool head = index.data(IsHead).toBool();
        if (!head && option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, theme.accent_tint);
        const QRect room = option.rect.adjusted(theme.px(10), 0, -theme.px(10), 0);
        painter->setFont(head ? theme.font(11) : theme.font(12));
        painter->setPen(head ? theme.text_faint : theme.text);
        const QString text = index.data().toString();
        painter->drawText(room.adjusted(head ? 0 : theme.px(10), head ? theme.px(4) : 0, 0, 0),
                          Qt::AlignVCenter | Qt::AlignLeft, text);
        if (head) return;
        const int used = theme.px(24) + painter->fontMetrics().horizontalAdvance(text);
        painter->setFont(theme.font(11));
        painter->setPen(theme.text_soft);
        const int left = std::max(0, room.width() - used);
        painter->drawText(
            room, Qt::AlignVCenter | Qt::AlignRight,
            painter->fontMetrics().elidedText(index.data(Aside).toString(), Qt::ElideRight, left));
    }

private:
};

}  // namespace

ScheduleList::ScheduleList(const QString& current, const QStringList& files, QWidget* parent)
    : QFrame(parent, Qt::Popup), filter_(new QLineEdit(this)), list_(new QListWidget(this)) {
    const Theme& theme = currentTheme();
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("schedules"));
    setStyleSheet(QStringLiteral("#schedules { background: %1; border: 1px solid %2; }")
                      .arg(theme.panel.name(), theme.rule.name()));
    auto* column = new QVBoxLayout(this);
    const int margin = theme.px(6);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(margin);
    column->addWidget(filter_);
    column->addWidget(list_);
    filter_->setFont(theme.font(12));
    filter_->setPlaceholderText(tr("Type to find: zero bubble, Megatron, v=2"));
    filter_->setAccessibleName(tr("Find a schedule"));
    filter_->installEventFilter(this);
    list_->setItemDelegate(new RowPainter(list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setStyleSheet(QStringLiteral("QListWidget { border: 0; background: transparent; }"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(false);
    list_->setAccessibleName(tr("Schedules"));

    QList<QStringList> rows;
    for (const QString& file : files) rows.append({scheduleTitle(file.toStdString()), file, tr("file")});
    if (!rows.isEmpty()) addGroup(tr("From a file"), rows);
    // further: words of the field to find a family by in every language
    const auto add = [&](Family family, const QString& head, const char* further) {
        QList<QStringList> entries;
        for (const CatalogEntry& entry : catalog()) {
            if (familyOf(entry) != family) continue;
            const QString name = QString::fromLatin1(entry.name);
            const QString legal_v = entry.fixed_v > 0 ? QStringLiteral("v=%1").arg(entry.fixed_v)
                                                      : QStringLiteral("v≥%1").arg(entry.min_v);
            const QString aside = name + QStringLiteral("  ·  ") + legal_v;
            QStringList words{scheduleTitle(entry.name), name, aside, QString::fromUtf8(entry.title),
                              QString::fromLatin1(further)};
            for (const Preset& alias : aliases())
                if (name == QLatin1String(alias.schedule)) words << QString::fromUtf8(alias.name);
            entries.append(words);
        }
        if (!entries.isEmpty()) addGroup(head, entries);
    };
    add(Family::OneBackward, tr("Backward in one piece"), "");
    add(Family::SplitBackward, tr("Backward split into I and W (zero bubble)"), "zero bubble");
    add(Family::TwoCopies, tr("Two copies of the model"), "bidirectional");
    add(Family::Asynchronous, tr("Asynchronous, several weight versions"), "asynchronous");
    add(Family::ForwardOnly, tr("Inference"), "inference");
    QList<QStringList> presets_in_words;
    for (const Preset& preset : presets())
        presets_in_words.append({QString::fromUtf8(preset.name), QString::fromLatin1(preset.schedule),
                                 scheduleTitle(preset.schedule)});
    addGroup(tr("As frameworks call them"), presets_in_words);
    addGroup(tr("No schedule contains all of these words."), {});  // the last one, seen when nothing else is
    list_->item(list_->count() - 1)->setHidden(true);

    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->data(ScheduleName).toString() == current && !current.isEmpty()) {
            list_->setCurrentRow(row);
            break;
        }
    connect(filter_, &QLineEdit::textChanged, this, &ScheduleList::filterBy);
    connect(filter_, &QLineEdit::returnPressed, this, [this] { take(list_->currentItem()); });
    connect(list_, &QListWidget::itemClicked, this, &ScheduleList::take);
    setFocusProxy(filter_);
}

void ScheduleList::addGroup(const QString& head, const QList<QStringList>& rows) {
    auto* heading = new QListWidgetItem(head, list_);
    heading->setFlags(Qt::NoItemFlags);
    heading->setData(IsHead, true);
    for (const QStringList& row : rows) {
        auto* item = new QListWidgetItem(row[0], list_);
        item->setData(ScheduleName, row[1]);
        item->setData(Aside, row[2]);
        item->setData(Words, row.join(u' ') + u' ' + head);
        item->setToolTip(row[0] + QStringLiteral(" · ") + row[2]);
    }
}

// Every word must be found; a heading stays while one of its entries does.
void ScheduleList::filterBy(const QString& words) {
    const QStringList wanted = words.simplified().split(u' ', Qt::SkipEmptyParts);
    QListWidgetItem* heading = nullptr;
    int first = -1;
    for (int row = 0; row < list_->count(); ++row) {
        QListWidgetItem* item = list_->item(row);
        if (item->data(IsHead).toBool()) {
            heading = item;
            heading->setHidden(true);
            continue;
        }
        const QString text = item->data(Words).toString();
        const bool found = std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!found);
        if (!found) continue;
        if (heading != nullptr) heading->setHidden(false);
        if (first < 0) first = row;
    }
    if (first < 0) heading->setHidden(false);
    list_->setCurrentRow(first);
    if (first >= 0) list_->scrollToItem(list_->item(first));
    fitHeight();
}

void ScheduleList::setMostHeight(int height) {
    most_height_ = height;
    fitHeight();
}

void ScheduleList::fitHeight() {
    const Theme& theme = currentTheme();
    int rows = 2 * theme.px(24);
    for (int row = 0; row < list_->count(); ++row)
        if (!list_->item(row)->isHidden())
            rows += theme.px(list_->item(row)->data(IsHead).toBool() ? 26 : 24);
    resize(width(), std::min(most_height_, filter_->sizeHint().height() + rows));
}

void ScheduleList::walk(int step) {
    for (int row = list_->currentRow() + step; row >= 0 && row < list_->count(); row += step)
        if (!list_->item(row)->isHidden() && !list_->item(row)->data(IsHead).toBool())
            return list_->setCurrentRow(row);
}

void ScheduleList::take(const QListWidgetItem* item) {
    if (item == nullptr || item->isHidden() || item->data(IsHead).toBool()) return;
    const QString schedule = item->data(ScheduleName).toString();
    close();
    emit chosen(schedule);
}

bool ScheduleList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            walk(key == Qt::Key_Down ? 1 : -1);
            return true;
        }
        if (key == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

ScheduleField::ScheduleField(QWidget* parent) : ChoiceField(parent) {
    setSizedToCurrent(true);
    for (const CatalogEntry& entry : catalog()) addItem(QString(), QString::fromLatin1(entry.name));
    disconnect(this, &QComboBox::activated, this, &ChoiceField::done);
    connect(this, &QComboBox::activated, this, [this] {
        emit picked(schedule());
        emit done();
    });
    connect(this, &QComboBox::currentTextChanged, this, &QWidget::setToolTip);  // where it is cut
    retranslate();
}

void ScheduleField::setSchedule(const std::string& name) {
    const QSignalBlocker quiet(this);
    const QString wanted = QString::fromStdString(name);
    int index = findData(wanted);
    if (index < 0 && isFileSchedule(name)) {
        addItem(scheduleTitle(name), wanted);
        index = count() - 1;
    }
    setCurrentIndex(index);
    setToolTip(currentText());
    updateGeometry();
    update();
}

void ScheduleField::retranslate() {
    for (int i = 0; i < count(); ++i) {
        const std::string name = itemData(i).toString().toStdString();
        setItemText(i, scheduleTitle(name));
        if (const CatalogEntry* entry = findSchedule(name))
            setItemData(i, QString::fromLatin1(entry->source), Qt::ToolTipRole);
    }
    setToolTip(currentText());
}

QStringList ScheduleField::files() const {
    QStringList found;
    for (int i = 0; i < count(); ++i)
        if (isFileSchedule(itemData(i).toString().toStdString())) found << itemData(i).toString();
    return found;
}

void ScheduleField::showPopup() {
    const Theme& theme = currentTheme();
    auto* popup = new ScheduleList(schedule(), files(), this);
    connect(popup, &ScheduleList::chosen, this, [this](const QString& schedule) {
        setCurrentIndex(findData(schedule));
        emit picked(schedule);
        emit done();
    });
    const QPoint below = mapToGlobal(QPoint(0, height() + theme.px(2)));
    const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
    const int high = std::min(theme.px(560), screen.bottom() - below.y() - theme.px(8));
    popup->setGeometry(QRect(below, QSize(theme.px(420), theme.px(200))));
    popup->setMostHeight(std::max(high, theme.px(200)));
    popup->show();
    popup->filter()->setFocus();
    popup->list()->scrollToItem(popup->list()->currentItem(), QAbstractItemView::PositionAtCenter);
}

}  // namespace bscope::ui
