#include "widgets/lessons/learning_place.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace bscope::ui {

LearningPlace::LearningPlace(QWidget* lessons, QWidget* lesson, QWidget* parent)
    : QWidget(parent), lesson_(lesson) {
    hour_ = new HourBar(this);
    hour_->hide();
    tab_row_ = new QWidget(this);
    tabs_ = new Segments(kPages, tab_row_);
    auto* row = new QHBoxLayout(tab_row_);
    designLayout(*row, {20, 12, 20, 2}, 0);
    row->addWidget(tabs_);
    row->addStretch(1);
    stack_ = new QStackedWidget(this);
    stack_->addWidget(lesson_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tab_row_);
    column->addWidget(stack_, 1);
    column->addWidget(hour_);  // at the foot: it comes and goes, and nothing above it moves
    setPage(Page::Lessons, lessons);
    connect(tabs_, &Segments::chosen, this, [this](int index) {
        const Page page = static_cast<Page>(index);
        showPage(page);
        emit pageChosen(page);
    });
    retranslate();
    showPage(Page::Lessons);
}

void LearningPlace::setPage(Page page, QWidget* widget) {
    pages_[static_cast<std::size_t>(page)] = widget;
    stack_->addWidget(widget);
}

void LearningPlace::showPage(Page page) {
    tabs_->setCurrent(static_cast<int>(page));
    if (QWidget* shown = pages_[static_cast<std::size_t>(page)]) stack_->setCurrentWidget(shown);
    tab_row_->show();
}

void LearningPlace::showLesson() {
    tabs_->setCurrent(static_cast<int>(Page::Lessons));
    stack_->setCurrentWidget(lesson_);
    tab_row_->hide();
}

void LearningPlace::retranslate() {
    tabs_->setTexts({tr("Lessons"), tr("Cards"), tr("Quiz"), tr("Puzzle")});
}

void LearningPlace::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void LearningPlace::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), currentTheme().panel);
}

}  // namespace bscope::ui
