#include "widgets/tune/improve_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

namespace bscope::ui {

ImprovePage::ImprovePage(QWidget* changes, QWidget* sweep, QWidget* changes_side, QWidget* sweep_side,
                         QWidget* parent)
    : QWidget(parent),
      switch_(new Segments(2, this)),
      pages_(new QStackedWidget(this)),
      sides_(new QStackedWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    designLayout(*head, {16, 8, 16, 0}, 12);
    head->addWidget(switch_);
    head->addStretch(1);
    column->addLayout(head);
    column->addWidget(pages_, 1);
    for (QWidget* page : {changes, sweep}) pages_->addWidget(page);
    for (QWidget* side : {changes_side, sweep_side}) sides_->addWidget(side);
    sides_->hide();  // shown by the window that places it
    switch_->setCurrent(0);
    connect(switch_, &Segments::chosen, this, [this](int index) {
        setSection(static_cast<Section>(index));
        emit sectionChosen();
    });
    retranslate();
}

void ImprovePage::setSection(Section section) {
    const int index = static_cast<int>(section);
    switch_->setCurrent(index);
    pages_->setCurrentIndex(index);
    sides_->setCurrentIndex(index);
}

void ImprovePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ImprovePage::retranslate() {
    switch_->setTexts({tr("What would help"), tr("Sweep")});
}

void ImprovePage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), currentTheme().canvas);
}

}  // namespace bscope::ui
