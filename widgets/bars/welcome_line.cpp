// One sentence, three links.
#include "widgets/bars/welcome_line.h"

#include <QEvent>
#include <QHBoxLayout>

namespace bscope::ui {

WelcomeLine::WelcomeLine(QWidget* parent)
    : QWidget(parent),
      sentence_(new Label(TextRole::Strong, this)),
      open_(new Button(ButtonLook::Link, Glyph::None, this)),
      connect_(new Button(ButtonLook::Link, Glyph::None, this)),
      lesson_(new Button(ButtonLook::Link, Glyph::None, this)) {
    auto* row = new QHBoxLayout(this);
    for (QWidget* part : std::initializer_list<QWidget*>{sentence_, open_, connect_, lesson_})
        row->addWidget(part);
    row->addStretch(1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(open_, &QAbstractButton::clicked, this, &WelcomeLine::openRecordingClicked);
    connect(connect_, &QAbstractButton::clicked, this, &WelcomeLine::connectClicked);
    connect(lesson_, &QAbstractButton::clicked, this, &WelcomeLine::firstLessonClicked);
    retranslate();
}

void WelcomeLine::followTheme() {
    const Theme& theme = currentTheme();
    layout()->setContentsMargins(theme.px(16), theme.px(7), theme.px(16), theme.px(7));
    layout()->setSpacing(theme.px(16));
    adjustSize();
}

void WelcomeLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void WelcomeLine::retranslate() {
    sentence_->setText(tr("This is the plan. Press Run to train it."));
    open_->setText(tr("Open a recording"));
    connect_->setText(tr("Connect to an engine"));
    lesson_->setText(tr("Start with lesson 1"));
    for (Button* link : {open_, connect_, lesson_}) link->updateGeometry();
    adjustSize();
}

void WelcomeLine::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, 0, width(), 1, theme.rule);
}

}  // namespace bscope::ui
