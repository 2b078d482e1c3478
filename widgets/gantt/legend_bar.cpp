#include "widgets/gantt/legend_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>

#include "widgets/gantt/notation.h"

namespace bscope::ui {

namespace {

// With room to the text on its right.
QPixmap iconOf(const LegendItem& item, const Theme& theme, int chunks, double ratio) {
    const QSize drawn(theme.px(item.kind == LegendKind::Operation && chunks > 1 ? 13 * chunks
                               : item.kind == LegendKind::Cap                   ? 16
                                                                                : 13),
                      theme.px(13));
    QPixmap pixmap((drawn + QSize(theme.px(4), 0)) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawLegendIcon(painter, QRectF(QPointF(0, 0), QSizeF(drawn)), item, theme, chunks);
    return pixmap;
}

bool hasMemory(const Timeline& timeline) {
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        if (!timeline.memory(rank).empty()) return true;
    return false;
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

}  // namespace

LegendBar::LegendBar(ViewState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      theme_(Theme::make(ThemeKind::Light)),
      row_(new QHBoxLayout(this)),
      follow_(new QToolButton(this)),
      colours_(new QToolButton(this)) {
    setObjectName(QStringLiteral("legendBar"));
    follow_->setProperty("flat", true);
    follow_->setCheckable(true);
    for (QToolButton* button : {follow_, colours_}) button->setFocusPolicy(Qt::NoFocus);
    colours_->setProperty("flat", true);
    connect(colours_, &QToolButton::clicked, this, &LegendBar::coloursClicked);
    connect(follow_, &QToolButton::clicked, this, [this] { state_.setFollow(follow_->isChecked()); });
    connect(&state_, &ViewState::followChanged, this, &LegendBar::syncToggles);
    connect(&state_, &ViewState::layersChanged, this, &LegendBar::syncToggles);
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    row_->addStretch(1);
    row_->addWidget(colours_);
    row_->addWidget(follow_);
    setTheme(theme_);
}

void LegendBar::setTheme(const Theme& theme) {
    theme_ = theme;
    setFixedHeight(theme.px(26));
    row_->setContentsMargins(theme.px(12), 0, theme.px(12), 0);
    row_->setSpacing(0);
    setStyleSheet(
        QStringLiteral("#legendBar { background: %1; border-top: 1px solid %2; }"
                       "#legendBar QToolButton { border: 0; background: transparent; color: %3; padding: 0 "
                       "%5px; min-height: %6px; border-radius: 3px; }"
                       "#legendBar QToolButton:hover { background: %2; }"
                       "#legendBar QToolButton:!checked { color: %4; }"
                       "#legendBar QToolButton#follow:checked { color: %7; }")
            .arg(theme.canvas.name(), theme.hair.name(), theme.text.name(), theme.text_faint.name())
            .arg(theme.px(4))
            .arg(theme.px(20))
            .arg(theme.ok.name()));
    setAttribute(Qt::WA_StyledBackground);
    follow_->setObjectName(QStringLiteral("follow"));
    rebuild();
}

void LegendBar::setView(const IterationView& view) {
    const bool has_memory = hasMemory(*view.ran);  // comes after the first boxes
    if (view_.ran && view_.config == view.config && view_.ran->empty() == view.ran->empty() &&
        has_memory_ == has_memory)
        return;
    view_ = view;
    has_memory_ = has_memory;
    items_ = legendItems(PreparedView(view), state_.layers(), false);
    chunks_ = std::clamp(view.config.params.v, 1, 3);
    rebuild();
}

void LegendBar::rebuild() {
    for (QWidget* entry : entries_) delete entry;
    entries_.clear();
    int place = 0;
    for (const LegendItem& item : items_) {
        auto* button = new QToolButton(this);
        const bool letters =
            item.kind == LegendKind::Operation && item.op != Op::OptimizerStep && item.op != Op::Recompute;
        const QPixmap icon = iconOf(item, theme_, letters ? chunks_ : 1, devicePixelRatioF());
        QIcon both;
        both.addPixmap(icon, QIcon::Normal, QIcon::On);
        both.addPixmap(paled(icon), QIcon::Normal, QIcon::Off);
        button->setIcon(both);
        button->setIconSize(icon.size() / icon.devicePixelRatio());
        button->setText(item.text);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFont(theme_.font(12));
        button->setFocusPolicy(Qt::NoFocus);
        button->setCheckable(true);
        button->setChecked(true);
        if (item.toggles == nullptr) {
            button->setAttribute(Qt::WA_TransparentForMouseEvents);
        } else {
            button->setToolTip(tr("Show or hide (%1)").arg(item.key));
            connect(button, &QToolButton::clicked, this, [this, toggles = item.toggles](bool on) {
                Layers layers = state_.layers();
                layers.*toggles = on;
                state_.setLayers(layers);
            });
        }
        row_->insertWidget(place++, button);
        entries_.push_back(button);
    }
    syncToggles();
    dropOverflow();
}

// Entries that do not fit give way from the right: first those that only explain, then the toggles, last what
// the colours of the boxes mean.
void LegendBar::dropOverflow() {
    int room = width() - row_->contentsMargins().left() - row_->contentsMargins().right() -
               follow_->sizeHint().width();
    std::vector<std::size_t> order;
    const auto weight = [this](std::size_t i) {
        const LegendItem& item = items_[i];
        const bool computes = item.kind == LegendKind::Operation && isCompute(item.op);
        if (item.kind == LegendKind::Operation && !computes) return 3;  // the optimizer's narrow box
        return computes || item.kind == LegendKind::Version ? 0 : item.toggles != nullptr ? 1 : 2;
    };
    for (int wanted = 0; wanted < 4; ++wanted)
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (weight(i) == wanted) order.push_back(i);
    for (const std::size_t i : order) {
        room -= entries_[i]->sizeHint().width() + row_->spacing();
        entries_[i]->setVisible(room >= 0);
    }
    colours_->setVisible(room >= colours_->sizeHint().width());
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
    for (std::size_t i = 0; i < items_.size(); ++i)
        if (items_[i].toggles != nullptr) {
            auto* entry = static_cast<QToolButton*>(entries_[i]);
            entry->setChecked(state_.layers().*items_[i].toggles);
            QFont font = theme_.font(12);
            font.setStrikeOut(!entry->isChecked());
            entry->setFont(font);
        }
    colours_->setFont(theme_.font(12));
    colours_->setText(tr("Colours: %1").arg(schemeName(theme_.scheme)));
    colours_->setToolTip(tr("By operation, a rank's chunks by their shade; the next ones with C"));
    follow_->setChecked(state_.follow());
    follow_->setFont(theme_.font(12, QFont::Medium));
    follow_->setText(state_.follow() ? tr("Follow: on") : tr("Follow: off"));
    follow_->setToolTip(tr("Show each new iteration as it runs; the zoom stays (Space)"));
}

void LegendBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && view_.ran) {
        items_ = legendItems(PreparedView(view_), state_.layers(), false);
        rebuild();
    }
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
