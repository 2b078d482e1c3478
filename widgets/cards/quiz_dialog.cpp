#include "widgets/cards/quiz_dialog.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include "widgets/text/format.h"

namespace bscope::ui {

QuizDialog::QuizDialog(QWidget* parent) : QuestionDialog(parent) {
    time_bar_ = new TimeBar(this);
    page()->addWidget(time_bar_);
    hint_ = paragraph(TextRole::Faint);
    QSizePolicy keeps_its_room = hint_->sizePolicy();
    keeps_its_room.setRetainSizeWhenHidden(true);  // the options below stay where they are
    hint_->setSizePolicy(keeps_its_room);
    for (int i = 0; i < kMostOptions; ++i) {
        auto* card = new ChoiceCard(this);
        connect(card, &QAbstractButton::clicked, this, [this, i] { choose(i); });
        page()->addWidget(card);
        choices_.push_back(card);
    }
    grids_ = new QuizGrids(this);
    page()->addWidget(grids_);
    page()->addSpacing(4);
    verdict_ = paragraph(TextRole::Strong);
    because_ = paragraph(TextRole::Body);
    table_ = new QWidget(this);
    rows_ = new QGridLayout(table_);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(18);
    rows_->setColumnStretch(0, 1);
    page()->addWidget(table_);
    page()->addStretch(1);
    show_ = button(ButtonLook::Plain);
    window_ = button(ButtonLook::Plain);
    unlimited_ = button(ButtonLook::Plain);
    stretchRow();
    next_ = button(ButtonLook::Primary);
    connect(show_, &QAbstractButton::clicked, this, &QuizDialog::toggleGrids);
    connect(window_, &QAbstractButton::clicked, this, &QuizDialog::showMe);
    connect(unlimited_, &QAbstractButton::clicked, this, &QuizDialog::unlimited);
    connect(next_, &QAbstractButton::clicked, this, &QuizDialog::goOn);
    for (int i = 0; i < kMostOptions; ++i)
        onKey(static_cast<Qt::Key>(Qt::Key_1 + i), [this, i] { choose(i); });
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) onKey(key, [this] { goOn(); });
    onKey(Qt::Key_S, [this] { toggleGrids(); });
    constexpr int kCells = 4;
    onKey(Qt::Key_Right, [this] { grids_->scroll(kCells); });
    onKey(Qt::Key_Left, [this] { grids_->scroll(-kCells); });
    onKey(Qt::Key_T, [this] { emit unlimited(); });
    onKey(Qt::Key_W, [this] {
        if (answer_ >= 0 && !outcome_) emit showMe();
    });
    setFocus();
}

void QuizDialog::setQuestion(const QuizPage& page, int answer) {
    page_ = page;
    answer_ = answer;
    outcome_.reset();
    shows_grids_ = false;
    refresh();
    scrollToTop();
    setFocus();
}

void QuizDialog::setOutcome(const QuizOutcome& outcome) {
    outcome_ = outcome;
    shows_grids_ = false;
    refresh();
    scrollToTop();
}

void QuizDialog::setTime(const std::optional<QuizTime>& time) {
    if (time == time_) return;
    const bool ends = time_ && !time;
    time_ = time;
    if (ends)
        refresh();
    else
        refreshPlace();
}

void QuizDialog::choose(int option) {
    if (answer_ >= 0 || outcome_ || option >= static_cast<int>(page_.options.size())) return;
    answer_ = option;
    refresh();
    setFocus();
    emit answered(option);
}

void QuizDialog::setGrids(const std::vector<QuizGrid>& grids) {
    grids_->setGrids(grids);
}

void QuizDialog::toggleGrids() {
    if (answer_ < 0 || outcome_) return;
    shows_grids_ = !shows_grids_;
    refresh();
    scrollToTop();
    setFocus();
}

// A link that has the focus is followed.
void QuizDialog::goOn() {
    if (auto* link = qobject_cast<Button*>(focusWidget()); link != nullptr && link != next_)
        link->click();
    else if (outcome_)
        emit again();
    else if (answer_ >= 0)
        emit next();
}

QString QuizDialog::readText() const {
    QStringList texts{question_->text()};
    for (const Label* label : {verdict_, because_})
        if (!label->isHidden()) texts << label->text();
    for (const ChoiceCard* card : choices_)
        if (!card->isHidden()) texts << card->text();
    return texts.join(u'\n');
}

