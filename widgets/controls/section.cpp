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

void Section::setOtherRun(const QString& name) {
    if (name == other_run_) return;
    other_run_ = name;
    otherRunChanged();
}

void Section::otherRunChanged() {
    if (of_other_ == nullptr) {
        of_other_ = new Label(TextRole::Faint, this);
        of_other_->setElided(true);
        head_row_->insertWidget(1, of_other_, 1);
    }
    of_other_->setText(other_run_);
    of_other_->setVisible(!other_run_.isEmpty());
}

void Section::setRuled(bool on) {
    ruled_ = on;
}

void Section::followTheme() {
    const Theme& theme = currentTheme();
    content_->setContentsMargins(theme.px(side_margin_), theme.px(11), theme.px(side_margin_), theme.px(12));
    content_->setSpacing(theme.px(5));
}

void Section::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    if (ruled_) painter.fillRect(0, height() - 1, width(), 1, theme.rule);
}

}  // namespace bscope::ui
