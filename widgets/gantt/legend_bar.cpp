#include "widgets/gantt/legend_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QMenu>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>

#include "widgets/text/notation.h"

namespace bscope::ui {

namespace {

// With room to the text on its right.
QPixmap iconOf(const LegendItem& item, const Theme& theme, double ratio) {
    const QSize drawn(theme.px(legendIconWidth(item)), theme.px(13));
    QPixmap pixmap((drawn + QSize(theme.px(4), 0)) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawLegendIcon(painter, QRectF(QPointF(0, 0), QSizeF(drawn)), item, theme);
    return pixmap;
}

// For what is hidden.
QPixmap paled(const QPixmap& icon) {
    QPixmap pixmap(icon.size());
    pixmap.setDevicePixelRatio(icon.devicePixelRatio());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setOpacity(0.35);
    painter.drawPixmap(0, 0, icon);
    return pixmap;
}

bool isSwitch(const LegendItem& item) {
    return item.toggles != nullptr || item.kind == LegendKind::Operation;
}

// How soon an entry is left out: 0 never before the rest.
int rankOf(const LegendItem& item) {
    switch (item.kind) {
        case LegendKind::Operation:
            return isCompute(item.op) ? 0 : 3;
        case LegendKind::Changes:
            return 0;
        case LegendKind::Transfer:
        case LegendKind::FillDrain:
        case LegendKind::Memory:
        case LegendKind::MemoryBand:
        case LegendKind::Reserved:
        case LegendKind::Checkpointing:
            return 1;
        case LegendKind::Plan:
            return item.toggles == nullptr ? 1 : 2;
        case LegendKind::Arrow:
        case LegendKind::Cap:
        case LegendKind::Kernels:
        case LegendKind::End:
            return 3;
        default:
            return 2;
    }
}

}  // namespace

LegendBar::LegendBar(ViewState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      row_(new QHBoxLayout(this)),
      more_(new QToolButton(this)),
      menu_(new QMenu(this)),
      follow_(new QToolButton(this)),
      colours_(new QToolButton(this)) {
    setObjectName(QStringLiteral("legendBar"));
    follow_->setProperty("flat", true);
    follow_->setCheckable(true);
    setFocusPolicy(Qt::TabFocus);  // its entries come and go
    for (QToolButton* button : {more_, follow_, colours_}) button->setFocusPolicy(Qt::NoFocus);
    colours_->setProperty("flat", true);
    connect(colours_, &QToolButton::clicked, this, &LegendBar::coloursClicked);
    connect(follow_, &QToolButton::clicked, this, [this] { state_.setFollow(follow_->isChecked()); });
    connect(&state_, &ViewState::followChanged, this, &LegendBar::syncToggles);
    connect(&state_, &ViewState::layersChanged, this, [this] {
        // Some entries are there only while their layer is shown.
        if (const Layers layers = state_.layers(); layers.memory_bands || layers.checkpointing || extended_)
            refresh();
        else
            syncToggles();
    });
    connect(&state_, &ViewState::filterChanged, this, &LegendBar::syncToggles);
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    more_->setObjectName(QStringLiteral("more"));
    more_->setProperty("flat", true);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setMenu(menu_);
    connect(menu_, &QMenu::aboutToShow, this, &LegendBar::fillMenu);
    row_->addWidget(more_);
    row_->addStretch(1);
    row_->addWidget(colours_);
    row_->addWidget(follow_);
    followTheme();
}

void LegendBar::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(26));
    row_->setContentsMargins(theme.px(12), 0, theme.px(12), 0);
    row_->setSpacing(0);
    setSheet(
        *this,
        QStringLiteral("#legendBar { background: %1; border-top: 1px solid %2; }"
                       "#legendBar QToolButton { border: 0; background: transparent; color: %3; padding: 0 "
                       "%5px; min-height: %6px; border-radius: 3px; }"
                       "#legendBar QToolButton:hover { background: %2; }"
                       "#legendBar QToolButton:!checked { color: %4; }"
                       "#legendBar QToolButton#more { color: %3; }"
                       "#legendBar QToolButton::menu-indicator { image: none; }"
                       "#legendBar QToolButton#follow:checked { color: %7; }")
            .arg(theme.canvas.name(), theme.hair.name(), theme.text.name(), theme.text_faint.name())
            .arg(theme.px(4))
            .arg(theme.px(20))
            .arg(theme.ok.name()));
    setAttribute(Qt::WA_StyledBackground);
    follow_->setObjectName(QStringLiteral("follow"));
    refresh();
}

void LegendBar::setGroups(std::span<const PreparedView> groups) {
    std::vector<RunConfig> configs;
    Signs signs;
    bool compared = false;
    for (const PreparedView& group : groups) {
        configs.push_back(group.view().config);
        signs |= signsOf(group, groups.size() > 1);
        compared = compared || group.view().compared != nullptr;
    }
    if (configs == configs_) {
        // Gone for good when everything has run, or when no baseline is pinned any more.
        const bool planned_boxes = signs.planned_boxes;
        signs |= signs_;
        signs.planned_boxes = planned_boxes;
        signs.changes = signs.changes && compared;
    }
    if (configs == configs_ && signs == signs_) return;
    configs_ = std::move(configs);
    signs_ = signs;
    refresh();
}

void LegendBar::refresh() {
    extended_ = state_.layers().memory_bands || state_.layers().checkpointing;
    items_ = configs_.empty() ? std::vector<LegendItem>()
                              : legendItems(signs_, currentTheme(), state_.layers(), LegendUse::Window,
                                            configs_.front().memory_cap_mb);
    rebuild();
}

QIcon LegendBar::iconFor(const LegendItem& item) const {
    const QPixmap icon = iconOf(item, currentTheme(), devicePixelRatioF());
    QIcon both;
    both.addPixmap(icon, QIcon::Normal, QIcon::On);
    both.addPixmap(isSwitch(item) ? paled(icon) : icon, QIcon::Normal, QIcon::Off);
    return both;
}

// A layer is drawn or not; operations of a kind are drawn, or pale by the filter.
bool LegendBar::isOn(const LegendItem& item) const {
    if (item.toggles != nullptr) return state_.layers().*item.toggles;
    return !state_.filter().hidden_ops.contains(item.op);
}

void LegendBar::setOn(const LegendItem& item, bool on) {
    if (item.toggles != nullptr) {
        Layers layers = state_.layers();
        layers.*item.toggles = on;
        return state_.setLayers(layers);
    }
    Filter filter = state_.filter();
    for (const Op op : {item.op, item.also.value_or(item.op)}) {
        if (on)
            filter.hidden_ops.erase(op);
        else
            filter.hidden_ops.insert(op);
    }
    state_.setFilter(filter);
}

void LegendBar::rebuild() {
    const Theme& theme = currentTheme();
    for (QWidget* entry : entries_) {
        row_->removeWidget(entry);
        entry->hide();
        entry->deleteLater();  // it may be the one whose click this follows
    }
    entries_.clear();
    int place = 0;
    for (const LegendItem& item : items_) {
        auto* button = new QToolButton(this);
        button->setIcon(iconFor(item));
        button->setIconSize(QSize(theme.px(legendIconWidth(item)) + theme.px(4), theme.px(13)));
        button->setText(item.text);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFont(theme.font(12));
        button->setFocusPolicy(Qt::NoFocus);
        button->setCheckable(true);
        button->setChecked(true);
        if (!isSwitch(item)) {
            button->setAttribute(Qt::WA_TransparentForMouseEvents);
        } else {
            button->setToolTip(item.toggles != nullptr
                                   ? tr("Show or hide (%1)").arg(item.key)
                                   : tr("Draw these operations pale, or not; the iteration's numbers stay"));
            button->setAccessibleName(item.text);
            connect(button, &QToolButton::clicked, this, [this, item](bool on) { setOn(item, on); });
        }
        row_->insertWidget(place++, button);
        entries_.push_back(button);
    }
    syncToggles();
    dropOverflow();
}

// The switches that have room, and what follows them.
QList<QToolButton*> LegendBar::stops() const {
    QList<QToolButton*> stops;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (isSwitch(items_[i]) && !entries_[i]->isHidden()) stops << entries_[i];
    for (QToolButton* button : {more_, colours_, follow_})
        if (!button->isHidden()) stops << button;
    return stops;
}

void LegendBar::setCurrent(int stop) {
    current_ = std::clamp(stop, 0, static_cast<int>(stops().size()) - 1);
    setAccessibleName(current()->text());
    update();
}

void LegendBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return setCurrent(current_ - 1);
        case Qt::Key_Right:
            return setCurrent(current_ + 1);
        case Qt::Key_Home:
            return setCurrent(0);
        case Qt::Key_End:
            return setCurrent(static_cast<int>(stops().size()) - 1);
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return current()->click();
        default:
            QWidget::keyPressEvent(event);
    }
}

