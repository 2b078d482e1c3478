// The walk through a lesson.
#include "widgets/lessons/lesson_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QScrollBar>
#include <utility>

#include "widgets/controls/tab_order.h"
#include "widgets/text/format.h"

namespace bscope::ui {

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::ClickFocus);  // Tab goes on from here
    header_ = new QWidget(this);
    number_ = new Label(TextRole::Soft, header_);
    all_ = new Button(ButtonLook::Link, Glyph::None, header_);
    title_ = makeParagraph(TextRole::Title, header_);
    steps_ = new StepBar(header_);
    auto* first = new QHBoxLayout;
    first->addWidget(number_);
    first->addStretch(1);
    first->addWidget(all_);
    auto* head = new QVBoxLayout(header_);
    designLayout(*head, {20, 14, 20, 12}, 8);
    head->addLayout(first);
    head->addWidget(title_);
    head->addWidget(steps_);

    page_ = new QWidget(this);
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (Section** section : {&story_, &look_, &question_, &reveal_, &try_, &follow_up_, &interview_}) {
        *section = new Section(page_);
        (*section)->head()->setRole(TextRole::Soft);
        (*section)->setSideMargin(20);
        column->addWidget(*section);
    }
    column->addStretch(1);
    const auto paragraph = [](Section* section, TextRole role) {
        Label* label = makeParagraph(role, section);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        section->content()->addWidget(label);
        return label;
    };
    story_text_ = paragraph(story_, TextRole::Body);
    look_text_ = paragraph(look_, TextRole::Body);
    question_text_ = paragraph(question_, TextRole::Body);
    why_text_ = paragraph(reveal_, TextRole::Soft);
    reveal_text_ = paragraph(reveal_, TextRole::Body);
    comparison_title_ = new Label(TextRole::Strong, reveal_);
    comparison_ = new ComparisonTable(reveal_);
    reveal_->content()->addWidget(comparison_title_);
    reveal_->content()->addWidget(comparison_);
    follow_up_text_ = paragraph(follow_up_, TextRole::Body);
    interview_text_ = paragraph(interview_, TextRole::Body);
    interview_->setRuled(false);
    scroll_ = new QScrollArea(this);
    scroll_->setWidget(page_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    footer_ = new QWidget(this);
    back_ = new Button(ButtonLook::Plain, Glyph::None, footer_);
    next_ = new Button(ButtonLook::Primary, Glyph::None, footer_);
    back_->setMinimumTextWidth(62);
    next_->setMinimumTextWidth(100);
    auto* foot = new QHBoxLayout(footer_);
    designLayout(*foot, {20, 10, 20, 12}, 6);
    foot->addWidget(back_);
    foot->addStretch(1);
    foot->addWidget(next_);

    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(header_);
    all->addWidget(scroll_, 1);
    all->addWidget(footer_);
    connect(all_, &QAbstractButton::clicked, this, &LessonPanel::leave);
    connect(back_, &QAbstractButton::clicked, this, [this] {
        if (step_ > LessonStep::Look) goTo(static_cast<LessonStep>(static_cast<int>(step_) - 1));
    });
    connect(next_, &QAbstractButton::clicked, this, [this] {
        if (step_ == LessonStep::FollowUp)
            emit finished(std::exchange(lesson_.id, {}));  // opened again, it begins anew
        else
            goTo(static_cast<LessonStep>(static_cast<int>(step_) + 1));
    });
    connect(steps_, &StepBar::stepClicked, this, [this](int step) { goTo(static_cast<LessonStep>(step)); });
    refresh();
}

void LessonPanel::setLesson(const LessonData& lesson) {
    const bool same = lesson.id == lesson_.id && lesson.choices.size() == lesson_.choices.size() &&
                      lesson.try_next.size() == lesson_.try_next.size();
    lesson_ = lesson;
    if (!same) {
        guess_ = -1;
        step_ = LessonStep::Look;
        progress_.clear();
    }
    if (!same) rebuild();
    nameParts();
    refresh();
    if (!same) emit stepChanged(step_);
}

void LessonPanel::goTo(LessonStep step) {
    if (step == step_ || (step > LessonStep::Guess && guess_ < 0)) return;
    step_ = step;
    if (page_->isAncestorOf(focusWidget())) setFocus();  // not from a part that goes to one that comes
    refresh();
    scroll_->verticalScrollBar()->setValue(0);
    emit stepChanged(step_);
}

void LessonPanel::setProgress(const QString& progress) {
    progress_ = progress;
    refresh();
}

void LessonPanel::choose(int index) {
    if (step_ > LessonStep::Guess) return;  // the guess stands once the reveal was seen
    guess_ = index;
    refresh();
    emit guessed(index, lesson_.choices[static_cast<std::size_t>(index)].right);
}

