// The list of lessons: one card a lesson.
#include <QEvent>
#include <QPainter>

#include "widgets/controls/tab_order.h"
#include "widgets/lessons/lesson_panel.h"
#include "widgets/text/format.h"

namespace bscope::ui {

// Number, title, what it is about, a check mark when done.
class LessonCard : public QAbstractButton {
public:
    LessonCard(int number, LessonEntry entry, QWidget* parent)
        : QAbstractButton(parent), number_(number), entry_(std::move(entry)) {
        setText(entry_.title);
        entry_.summary = unbroken(entry_.summary);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    const QString& id() const { return entry_.id; }
    QSize sizeHint() const override {
        const Theme& theme = currentTheme();
        const QFontMetrics metrics(theme.font(11.5));
        const QRect box = metrics.boundingRect(QRect(0, 0, width() - theme.px(44 + 12), 1000),
                                               Qt::TextWordWrap, entry_.summary);
        return {theme.px(300), theme.px(29 + 9) + box.height()};
    }

protected:
    void resizeEvent(QResizeEvent*) override { updateGeometry(); }
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(hasFocus()     ? theme.accent
                            : underMouse() ? theme.text_faint
                                           : theme.rule,
                            hasFocus() ? 1.5 : 1));
        painter.setBrush(theme.canvas);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), theme.px(4), theme.px(4));
        painter.setFont(theme.font(15, QFont::DemiBold));
        painter.setPen(theme.text_faint);
        painter.drawText(QRect(0, theme.px(8), theme.px(40), theme.px(20)), Qt::AlignCenter,
                         QString::number(number_));
        const int right = theme.px(12);
        painter.setFont(theme.font(12.5, QFont::DemiBold));
        painter.setPen(theme.text);
        const QRect head(theme.px(44), theme.px(8),
                         width() - theme.px(44) - right - (entry_.done ? theme.px(50) : 0), theme.px(20));
        painter.drawText(head, Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(entry_.title, Qt::ElideRight, head.width()));
        painter.setFont(theme.font(11.5));
        painter.setPen(theme.text_soft);
        painter.drawText(
            QRect(theme.px(44), theme.px(29), width() - theme.px(44) - right, height() - theme.px(29)),
            Qt::TextWordWrap, entry_.summary);
        if (!entry_.done) return;
        painter.setPen(theme.accent);
        painter.drawText(QRect(0, theme.px(8), width() - right, theme.px(20)),
                         Qt::AlignVCenter | Qt::AlignRight, LessonList::tr("✓ done"));
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    int number_;
    LessonEntry entry_;
};

LessonList::LessonList(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    column_ = new QVBoxLayout(page);
    designLayout(*column_, {20, 14, 20, 16}, 8);
    title_ = new Label(TextRole::Title, page);
    hint_ = makeParagraph(TextRole::Soft, page);
    column_->addWidget(title_);
    column_->addWidget(hint_);
    column_->addStretch(1);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    retranslate();
}

void LessonList::setLessons(std::vector<LessonEntry> lessons) {
    lessons_ = std::move(lessons);
    for (LessonCard* card : cards_) card->deleteLater();
    cards_.clear();
    for (std::size_t i = 0; i < lessons_.size(); ++i) {
        auto* card = new LessonCard(static_cast<int>(i) + 1, lessons_[i], widget());
        column_->insertWidget(column_->count() - 1, card);
        connect(card, &QAbstractButton::clicked, this, [this, id = card->id()] { emit openLesson(id); });
        cards_.push_back(card);
    }
    if (!cards_.empty()) setTabOrder(this, cards_.front());
    chainTabs(QList<QWidget*>(cards_.begin(), cards_.end()));
}

QAbstractButton* LessonList::card(int index) const {
    return cards_.at(static_cast<std::size_t>(index));
}

void LessonList::paintEvent(QPaintEvent* event) {
    QPainter(viewport()).fillRect(viewport()->rect(), currentTheme().panel);
    QScrollArea::paintEvent(event);
}

void LessonList::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

void LessonList::retranslate() {
    title_->setText(tr("Lessons"));
    hint_->setText(
        tr("Each takes about three minutes. Look, guess, then see: every number comes from runs made here."));
}

}  // namespace bscope::ui
