#include "widgets/cards/card_dialog.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace bscope::ui {
namespace {

constexpr int kSeconds = 30;

}  // namespace

CardDialog::CardDialog(QWidget* parent) : QuestionDialog(parent) {
    time_ = new TimeBar(this);
    page()->addWidget(time_);
    connect(&half_a_minute_, &Countdown::changed, this, [this] { time_->setShare(half_a_minute_.share()); });
    hint_ = paragraph(TextRole::Faint);
    answer_ = paragraph(TextRole::Body);
    stack_ = new StackPicture(this);
    page()->addWidget(stack_);
    auto* yours = new QHBoxLayout;
    yours_head_ = new Label(TextRole::Head, this);
    badge_ = new Badge(this);
    badge_->setProvenance(Provenance::Predicted);
    yours->addWidget(yours_head_);
    yours->addWidget(badge_);
    yours->addStretch(1);
    page()->addSpacing(6);
    page()->addLayout(yours);
    numbers_ = paragraph(TextRole::Body);
    ran_ = paragraph(TextRole::Body);
    page()->addSpacing(6);
    trap_head_ = paragraph(TextRole::Head);
    trap_ = paragraph(TextRole::Body);
    page()->addStretch(1);
    show_ = button(ButtonLook::Plain);
    lesson_ = button(ButtonLook::Plain);
    stretchRow();
    not_ = button(ButtonLook::Plain);
    knew_ = button(ButtonLook::Primary);
    again_ = button(ButtonLook::Plain);
    turn_ = button(ButtonLook::Primary);
    connect(turn_, &QAbstractButton::clicked, this, &CardDialog::turn);
    connect(again_, &QAbstractButton::clicked, this, &CardDialog::again);
    connect(show_, &QAbstractButton::clicked, this, &CardDialog::showMe);
    connect(lesson_, &QAbstractButton::clicked, this, &CardDialog::openLesson);
    connect(not_, &QAbstractButton::clicked, this, [this] { answer(false); });
    connect(knew_, &QAbstractButton::clicked, this, [this] { answer(true); });
    onKey(Qt::Key_Space, [this] { turn(); });
    onKey(Qt::Key_1, [this] { answer(true); });
    onKey(Qt::Key_2, [this] { answer(false); });
    onKey(Qt::Key_S, [this] {
        if (isFolded())
            setFolded(false);
        else if (turned_)
            emit showMe();
    });
    onKey(Qt::Key_L, [this] {
        if (turned_) emit openLesson();
    });
    setFocus();
}

void CardDialog::setCard(const CardFace& card) {
    const bool same = card.id == card_.id && card.left == card_.left && !finished_;
    card_ = card;
    finished_.reset();
    if (!same) {
        setFolded(false);
        turned_ = false;
        half_a_minute_.setLimit(kSeconds);
        half_a_minute_.run(true);
        setFocus();
    }
    refresh();
    if (!same) scrollToTop();
}

void CardDialog::setFinished(const CardSession& session) {
    finished_ = session;
    setFolded(false);
    turned_ = false;
    half_a_minute_.run(false);
    refresh();
}

void CardDialog::turn() {
    if (finished_) return nextName().isEmpty() ? again() : nextAsked();
    if (turned_) return;
    turned_ = true;
    half_a_minute_.run(false);
    refresh();
    setFocus();
}

void CardDialog::setNext(std::function<QString()> name) {
    next_ = std::move(name);
    refresh();
}

QString CardDialog::nextName() const {
    return finished_ && next_ ? next_() : QString();
}

void CardDialog::answer(bool knew) {
    if (turned_) emit answered(knew);
}

QString CardDialog::readText() const {
    QStringList texts;
    for (const Label* label : {static_cast<const Label*>(question_), static_cast<const Label*>(answer_),
                               static_cast<const Label*>(numbers_), static_cast<const Label*>(ran_),
                               static_cast<const Label*>(trap_)})
        if (!label->isHidden()) texts << label->text();
    return texts.join(u'\n');
}

void CardDialog::refresh() {
    setWindowTitle(tr("Interview cards"));
    place_->setText(finished_ ? tr("Session finished") : tr("%1  ·  %n left", "", card_.left).arg(card_.id));
    question_->setText(
        finished_ ? tr("%1 of %2 known at the first attempt").arg(finished_->known).arg(finished_->asked)
                  : card_.question);
    hint_->setText(finished_
                       ? tr("Known cards come less often: in every second session, then in every fourth.")
                       : tr("Answer aloud in half a minute, then turn the card."));
    answer_->setText(card_.answer);
    stack_->setStack(card_.stack);
    yours_head_->setText(tr("In numbers"));
    numbers_->setText(card_.numbers);
    ran_->setText(card_.ran);
    trap_head_->setText(tr("The trap"));
    trap_->setText(card_.trap);
    show_->setText(tr("Show me  S"));
    lesson_->setText(tr("Lesson  L"));
    not_->setText(tr("Did not know  2"));
    knew_->setText(tr("Knew it  1"));
    const QString next = nextName();
    turn_->setText(!finished_       ? tr("Turn  Space")
                   : next.isEmpty() ? tr("Once more  Space")
                                    : tr("Next: %1  Space").arg(next));
    again_->setText(tr("Once more"));
    again_->setVisible(!next.isEmpty());
    const bool open = !turned_;
    time_->setVisible(open && !finished_);
    hint_->setVisible(open);
    turn_->setVisible(open);
    for (QWidget* part :
         QWidgetList{answer_, yours_head_, badge_, numbers_, trap_head_, trap_, show_, lesson_, not_, knew_})
        part->setVisible(turned_);
    ran_->setVisible(turned_ && !card_.ran.isEmpty());
    stack_->setVisible(turned_ && card_.stack.has_value());
}

}  // namespace bscope::ui