// Cards and buttons stay as long as the lesson: a run that ends must not take one from under a click.
void LessonPanel::rebuild() {
    for (ChoiceCard* card : choices_) card->deleteLater();
    for (Button* button : try_buttons_) button->deleteLater();
    choices_.clear();
    try_buttons_.clear();
    for (std::size_t i = 0; i < lesson_.choices.size(); ++i) {
        auto* card = new ChoiceCard(question_);
        question_->content()->addWidget(card);
        connect(card, &QAbstractButton::clicked, this, [this, i] { choose(static_cast<int>(i)); });
        choices_.push_back(card);
    }
    for (qsizetype i = 0; i < lesson_.try_next.size(); ++i) {
        auto* button = new Button(ButtonLook::Plain, Glyph::None, try_);
        button->setElided(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        try_->content()->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, i] { emit tryRun(static_cast<int>(i)); });
        try_buttons_.push_back(button);
    }
    setTabOrder(this, all_);
    QList<QWidget*> stops{all_};
    for (ChoiceCard* card : choices_) stops << card;
    for (Button* button : try_buttons_) stops << button;
    chainTabs(stops << back_ << next_);
}

void LessonPanel::nameParts() {
    for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i]->setText(unbroken(lesson_.choices[i].text));
    for (std::size_t i = 0; i < try_buttons_.size(); ++i) {
        const QString text = lesson_.try_next[static_cast<qsizetype>(i)];
        try_buttons_[i]->setText(text);
        try_buttons_[i]->setToolTip(text);
    }
}

void LessonPanel::refresh() {
    number_->setText(lesson_.number > 0 ? tr("Lesson %1 of %2").arg(lesson_.number).arg(lesson_.count)
                                        : QString());
    title_->setText(lesson_.title);
    all_->setText(tr("All lessons"));
    all_->updateGeometry();
    const QStringList names{tr("Look"), tr("Guess"), tr("Reveal"), tr("Follow-up")};
    steps_->setNames(names);
    steps_->setStep(static_cast<int>(step_), guess_ < 0 ? 1 : 3);
    story_->head()->setText(tr("Story"));
    look_->head()->setText(tr("What to look at"));
    question_->head()->setText(tr("Question"));
    reveal_->head()->setText(tr("Reveal"));
    reveal_->aside()->setText(lesson_.source);
    try_->head()->setText(tr("Try it"));
    follow_up_->head()->setText(tr("Follow-up"));
    interview_->head()->setText(tr("Interview, 30 seconds"));
    story_text_->setText(lesson_.story);
    look_text_->setText(lesson_.look);
    question_text_->setText(lesson_.question);
    const QString why = guess_ < 0 ? QString() : lesson_.choices[static_cast<std::size_t>(guess_)].why;
    why_text_->setText(why);
    why_text_->setVisible(!why.isEmpty());
    reveal_text_->setText(lesson_.reveal);
    follow_up_text_->setText(lesson_.follow_up);
    interview_text_->setText(lesson_.interview.isEmpty() ? QString() : tr("“%1”").arg(lesson_.interview));

    const bool revealed = step_ >= LessonStep::Reveal;
    story_->setVisible(step_ == LessonStep::Look && !lesson_.story.isEmpty());
    look_->setVisible(step_ == LessonStep::Look && !lesson_.look.isEmpty());
    question_->setVisible(step_ == LessonStep::Guess || step_ == LessonStep::Reveal);
    reveal_->setVisible(step_ == LessonStep::Reveal);
    comparison_title_->setVisible(lesson_.comparison.has_value());
    comparison_->setVisible(lesson_.comparison.has_value());
    if (lesson_.comparison) {
        comparison_title_->setText(lesson_.comparison->title);
        comparison_->setComparison(*lesson_.comparison);
    }
    follow_up_->setVisible(step_ == LessonStep::FollowUp && !lesson_.follow_up.isEmpty());
    try_->setVisible(revealed && !try_buttons_.empty());
    interview_->setVisible(revealed && !lesson_.interview.isEmpty());

    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool mine = static_cast<int>(i) == guess_, right = lesson_.choices[i].right;
        QString remark = mine ? tr("your guess") : QString();
        if (revealed && right) remark = mine ? tr("your guess, right") : tr("right");
        choices_[i]->setChecked(mine);
        choices_[i]->setEnabled(!revealed);
        choices_[i]->setCursor(revealed ? Qt::ArrowCursor : Qt::PointingHandCursor);
        choices_[i]->setVerdict(!revealed ? ChoiceCard::Verdict::Open
                                : right   ? ChoiceCard::Verdict::Right
                                          : ChoiceCard::Verdict::Wrong,
                                remark);
    }
    const int step = static_cast<int>(step_);
    back_->setText(tr("Back"));
    back_->setEnabled(step_ > LessonStep::Look);
    next_->setText(step_ == LessonStep::FollowUp ? tr("Finish") : tr("Next: %1").arg(names[step + 1]));
    next_->setEnabled(!(step_ == LessonStep::Guess && (guess_ < 0 || !progress_.isEmpty())));
    if (step_ == LessonStep::Guess && guess_ < 0)
        next_->setText(tr("Guess first"));
    else if (step_ == LessonStep::Guess && !progress_.isEmpty())
        next_->setText(progress_);
    for (Button* button : {back_, next_}) button->updateGeometry();
}

void LessonPanel::followTheme() {
    const Theme& theme = currentTheme();
    setMinimumWidth(theme.px(372));
    setMaximumWidth(theme.px(372));
}

void LessonPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

void LessonPanel::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, header_->height() - 1, width(), 1, theme.rule);
    painter.fillRect(0, footer_->y(), width(), 1, theme.rule);
}

}  // namespace bscope::ui