// Behind the current entry, while keys go here.
void LegendBar::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (!hasFocus()) return;
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(theme.accent_tint);
    painter.drawRoundedRect(QRectF(current()->geometry()).adjusted(1, 0, -1, 0), 3, 3);
}

// Entries that do not fit go into the menu, last what the colours of the boxes mean.
void LegendBar::dropOverflow() {
    // A button has its size once it has its style.
    for (QToolButton* entry : entries_) entry->ensurePolished();
    for (QToolButton* button : {more_, follow_, colours_}) button->ensurePolished();
    const int room = width() - row_->contentsMargins().left() - row_->contentsMargins().right() -
                     follow_->sizeHint().width();
    std::vector<std::size_t> order;
    for (int wanted = 0; wanted < 4; ++wanted)
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (rankOf(items_[i]) == wanted) order.push_back(i);
    const auto place = [&](int free) {
        int left_out = 0;
        for (const std::size_t i : order) {
            free -= entries_[i]->sizeHint().width() + row_->spacing();
            entries_[i]->setVisible(free >= 0);
            left_out += free < 0;
        }
        more_->setText(tr("+%1").arg(left_out));
        more_->setToolTip(tr("What else the picture shows"));
        more_->setVisible(left_out > 0);
        return free;
    };
    int left = place(room);
    if (left < 0) left = place(room - more_->sizeHint().width() - row_->spacing());
    colours_->setVisible(left >= colours_->sizeHint().width());
    row_->activate();  // before anything is painted: a number of one digit more needs more room
    setCurrent(current_);
}

