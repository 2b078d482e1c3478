// Layout, folding and rule of a dock section.
#include "widgets/controls/section.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <utility>

#include "widgets/paint/glyph.h"

namespace bscope::ui {
namespace {

// A chevron: to the right, or down when its section is open.
class FoldButton : public QAbstractButton {
public:
    explicit FoldButton(QWidget* parent) : QAbstractButton(parent) {
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setCursor(Qt::PointingHandCursor);
    }
    QSize sizeHint() const override { return {currentTheme().px(16), currentTheme().px(18)}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (hasFocus()) {
            painter.setPen(QPen(theme.accent, 1.2));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
        }
        const double side = theme.px(9);
        drawGlyph(painter, isChecked() ? Glyph::ChevronDown : Glyph::ChevronRight,
                  {(width() - side) / 2, (height() - side) / 2, side, side}, theme.text_soft);
    }
};

}  // namespace

Section::Section(QWidget* parent)
    : QWidget(parent),
      head_(new Label(TextRole::Head, this)),
      aside_(new Label(TextRole::Faint, this)),
      rows_(new QVBoxLayout(this)),
      head_row_(new QHBoxLayout),
      body_(new QWidget(this)),
      content_(new QVBoxLayout(body_)) {
    head_row_->addWidget(head_);
    head_row_->addStretch(1);
    head_row_->addWidget(aside_);
    rows_->addLayout(head_row_);
    rows_->addWidget(body_);
    content_->setContentsMargins(0, 0, 0, 0);
}

void Section::setHeadWidget(QWidget* widget) {
    aside_->hide();
    head_row_->addWidget(widget);
}

void Section::setOtherRun(const QString& name) {
    if (name == other_run_) return;
    other_run_ = name;
    otherRunChanged();
    for (QWidget* part : body_->findChildren<QWidget*>()) {
        if (auto* const label = qobject_cast<Label*>(part)) label->followTheme();
        part->update();
    }
}

Theme inkThemeOf(const QWidget& part) {
    Theme theme = currentTheme();
    for (const QWidget* each = part.parentWidget(); each != nullptr; each = each->parentWidget())
        if (const auto* const section = qobject_cast<const Section*>(each); section && section->isOfOtherRun(part))
            theme.text = theme.text_soft = theme.text_faint;
    return theme;
}

void Section::otherRunChanged() {
    if (of_other_ == nullptr) {
        of_other_ = new Label(TextRole::Faint, this);
        of_other_->setElided(true);
        constexpr int kAll = 100;  // of the room, the stretch beside it next to none
        head_row_->insertWidget(head_row_->indexOf(head_) + 1, of_other_, kAll);
    }
    of_other_->setText(other_run_);
    of_other_->setToolTip(other_run_);
    of_other_->setVisible(!other_run_.isEmpty());
    // Beside a fold button there is no room for both.
    if (fold_ != nullptr) aside_->setVisible(other_run_.isEmpty());
}

void Section::removeHeadRow() {
    head_row_->removeWidget(head_);
    rows_->removeItem(head_row_);
    delete std::exchange(head_row_, nullptr);
    aside_->hide();
}

void Section::setRuled(bool on) {
    ruled_ = on;
}

void Section::makeFoldable(const QString& name) {
    fold_name_ = name;
    fold_ = new FoldButton(this);
    head_row_->insertWidget(0, fold_);
    connect(fold_, &QAbstractButton::clicked, this, &Section::toggle);
    showFold();
}

void Section::setOpen(bool on) {
    open_ = on;
    showFold();
}

void Section::holdOpen(bool on) {
    if (std::exchange(held_open_, on) != on) showFold();
}

void Section::toggle() {
    setOpen(!open_);
    emit openChanged(open_);
}

void Section::showFold() {
    body_->setVisible(isOpen());
    if (fold_ == nullptr) return;
    fold_->setVisible(!held_open_);
    fold_->setChecked(open_);
    nameFold();
    setCursor(held_open_ ? Qt::ArrowCursor : Qt::PointingHandCursor);
    body_->setCursor(Qt::ArrowCursor);
}

void Section::nameFold() {
    fold_->setAccessibleName(open_ ? tr("Fold: %1").arg(head_->text()) : tr("Open: %1").arg(head_->text()));
    fold_->setToolTip(fold_->accessibleName());
}

void Section::mousePressEvent(QMouseEvent* event) {
    const bool on_head = head_row_ != nullptr && event->position().y() < head_row_->geometry().bottom() + 4;
    if (fold_ == nullptr || held_open_ || event->button() != Qt::LeftButton || !on_head)
        return QWidget::mousePressEvent(event);
    toggle();
    event->accept();
}

bool Section::event(QEvent* event) {
    // Of another head, among others.
    if (fold_ != nullptr && event->type() == QEvent::LayoutRequest) nameFold();
    return QWidget::event(event);
}

void Section::followTheme() {
    const Theme& theme = currentTheme();
    const bool within = side_margin_ == 0;  // another section, which has margins
    rows_->setContentsMargins(theme.px(side_margin_), theme.px(within ? 2 : 11), theme.px(side_margin_),
                              theme.px(within ? 0 : 12));
    rows_->setSpacing(theme.px(5));
    content_->setSpacing(theme.px(5));
}

void Section::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    if (ruled_) painter.fillRect(0, height() - 1, width(), 1, theme.rule);
}

}  // namespace bscope::ui
