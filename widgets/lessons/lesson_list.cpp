// The list of lessons: one card a lesson.
#include <QEvent>
#include <QPainter>

#include "widgets/controls/tab_order.h"
#include "widgets/lessons/lesson_card.h"
#include "widgets/lessons/lesson_panel.h"
#include "widgets/text/format.h"

namespace bscope::ui {

LessonList::LessonList(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    column_ = new QVBoxLayout(page);
    designLayout(*column_, {20, 14, 20, 16}, 8);
    title_ = new Label(TextRole::Title, page);
    hint_ = makeParagraph(TextRole::Soft, page);
    choice_ = new Segments(kMostPaths + 1, page);
    choice_->hide();
    connect(choice_, &Segments::chosen, this, [this] {
        rebuild();
        emit pathChosen();
    });
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

// All under the headings of their levels, or those of a path in its order. Laid out once, at the end: each
// part that is shown would have all of them laid out anew.
void LessonList::rebuild() {
    column_->setEnabled(false);
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
    const auto addLine = [&](TextRole role, const QString& text) {
        Label* line = makeParagraph(role, widget());
        line->setText(unbroken(text));
        add(line);
        line->show();
        headings_.push_back(line);
    };
    if (const LessonPath* path = chosenPath()) {
        for (const LessonPathPart& part : path->parts) {
            if (path->parts.size() > 1) addLine(TextRole::Head, part.title);
            for (const int number : part.numbers)
                for (const LessonEntry& entry : lessons_)
                    if (entry.number == number) addCard(entry);
            for (const QString& note : part.notes) addLine(TextRole::Soft, note);
        }
    } else {
        QString level;
        for (const LessonEntry& entry : lessons_) {
            if (entry.level != level) addLine(TextRole::Soft, entry.level);
            level = entry.level;
            addCard(entry);
        }
    }
    column_->setEnabled(true);
    column_->activate();
    lines_.setLines({cards_.begin(), cards_.end()});
    QList<QWidget*> stops{choice_};
    for (LessonCard* card : cards_) stops << card;
    setTabOrder(this, choice_);
    chainTabs(stops);
    showCounts();
}

const LessonPath* LessonList::chosenPath() const {
    const int path = choice_->current() - 1;
    return path >= 0 && path < static_cast<int>(paths_.size()) ? &paths_[static_cast<std::size_t>(path)]
                                                               : nullptr;
}

void LessonList::showCounts() {
    int minutes = 0;
    for (const LessonCard* card : cards_) minutes += card->minutes();
    const LessonPath* path = chosenPath();
    const QString how =
        path != nullptr
            ? path->about
            : tr("Look, guess, then see: numbers come from runs made here, or are marked as predicted.");
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
    showCounts();
}

}  // namespace bscope::ui