void LegendBar::fillMenu() {
    menu_->clear();
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (!entries_[i]->isHidden()) continue;
        const LegendItem& item = items_[i];
        QAction* action = menu_->addAction(iconFor(item), item.text);
        action->setIconVisibleInMenu(true);
        if (!isSwitch(item)) continue;
        action->setCheckable(true);
        action->setChecked(isOn(item));
        connect(action, &QAction::toggled, this, [this, item](bool on) { setOn(item, on); });
    }
    if (colours_->isHidden())
        connect(menu_->addAction(colours_->text()), &QAction::triggered, this, &LegendBar::coloursClicked);
}

QString LegendBar::colours() const {
    return colours_->text();
}

void LegendBar::resizeEvent(QResizeEvent* event) {
    dropOverflow();
    QWidget::resizeEvent(event);
}

QSize LegendBar::minimumSizeHint() const {
    return {follow_->sizeHint().width(), height()};
}

void LegendBar::syncToggles() {
    const Theme& theme = currentTheme();
    for (std::size_t i = 0; i < items_.size(); ++i)
        if (isSwitch(items_[i])) {
            QToolButton* entry = entries_[i];
            entry->setChecked(isOn(items_[i]));
            entry->setFont(theme.font(12));
        }
    colours_->setFont(theme.font(12));
    colours_->setText(tr("Colours: %1").arg(schemeName(theme.scheme)));
    colours_->setToolTip(tr("By operation, a rank's chunks by their shade; the next ones with C"));
    follow_->setChecked(state_.follow());
    follow_->setFont(theme.font(12, QFont::Medium));
    follow_->setText(state_.follow() ? tr("Follow: on") : tr("Follow: off"));
    follow_->setToolTip(tr("Show each new iteration as it runs; the zoom stays (Shift+F)"));
}

void LegendBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
