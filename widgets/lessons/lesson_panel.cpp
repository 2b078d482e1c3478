// The walk through a lesson.
#include "widgets/lessons/lesson_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
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
    for (Section** section :
         {&story_, &question_, &reveal_, &look_, &try_section_, &follow_up_, &interview_}) {
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
    number_row_ = new QWidget(question_);
    number_field_ = new NumberField(0, 1e6, 1, number_row_);
    number_field_->setDigits(6);
    number_unit_ = new Label(TextRole::Soft, number_row_);
    auto* typed = new QHBoxLayout(number_row_);
    designLayout(*typed, {0, 4, 0, 0}, 8);
    typed->addWidget(number_field_);
    typed->addWidget(number_unit_);
    typed->addStretch(1);
    question_->content()->addWidget(number_row_);
    why_text_ = paragraph(reveal_, TextRole::Soft);
    reveal_text_ = paragraph(reveal_, TextRole::Body);
    source_text_ = paragraph(reveal_, TextRole::Soft);
    again_ = new Button(ButtonLook::Plain, Glyph::None, reveal_);
    reveal_->content()->addWidget(again_, 0, Qt::AlignLeft);
    comparison_title_ = new Label(TextRole::Strong, reveal_);
    comparison_ = new ComparisonTable(reveal_);
    reveal_->content()->addWidget(comparison_title_);
    reveal_->content()->addWidget(comparison_);
    after_text_ = paragraph(try_section_, TextRole::Body);
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
    connect(back_, &QAbstractButton::clicked, this, &LessonPanel::goBack);
    connect(next_, &QAbstractButton::clicked, this, &LessonPanel::goOn);
    connect(again_, &QAbstractButton::clicked, this, &LessonPanel::again);
    connect(number_field_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        if (!lesson_.asks_number || step_ > LessonStep::Guess) return;
        estimate_ = value;
        refresh();
    });
    connect(number_field_, &NumberField::done, this, [this] {
        estimate_ = number_field_->value();  // 0 is one, too
        refresh();
        setFocus();
    });
    connect(steps_, &StepBar::stepClicked, this, [this](int step) { goTo(static_cast<LessonStep>(step)); });
    refresh();
}

void LessonPanel::setLesson(const LessonData& lesson) {
    const bool same = lesson.id == lesson_.id && lesson.choices.size() == lesson_.choices.size() &&
                      lesson.tries.size() == lesson_.tries.size();
    lesson_ = lesson;
    if (!same) {
        guess_ = try_ = -1;
        estimate_.reset();
        judged_.reset();
        step_ = LessonStep::Look;
        progress_.clear();
    }
    if (!same) rebuild();
    nameParts();
    refresh();
    if (!same) emit stepChanged(step_);
}

void LessonPanel::goTo(LessonStep step) {
    if (step == step_ || (step > LessonStep::Guess && !hasGuessed())) return;
    step_ = step;
    if (page_->isAncestorOf(focusWidget())) setFocus();  // not from a part that goes to one that comes
    refresh();
    scroll_->verticalScrollBar()->setValue(0);
    emit stepChanged(step_);
}

void LessonPanel::goOn() {
    if (step_ == LessonStep::FollowUp)
        emit finished(std::exchange(lesson_.id, {}));  // opened again, it begins anew
    else
        goTo(static_cast<LessonStep>(static_cast<int>(step_) + 1));
}

void LessonPanel::goBack() {
    if (step_ > LessonStep::Look) goTo(static_cast<LessonStep>(static_cast<int>(step_) - 1));
}

void LessonPanel::setEstimate(const std::optional<LessonEstimate>& judged) {
    judged_ = judged;
    refresh();
}

void LessonPanel::setTry(int index) {
    try_ = index;
    refresh();
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
    for (qsizetype i = 0; i < static_cast<qsizetype>(lesson_.tries.size()); ++i) {
        auto* button = new Button(ButtonLook::Plain, Glyph::None, try_section_);
        button->setElided(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        try_section_->content()->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, i] { emit tryRun(static_cast<int>(i)); });
        try_buttons_.push_back(button);
    }
    setTabOrder(this, all_);
    QList<QWidget*> stops{all_};
    stops << number_field_;
    for (ChoiceCard* card : choices_) stops << card;
    stops << again_;
    for (Button* button : try_buttons_) stops << button;
    chainTabs(stops << back_ << next_);
}

