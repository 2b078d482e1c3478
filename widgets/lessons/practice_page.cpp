#include "widgets/lessons/practice_page.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "widgets/controls/tab_order.h"
#include "widgets/text/format.h"

namespace bscope::ui {

PracticePage::PracticePage(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    column_ = new QVBoxLayout(page);
    designLayout(*column_, {20, 14, 20, 16}, 8);
    title_ = new Label(TextRole::Title, page);
    hint_ = makeParagraph(TextRole::Soft, page);
    begin_ = new Button(ButtonLook::Primary, Glyph::None, page);
    heading_ = makeParagraph(TextRole::Soft, page);
    column_->addWidget(title_);
    column_->addWidget(hint_);
    column_->addWidget(begin_, 0, Qt::AlignLeft);
    column_->addWidget(heading_);
    column_->addStretch(1);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(begin_, &QAbstractButton::clicked, this, &PracticePage::begun);
}

void PracticePage::setFace(PracticeFace face) {
    title_->setText(face.title);
    hint_->setText(unbroken(face.hint));
    begin_->setText(face.begin);
    begin_->updateGeometry();
    heading_->setText(face.heading);
    for (LessonCard* card : cards_) card->deleteLater();
    cards_.clear();
    for (LessonEntry& entry : face.entries) {
        auto* card = new LessonCard(std::move(entry), widget());
        column_->insertWidget(column_->count() - 1, card);
        card->show();
        connect(card, &QAbstractButton::clicked, this, [this, id = card->id()] { emit chosen(id); });
        cards_.push_back(card);
    }
    lines_.setLines({cards_.begin(), cards_.end()});
    QList<QWidget*> stops{begin_};
    for (LessonCard* card : cards_) stops << card;
    setTabOrder(this, begin_);
    chainTabs(stops);
}

void PracticePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) emit languageChanged();
    QScrollArea::changeEvent(event);
}

void PracticePage::showEvent(QShowEvent* event) {
    emit shown();
    QScrollArea::showEvent(event);
}

void PracticePage::paintEvent(QPaintEvent* event) {
    QPainter(viewport()).fillRect(viewport()->rect(), currentTheme().panel);
    QScrollArea::paintEvent(event);
}

}  // namespace bscope::ui