void QuizDialog::refreshChoices() {
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        ChoiceCard& card = *choices_[i];
        card.setVisible(!outcome_ && !shows_grids_ && i < page_.options.size());
        if (i >= page_.options.size()) continue;
        card.setText(QStringLiteral("%1)  %2").arg(i + 1).arg(unbroken(page_.options[i].text)));
        const bool right = page_.options[i].mistake.isEmpty(), chosen = static_cast<int>(i) == answer_;
        card.setAllRemarks({tr("right"), tr("your answer")});
        card.setChosen(chosen);
        card.setEnabled(answer_ < 0 || right || chosen);
        card.setFocusPolicy(answer_ < 0 ? Qt::StrongFocus : Qt::NoFocus);
        if (answer_ < 0)
            card.setVerdict(ChoiceCard::Verdict::Open, {});
        else if (right)
            card.setVerdict(ChoiceCard::Verdict::Right, tr("right"));
        else
            card.setVerdict(chosen ? ChoiceCard::Verdict::Wrong : ChoiceCard::Verdict::Open,
                            chosen ? tr("your answer") : QString());
    }
    const bool wrong = answer_ >= 0 && !page_.options[static_cast<std::size_t>(answer_)].mistake.isEmpty();
    verdict_->setText(
        wrong ? tr("The mistake: %1").arg(page_.options[static_cast<std::size_t>(answer_)].mistake)
              : tr("Right."));
    because_->setText(page_.because);
    const bool is_answered = answer_ >= 0 && !outcome_;
    verdict_->setVisible(is_answered);
    because_->setVisible(is_answered);
    grids_->setVisible(is_answered && shows_grids_);
    show_->setVisible(is_answered);
    unlimited_->setVisible(time_ && answer_ < 0 && !outcome_);
    window_->setVisible(is_answered);
    next_->setVisible(is_answered || outcome_);
}

void QuizDialog::refreshOutcome() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    links_.clear();
    table_->setVisible(outcome_.has_value());
    if (!outcome_) return;
    int row = 0;
    const auto cell = [&](TextRole role, const QString& text, int column) {
        auto* label = column == 0 ? makeParagraph(role, table_) : new Label(role, table_);
        label->setText(text);
        rows_->addWidget(label, row, column);
    };
    cell(TextRole::Soft, tr("Possible misconceptions"), 0);
    cell(TextRole::Soft, tr("avoided"), 1);
    cell(TextRole::Soft, tr("Lesson"), 2);
    for (const QuizOutcome::Row& each : outcome_->rows) {
        ++row;
        const bool all = each.avoided == each.offered;
        cell(all ? TextRole::Body : TextRole::Strong, each.belief, 0);
        cell(all ? TextRole::Body : TextRole::Strong, tr("%1 of %2").arg(each.avoided).arg(each.offered), 1);
        auto* link = new Button(ButtonLook::Link, Glyph::None, table_);
        link->setText(each.lesson_title);
        connect(link, &QAbstractButton::clicked, this, [this, id = each.lesson] { emit openLesson(id); });
        rows_->addWidget(link, row, 2, Qt::AlignLeft);
        links_.push_back(link);
    }
}

void QuizDialog::refreshPlace() {
    const std::optional<QuizTime> time = outcome_ ? outcome_->time : time_;
    time_bar_->setVisible(time && !outcome_);
    time_bar_->setShare(time ? 1.0 * time->used_s / time->limit_s : 0);
    QString text = outcome_ ? tr("Quiz %1").arg(outcome_->seed)
                            : tr("Question %1 of %2").arg(page_.number).arg(page_.count);
    if (time && !outcome_)
        text += QStringLiteral("  ·  ") + tr("%1 left").arg(clockText(time->limit_s - time->used_s));
    else if (time && outcome_->answered < outcome_->count)
        text += QStringLiteral("  ·  ") + tr("time is up after %1: %2 of %3 answered")
                                              .arg(clockText(time->limit_s))
                                              .arg(outcome_->answered)
                                              .arg(outcome_->count);
    else if (time)
        text += QStringLiteral("  ·  ") +
                tr("%1 of %2 used").arg(clockText(time->used_s), clockText(time->limit_s));
    place_->setText(text);
}

void QuizDialog::refresh() {
    setWindowTitle(tr("Quiz"));
    refreshPlace();
    question_->setText(outcome_ ? tr("%1 of %2 right").arg(outcome_->right).arg(outcome_->count)
                                : page_.question);
    hint_->setText(
        outcome_
            ? QString()
            : tr("Keys 1 to %1. F = 1, B = 2 (I = W = 1) and a free link unless the question says otherwise.")
                  .arg(page_.options.size()));
    hint_->setVisible(!outcome_ && answer_ < 0);
    show_->setText(shows_grids_ ? tr("Back to the options  S") : tr("Show me  S"));
    window_->setText(tr("In the window  W"));
    unlimited_->setText(tr("No time limit  T"));
    next_->setText(outcome_ ? tr("Another quiz  Enter") : tr("Next  Enter"));
    refreshChoices();
    refreshOutcome();
    growTo(shows_grids_ ? grids_->widthForAll() : 0);
}

}  // namespace bscope::ui