void LessonPanel::nameParts() {
    for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i]->setText(unbroken(lesson_.choices[i].text));
    for (std::size_t i = 0; i < try_buttons_.size(); ++i) {
        const QString text = lesson_.tries[i].title;
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
    steps_->setStep(static_cast<int>(step_), hasGuessed() ? 3 : 1);
    story_->head()->setText(tr("Story"));
    look_->head()->setText(tr("What to look at"));
    question_->head()->setText(tr("Question"));
    reveal_->head()->setText(tr("Reveal"));
    source_text_->setText(lesson_.source);
    source_text_->setVisible(!lesson_.source.isEmpty());
    try_section_->head()->setText(tr("Try it"));
    follow_up_->head()->setText(tr("Follow-up"));
    interview_->head()->setText(tr("Interview, 30 seconds"));
    story_text_->setText(lesson_.story);
    const bool looks_first = step_ == LessonStep::Look;
    look_text_->setText(looks_first && !lesson_.before.isEmpty() ? lesson_.before : lesson_.look);
    question_text_->setText(lesson_.question);
    QString why = guess_ < 0 ? QString() : lesson_.choices[static_cast<std::size_t>(guess_)].why;
    if (judged_) why = judged_->right ? tr("Right: %1").arg(judged_->words) : judged_->words;
    again_->setText(tr("Run again"));
    again_->setVisible(lesson_.belied);
    number_row_->setVisible(lesson_.asks_number);
    number_field_->setEnabled(step_ <= LessonStep::Guess);
    number_unit_->setText(lesson_.number_unit);
    const QString after = try_ < 0 ? QString() : lesson_.tries[static_cast<std::size_t>(try_)].after;
    after_text_->setText(after);
    after_text_->setVisible(!after.isEmpty());
    why_text_->setText(why);
    why_text_->setVisible(!why.isEmpty());
    reveal_text_->setText(lesson_.reveal);
    follow_up_text_->setText(lesson_.follow_up);
    interview_text_->setText(lesson_.interview.isEmpty() ? QString() : tr("“%1”").arg(lesson_.interview));

    const bool revealed = step_ >= LessonStep::Reveal;
    story_->setVisible(step_ == LessonStep::Look && !lesson_.story.isEmpty());
    const bool looks_again = step_ == LessonStep::Reveal && !lesson_.before.isEmpty();
    look_->setVisible((looks_first || looks_again) && !look_text_->text().isEmpty());
    question_->setVisible(step_ == LessonStep::Guess || step_ == LessonStep::Reveal);
    reveal_->setVisible(step_ == LessonStep::Reveal);
    comparison_title_->setVisible(lesson_.comparison.has_value());
    comparison_->setVisible(lesson_.comparison.has_value());
    if (lesson_.comparison) {
        comparison_title_->setText(lesson_.comparison->title);
        comparison_->setComparison(*lesson_.comparison);
    }
    follow_up_->setVisible(step_ == LessonStep::FollowUp && !lesson_.follow_up.isEmpty());
    try_section_->setVisible(revealed && !try_buttons_.empty());
    interview_->setVisible(revealed && !lesson_.interview.isEmpty());

    showGuesses();
    const int step = static_cast<int>(step_);
    back_->setText(tr("Back"));
    back_->setEnabled(step_ > LessonStep::Look);
    next_->setText(step_ == LessonStep::FollowUp ? tr("Finish") : tr("Next: %1").arg(names[step + 1]));
    next_->setEnabled(!(step_ == LessonStep::Guess && (!hasGuessed() || !progress_.isEmpty())));
    if (step_ == LessonStep::Guess && !hasGuessed())
        next_->setText(tr("Guess first"));
    else if (step_ == LessonStep::Guess && !progress_.isEmpty())
        next_->setText(progress_);
    for (Button* button : {back_, next_}) button->updateGeometry();
}

void LessonPanel::showGuesses() {
    const bool revealed = step_ >= LessonStep::Reveal;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool mine = static_cast<int>(i) == guess_, right = lesson_.choices[i].right;
        QString remark = mine ? tr("your guess") : QString();
        if (revealed && right) remark = mine ? tr("your guess, right") : tr("right");
        choices_[i]->setVisible(!lesson_.asks_number);
        choices_[i]->setChecked(mine);
        choices_[i]->setEnabled(!revealed);
        choices_[i]->setCursor(revealed ? Qt::ArrowCursor : Qt::PointingHandCursor);
        choices_[i]->setVerdict(!revealed ? ChoiceCard::Verdict::Open
                                : right   ? ChoiceCard::Verdict::Right
                                          : ChoiceCard::Verdict::Wrong,
                                remark);
    }
}

// Keys of the field and of the buttons come first.
void LessonPanel::keyPressEvent(QKeyEvent* event) {
    const int digit = event->key() - Qt::Key_1;
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == 0;
    if (plain && step_ == LessonStep::Guess && digit >= 0 && digit < static_cast<int>(choices_.size()) &&
        !lesson_.asks_number)
        return choose(digit);
    switch (plain ? event->key() : 0) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Right:
            return next_->isEnabled() ? goOn() : event->ignore();
        case Qt::Key_Left:
            return goBack();
        case Qt::Key_L:
            return emit changeLanguage();
        case Qt::Key_M:
            if (step_ >= LessonStep::Reveal) return emit nextMark();
            break;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
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
