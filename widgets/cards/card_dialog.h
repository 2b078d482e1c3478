// CardDialog: an interview card: the question alone, with half a minute to answer it; turned, the answer, the
// numbers of the configuration, and the trap. By keyboard alone: Space turns, 1 knew, 2 not, S shows it and
// comes back, L opens the lesson, Esc leaves. Window thread only.
#pragma once

#include "widgets/cards/countdown.h"
#include "widgets/cards/question_dialog.h"
#include "widgets/cards/stack_picture.h"
#include "widgets/controls/provenance_badge.h"

namespace bscope::ui {

// A card in the language of the window, filled.
struct CardFace {
    QString id, question, answer, numbers, trap;
    QString ran;   // what the run gave; "" without one
    int left = 0;  // cards of this session, this one included
    std::optional<BubbleStack> stack = {};  // the picture of its formula
};

// How the session went.
struct CardSession {
    int known = 0, asked = 0;
    bool operator==(const CardSession&) const = default;
};

class CardDialog : public QuestionDialog {
    Q_OBJECT
public:
    explicit CardDialog(QWidget* parent = nullptr);
    // The same card (in another language, with other numbers) stays as it is; another one lies face down.
    void setCard(const CardFace& card);
    void setFinished(const CardSession& session);
    // What comes after the session, in the language of the window; null or "": nothing but another session.
    void setNext(std::function<QString()> name);
    bool isTurned() const { return turned_; }
    bool isFinished() const { return finished_.has_value(); }
    QString shownText() const { return readText(); }  // all that can be read
    StackPicture* picture() const { return stack_; }  // hidden: the card has none

signals:
    void answered(bool knew);
    void openLesson();
    void again();      // another session, after the last card
    void nextAsked();  // what comes after it

protected:
    void refresh() override;
    QString readText() const override;

private:
    void turn();
    QString nextName() const;
    void answer(bool knew);

    CardFace card_;
    std::optional<CardSession> finished_;
    std::function<QString()> next_;
    bool turned_ = false;
    Countdown half_a_minute_;
    TimeBar* time_;
    StackPicture* stack_;
    Label *hint_, *answer_, *yours_head_, *numbers_, *ran_, *trap_head_, *trap_;
    Badge* badge_;
    Button *turn_, *show_, *lesson_, *not_, *knew_, *again_;
};

}  // namespace bscope::ui
