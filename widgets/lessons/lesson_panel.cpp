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

namespace {

// With the key that chooses it.
QString numbered(std::size_t index, const QString& text) {
    return QStringLiteral("%1   %2").arg(index + 1).arg(text);
}

}  // namespace

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
         {&story_, &question_, &reveal_, &look_, &try_section_, &follow_up_, &interview_, &references_}) {
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
    builds_on_text_ = paragraph(story_, TextRole::Soft);
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
    // Where the numbers come from, while they settle and then: in one place, so that nothing moves under who reads.
    source_ = new QStackedWidget(reveal_);
    settling_text_ = makeParagraph(TextRole::Accent, source_);
    source_text_ = makeParagraph(TextRole::Soft, source_);
    for (Label* text : {settling_text_, source_text_}) {
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        source_->addWidget(text);
    }
    reveal_->content()->addWidget(source_);
    reveal_text_ = paragraph(reveal_, TextRole::Body);
    comparison_title_ = new Label(TextRole::Strong, reveal_);
    comparison_ = new ComparisonTable(reveal_);
    reveal_->content()->addWidget(comparison_title_);
    reveal_->content()->addWidget(comparison_);
    again_ = new Button(ButtonLook::Plain, Glyph::None, reveal_);
    reveal_->content()->addWidget(again_, 0, Qt::AlignLeft);
    marks_ = new Button(ButtonLook::Plain, Glyph::None, reveal_);
    reveal_->content()->addWidget(marks_, 0, Qt::AlignLeft);
    mark_text_ = paragraph(reveal_, TextRole::Soft);
    after_text_ = paragraph(try_section_, TextRole::Body);
    follow_up_text_ = paragraph(follow_up_, TextRole::Body);
    tune_ = new Button(ButtonLook::Plain, Glyph::None, follow_up_);
    tune_->setElided(true);
    tune_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    follow_up_->content()->addWidget(tune_);
    interview_text_ = paragraph(interview_, TextRole::Body);
    references_text_ = paragraph(references_, TextRole::Soft);
    references_->setRuled(false);
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
    connect(all_, &QAbstractButton::clicked, &walk_, &LessonWalk::leave);
    connect(back_, &QAbstractButton::clicked, &walk_, &LessonWalk::goBack);
    connect(next_, &QAbstractButton::clicked, &walk_, &LessonWalk::goOn);
    connect(again_, &QAbstractButton::clicked, &walk_, &LessonWalk::again);
    connect(marks_, &QAbstractButton::clicked, &walk_, &LessonWalk::nextMark);
    connect(tune_, &QAbstractButton::clicked, &walk_, &LessonWalk::tune);
    connect(number_field_, &QDoubleSpinBox::valueChanged, &walk_,
            [this](double value) { walk_.estimateIs(value); });
    connect(number_field_, &NumberField::done, this, [this] {
        walk_.estimateIs(number_field_->value());  // 0 is one, too
        setFocus();
    });
    connect(number_field_, &NumberField::entered, this, [this] {
        if (walk_.step() == LessonStep::Guess && walk_.canGoOn()) walk_.goOn();
    });
    connect(steps_, &StepBar::stepClicked, &walk_,
            [this](int step) { walk_.goTo(static_cast<LessonStep>(step)); });
    connect(&walk_, &LessonWalk::replaced, this, &LessonPanel::rebuild);
    connect(&walk_, &LessonWalk::changed, this, [this] {
        const bool another = std::exchange(shown_, walk_.step()) != walk_.step();
        if (another && page_->isAncestorOf(focusWidget()))
            setFocus();  // not from a part that goes to one that comes
        nameParts();
        refresh();
        if (another) scrollToStep();
        if (another && isVisible() && walk_.lesson().asks_number && !walk_.hasGuessed() &&
            walk_.step() == LessonStep::Guess) {  // it is typed at once
            number_field_->setFocus();
            number_field_->selectAll();
        }
    });
    refresh();
}

// From its beginning; to the reveal as far as that can be read whole.
void LessonPanel::scrollToStep() {
    scroll_->verticalScrollBar()->setValue(0);
    if (walk_.step() != LessonStep::Reveal) return;
    const auto toReveal = [this] {
        if (walk_.step() != LessonStep::Reveal) return;
        const int top = reveal_->y(), bottom = top + reveal_->height();
        scroll_->verticalScrollBar()->setValue(std::clamp(bottom - scroll_->viewport()->height(), 0, top));
    };
    QMetaObject::invokeMethod(this, toReveal, Qt::QueuedConnection);  // after the layout
}

