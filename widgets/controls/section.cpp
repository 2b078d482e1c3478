// Layout and rule of a dock section.
#include "widgets/controls/section.h"

#include <QPainter>

namespace bscope::ui {

Section::Section(QWidget* parent)
    : QWidget(parent),
      head_(new Label(TextRole::Head, this)),
      aside_(new Label(TextRole::Faint, this)),
      head_row_(new QHBoxLayout),
      content_(new QVBoxLayout(this)) {
    head_row_->addWidget(head_);
    head_row_->addStretch(1);
    head_row_->addWidget(aside_);
    content_->addLayout(head_row_);
}

void Section::setHeadWidget(QWidget* widget) {
    aside_->hide();
    head_row_->addWidget(widget);
}

void Section::setRuled(bool on) {
    ruled_ = on;
}

void Section::setTheme(const Theme& theme) {
    theme_ = theme;
    content_->setContentsMargins(theme.px(side_margin_), theme.px(11), theme.px(side_margin_), theme.px(12));
    content_->setSpacing(theme.px(5));
    themeChildren(this, theme);
    update();
}

void Section::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.panel);
    if (ruled_) painter.fillRect(0, height() - 1, width(), 1, theme_.rule);
}

}  // namespace bscope::ui
