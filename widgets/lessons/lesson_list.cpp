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
    LessonCard(LessonEntry entry, QWidget* parent) : QAbstractButton(parent), entry_(std::move(entry)) {
        setText(entry_.title);
        setAccessibleDescription(placeText());
        entry_.summary = unbroken(entry_.summary);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    const QString& id() const { return entry_.id; }
    int minutes() const { return entry_.minutes; }
    QSize sizeHint() const override {
        const Theme& theme = currentTheme();
        const QFontMetrics metrics(theme.font(11.5));
        const QRect box = metrics.boundingRect(QRect(0, 0, width() - theme.px(44 + 12), 1000),
                                               Qt::TextWordWrap, entry_.summary);
        return {theme.px(300), theme.px(29 + 9) + box.height() + (placeText().isEmpty() ? 0 : theme.px(17))};
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
                         QString::number(entry_.number));
        const int right = theme.px(12);
        painter.setFont(theme.font(12.5, QFont::DemiBold));
        painter.setPen(theme.text);
        const QRect head(theme.px(44), theme.px(8),
                         width() - theme.px(44) - right - (markText().isEmpty() ? 0 : theme.px(60)),
                         theme.px(20));
        painter.drawText(head, Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(entry_.title, Qt::ElideRight, head.width()));
        painter.setFont(theme.font(11.5));
        painter.setPen(theme.text_soft);
        painter.drawText(
            QRect(theme.px(44), theme.px(29), width() - theme.px(44) - right, height() - theme.px(29)),
            Qt::TextWordWrap, entry_.summary);
        painter.setFont(theme.font(11));
        painter.setPen(theme.text_faint);
        painter.drawText(
            QRect(theme.px(44), height() - theme.px(24), width() - theme.px(44) - right, theme.px(17)),
            Qt::AlignVCenter, placeText());
        if (entry_.mark == LessonMark::None) return;
        painter.setFont(theme.font(11.5));
        painter.setPen(entry_.mark == LessonMark::Right ? theme.accent : theme.text_soft);
        painter.drawText(QRect(0, theme.px(8), width() - right, theme.px(20)),
                         Qt::AlignVCenter | Qt::AlignRight, markText());
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    QString placeText() const {
        QStringList parts;
        if (entry_.minutes > 0) parts << LessonList::tr("%1 min").arg(entry_.minutes);
        QStringList numbers;
        for (const int number : entry_.after) numbers << QString::number(number);
        if (!numbers.isEmpty()) parts << LessonList::tr("builds on %1").arg(listText(numbers));
        return parts.join(QStringLiteral("  ·  "));
    }
    QString markText() const {
        switch (entry_.mark) {
            case LessonMark::Right:
                return LessonList::tr("✓ right");
            case LessonMark::Wrong:
                return LessonList::tr("◐ done");
            case LessonMark::None:
                break;
        }
        return {};
    }

    LessonEntry entry_;
};

LessonList::LessonList(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    column_ = new QVBoxLayout(page);
    designLayout(*column_, {20, 14, 20, 16}, 8);
    title_ = new Label(TextRole::Title, page);
    hint_ = makeParagraph(TextRole::Soft, page);
    choice_ = new Segments(4, page);
    choice_->hide();
    connect(choice_, &Segments::chosen, this, [this] { rebuild(); });
    column_->addWidget(title_);
    column_->addWidget(hint_);
    column_->addWidget(choice_);
    column_->addStretch(1);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    retranslate();
}

void LessonList::setLessons(std::vector<LessonEntry> lessons) {
    lessons_ = std::move(lessons);
    rebuild();
}

void LessonList::setPaths(std::vector<LessonPath> paths) {
    paths_ = std::move(paths);
    choice_->setVisible(!paths_.empty());
    retranslate();
    rebuild();
}

// All under the headings of their levels, or those of a path in its order.
void LessonList::rebuild() {
    for (LessonCard* card : cards_) card->deleteLater();
    for (Label* heading : headings_) heading->deleteLater();
    cards_.clear();
    headings_.clear();
    const auto add = [this](QWidget* part) { column_->insertWidget(column_->count() - 1, part); };
    const auto addCard = [&](const LessonEntry& entry) {
        auto* card = new LessonCard(entry, widget());
        add(card);
        card->show();
        connect(card, &QAbstractButton::clicked, this, [this, id = card->id()] { emit openLesson(id); });
        cards_.push_back(card);
    };
    const int path = choice_->current() - 1;
    if (path >= 0 && path < static_cast<int>(paths_.size())) {
        for (const int number : paths_[static_cast<std::size_t>(path)].numbers)
            for (const LessonEntry& entry : lessons_)
                if (entry.number == number) addCard(entry);
    } else {
        QString level;
        for (const LessonEntry& entry : lessons_) {
            if (entry.level != level) {
                auto* heading = new Label(TextRole::Soft, widget());
                heading->setText(entry.level);
                add(heading);
                heading->show();
                headings_.push_back(heading);
                level = entry.level;
            }
            addCard(entry);
        }
    }
    QList<QWidget*> stops{choice_};
    for (LessonCard* card : cards_) stops << card;
    setTabOrder(this, choice_);
    chainTabs(stops);
    sayHowMany();
}

void LessonList::sayHowMany() {
    int minutes = 0;
    for (const LessonCard* card : cards_) minutes += card->minutes();
    const QString how = tr("Look, guess, then see: every number comes from runs made here.");
    hint_->setText(
        minutes == 0
            ? how
            : sentencesText(
                  {tr("%1 lessons, about %2 minutes together.").arg(cards_.size()).arg(minutes), how}));
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
    QStringList names{tr("All")};
    for (const LessonPath& path : paths_) names << path.name;
    choice_->setTexts(names);
    sayHowMany();
}

}  // namespace bscope::ui