// Cards and buttons stay as long as the lesson: a run that ends must not take one from under a click.
void LessonPanel::rebuild() {
    for (ChoiceCard* card : choices_) card->deleteLater();
    for (Button* button : try_buttons_) button->deleteLater();
    choices_.clear();
    try_buttons_.clear();
    settling_text_->clear();
    const QSignalBlocker quiet(number_field_);
    number_field_->setValue(0);
    for (std::size_t i = 0; i < walk_.lesson().choices.size(); ++i) {
        auto* card = new ChoiceCard(question_);
        question_->content()->addWidget(card);
        connect(card, &QAbstractButton::clicked, this, [this, i] { walk_.choose(static_cast<int>(i)); });
        choices_.push_back(card);
    }
    for (qsizetype i = 0; i < static_cast<qsizetype>(walk_.lesson().tries.size()); ++i) {
        auto* button = new Button(ButtonLook::Plain, Glyph::None, try_section_);
        button->setElided(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        try_section_->content()->addWidget(button);
        connect(button, &QAbstractButton::clicked, this,
                [this, i] { emit walk_.tryRun(static_cast<int>(i)); });
        try_buttons_.push_back(button);
    }
    setTabOrder(this, all_);
    QList<QWidget*> stops{all_};
    stops << number_field_;
    for (ChoiceCard* card : choices_) stops << card;
    stops << again_ << marks_;
    for (Button* button : try_buttons_) stops << button;
    stops << tune_;
    chainTabs(stops << back_ << next_);
}

void LessonPanel::nameParts() {
    for (std::size_t i = 0; i < choices_.size(); ++i)
        choices_[i]->setText(numbered(i, unbroken(walk_.lesson().choices[i].text)));
    for (std::size_t i = 0; i < try_buttons_.size(); ++i) {
        const QString text = walk_.lesson().tries[i].title;
        try_buttons_[i]->setText(numbered(i, text));
        try_buttons_[i]->setToolTip(text);
    }
}

void LessonPanel::refresh() {
    const LessonData& lesson = walk_.lesson();
    QStringList place;
    if (lesson.number > 0) place << tr("Lesson %1 of %2").arg(lesson.number).arg(lesson.count);
    if (lesson.minutes > 0) place << tr("%1 min").arg(lesson.minutes);
    number_->setText(place.join(QStringLiteral("  ·  ")));
    title_->setText(lesson.title);
    all_->setText(tr("All lessons"));
    all_->updateGeometry();
    story_->head()->setText(tr("Story"));
    look_->head()->setText(tr("What to look at"));
    question_->head()->setText(tr("Question"));
    reveal_->head()->setText(tr("Reveal"));
    source_text_->setText(lesson.source);
    if (!lesson.settling.isEmpty()) settling_text_->setText(lesson.settling);  // else it keeps its room
    source_->setCurrentWidget(lesson.settling.isEmpty() ? source_text_ : settling_text_);
    source_->setVisible(!lesson.source.isEmpty() || !lesson.settling.isEmpty());
    try_section_->head()->setText(tr("Try it"));
    try_section_->aside()->setText(lesson.settling.isEmpty() ? QString() : tr("after these iterations"));
    follow_up_->head()->setText(tr("Follow-up"));
    interview_->head()->setText(tr("Interview, 30 seconds"));
    references_->head()->setText(tr("To read"));
    references_text_->setText(lesson.references);
    builds_on_text_->setText(lesson.builds_on);
    builds_on_text_->setVisible(!lesson.builds_on.isEmpty());
    story_text_->setText(lesson.story);
    question_text_->setText(lesson.question);
    again_->setText(tr("Run again"));
    again_->setVisible(lesson.contradicted);
    marks_->setText(tr("Marked in the picture: %1 of %2  M").arg(walk_.mark() + 1).arg(walk_.marks()));
    marks_->setVisible(walk_.marks() > 0);
    mark_text_->setText(walk_.markWords());
    mark_text_->setVisible(walk_.marks() > 0 && !walk_.markWords().isEmpty());
    number_row_->setVisible(lesson.asks_number);
    number_unit_->setText(lesson.number_unit);
    const int tried = walk_.tried();
    const QString after = tried < 0 ? QString() : lesson.tries[static_cast<std::size_t>(tried)].after;
    after_text_->setText(after);
    after_text_->setVisible(!after.isEmpty());
    why_text_->setText(walk_.why());
    why_text_->setVisible(!walk_.why().isEmpty());
    for (Button* button : try_buttons_) button->setEnabled(lesson.settling.isEmpty());
    reveal_text_->setText(lesson.reveal);
    follow_up_text_->setText(lesson.follow_up);
    tune_->setText(lesson.tune);
    tune_->setVisible(!lesson.tune.isEmpty());
    interview_text_->setText(lesson.interview.isEmpty() ? QString() : tr("“%1”").arg(lesson.interview));
    comparison_title_->setVisible(lesson.comparison.has_value());
    comparison_->setVisible(lesson.comparison.has_value());
    if (lesson.comparison) {
        comparison_title_->setText(lesson.comparison->title);
        comparison_->setComparison(*lesson.comparison);
    }
    showStep();
    showGuesses();
}

void LessonPanel::showStep() {
    const LessonData& lesson = walk_.lesson();
    const LessonStep step = walk_.step();
    const bool revealed = step >= LessonStep::Reveal, looks_first = step == LessonStep::Look;
    const QStringList names{tr("Look"), tr("Guess"), tr("Reveal"), tr("Follow-up")};
    steps_->setNames(names);
    steps_->setStep(static_cast<int>(step), walk_.canReach(LessonStep::FollowUp) ? 3 : 1);
    look_text_->setText(looks_first && !lesson.before.isEmpty() ? lesson.before : lesson.look);
    story_->setVisible(looks_first && !lesson.story.isEmpty());
    const bool looks_again = step == LessonStep::Reveal && !lesson.before.isEmpty();
    look_->setVisible((looks_first || looks_again) && !look_text_->text().isEmpty());
    question_->setVisible(step == LessonStep::Guess || step == LessonStep::Reveal);
    number_field_->setEnabled(!revealed);
    reveal_->setVisible(step == LessonStep::Reveal);
    follow_up_->setVisible(step == LessonStep::FollowUp && !lesson.follow_up.isEmpty());
    try_section_->setVisible(revealed && !try_buttons_.empty());
    interview_->setVisible(revealed && !lesson.interview.isEmpty());
    interview_->setRuled(step == LessonStep::FollowUp && !lesson.references.isEmpty());
    references_->setVisible(step == LessonStep::FollowUp && !lesson.references.isEmpty());
    back_->setText(tr("Back"));
    back_->setEnabled(!looks_first);
    next_->setText(step == LessonStep::FollowUp ? tr("Finish")
                                                : tr("Next: %1").arg(names[static_cast<int>(step) + 1]));
    next_->setEnabled(walk_.canGoOn());
    if (!walk_.canGoOn()) next_->setText(tr("Guess first"));
    for (Button* button : {back_, next_}) button->updateGeometry();
}

void LessonPanel::showGuesses() {
    const bool revealed = walk_.step() >= LessonStep::Reveal;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool mine = static_cast<int>(i) == walk_.guess(), right = walk_.lesson().choices[i].right;
        QString remark = mine ? tr("your guess") : QString();
        if (revealed && right) remark = mine ? tr("your guess, right") : tr("right");
        choices_[i]->setVisible(!walk_.lesson().asks_number);
        choices_[i]->setAllRemarks({tr("your guess"), tr("your guess, right"), tr("right")});
        choices_[i]->setChosen(mine);
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
    if (plain && walk_.step() == LessonStep::Guess && digit >= 0 &&
        digit < static_cast<int>(choices_.size()) && !walk_.lesson().asks_number)
        return walk_.choose(digit);
    if (plain && !walk_.numbersHidden() && digit >= 0 && digit < static_cast<int>(try_buttons_.size()))
        return emit walk_.tryRun(digit);
    switch (plain ? event->key() : 0) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return walk_.canGoOn() ? walk_.enter() : event->ignore();
        case Qt::Key_Right:
            return walk_.canGoOn() ? walk_.goOn() : event->ignore();
        case Qt::Key_Left:
            return walk_.goBack();
        case Qt::Key_L:
            return emit walk_.changeLanguage();
        case Qt::Key_M:
            if (!walk_.numbersHidden()) return emit walk_.nextMark();
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
