// CardsController: interview cards and the quiz in the window. Cards are filled with the configuration that
// the controls show, and with the last complete iteration once there is one; which of them are known is kept
// in the user's data folder. Window thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/lessons/lesson_book.h"
#include "app/session/session.h"
#include "app/shell/shell.h"
#include "cards/card_boxes.h"
#include "cards/quiz.h"
#include "widgets/cards/card_dialog.h"
#include "widgets/cards/countdown.h"
#include "widgets/cards/quiz_dialog.h"
#include "widgets/lessons/practice_page.h"

namespace bscope::ui {

class CardsController : public QObject {
    Q_OBJECT
public:
    // explain: opens the glossary for a text.
    CardsController(Session& session, const LessonBook& book, Shell& shell,
                    std::function<void(const QString&)> explain);

    PracticePage* cardsPage() const { return cards_page_; }
    PracticePage* quizPage() const { return quiz_page_; }
    void openCards();
    void openCard(const std::string& id);                   // now, whatever is due
    void openCardsOf(const std::vector<std::string>& ids);  // these, each until it was known
    void openQuiz();  // the one that one left to be shown something, else another
    void beginQuiz(std::uint64_t seed);
    // Names what comes after the cards of openCardsOf(); "": nothing.
    void setNext(std::function<QString()> name) { next_ = std::move(name); }
    CardDialog* cardDialog() const { return cards_; }  // null while closed
    QuizDialog* quizDialog() const { return quiz_; }
    Countdown& quizTime() { return quiz_time_; }
    static std::filesystem::path boxesFile();

signals:
    void cardsOfFinished();  // of openCardsOf()
    void nextAsked();        // what comes after them
    void quizFinished();
    void cardsClosed();
    void quizClosed();

private:
    void begin();
    void fillPages();
    void showCard();
    void placeCards();
    void answered(bool knew);
    void keepBoxes();
    QString whatBecomesOfTheFile();
    CardFace face() const;
    void connectQuiz();
    void showQuestion();
    void showTime();
    std::optional<QuizTime> timeOfQuiz() const;
    void showGrids();
    void showOutcome();

    Session& session_;
    const LessonBook& book_;
    Shell& shell_;
    std::function<void(const QString&)> explain_;
    std::function<QString()> next_;
    PracticePage *cards_page_, *quiz_page_;
    QPointer<CardDialog> cards_;
    std::vector<Card> chosen_;  // of openCardsOf(); empty: all
    std::optional<CardDeck> deck_;
    int asked_ = 0;
    bool keeps_boxes_ = true;  // false: the file is in the way and cannot be moved

    QPointer<QuizDialog> quiz_;
    Countdown quiz_time_;
    bool quiz_is_limited_ = true;
    std::uint64_t seed_ = 0;
    std::vector<QuizQuestion> questions_;
    std::vector<int> answers_;  // (questions,) -1: none yet
    std::size_t question_ = 0;
    std::vector<QuizResult> results_;  // of the last quiz that was finished
};

}  // namespace bscope::ui
