// QuizDialog: a question with its options, the verdict with the mistake that was made, and at the end the
// misconceptions, each with its lesson. The owner of the dialog counts a time limit. By keyboard alone: 1 to
// 4 answer, T does without the limit, Enter or Space goes on, S shows the grids of the answer (Left and Right
// move along them), W the schedule in the window, Esc leaves. Window thread only.
#pragma once

#include <optional>
#include <vector>

#include "widgets/cards/countdown.h"
#include "widgets/cards/question_dialog.h"
#include "widgets/cards/quiz_grids.h"
#include "widgets/lessons/lesson_parts.h"

class QGridLayout;

namespace bscope::ui {

// A question in the language of the window.
struct QuizPage {
    int number = 0, count = 0;  // from 1
    QString question, because;
    struct Option {
        QString text, mistake;  // mistake: "" of the right one
    };
    std::vector<Option> options;
};

// Seconds of thinking: what is used up, of how many.
struct QuizTime {
    int used_s = 0, limit_s = 0;
    bool operator==(const QuizTime&) const = default;
};

struct QuizOutcome {
    int right = 0, answered = 0, count = 0;
    quint64 seed = 0;
    std::optional<QuizTime> time = {};  // nothing: there was no limit
    struct Row {
        QString belief, lesson, lesson_title;
        int avoided = 0, offered = 0;
    };
    std::vector<Row> rows;
};

class QuizDialog : public QuestionDialog {
    Q_OBJECT
public:
    explicit QuizDialog(QWidget* parent = nullptr);
    // answer: of this question, -1: none yet.
    void setQuestion(const QuizPage& page, int answer = -1);
    void setTime(const std::optional<QuizTime>& time);  // nothing: no limit
    void setGrids(const std::vector<QuizGrid>& grids);  // of the answer
    void setOutcome(const QuizOutcome& outcome);
    const QuizGrids& grids() const { return *grids_; }
    bool showsGrids() const { return shows_grids_; }
    QString place() const { return place_->text(); }
    const std::vector<ChoiceCard*>& choices() const { return choices_; }
    QString verdict() const { return verdict_->text(); }
    bool hasOutcome() const { return outcome_.has_value(); }
    const std::vector<Button*>& lessonLinks() const { return links_; }

signals:
    void answered(int option);
    void unlimited();  // no limit from now on
    void next();       // after an answer
    void again();      // after the outcome
    void openLesson(const QString& id);

protected:
    void refresh() override;
    QString readText() const override;

private:
    void choose(int option);
    void goOn();
    void toggleGrids();
    void refreshPlace();
    void refreshChoices();
    void refreshOutcome();

    static constexpr int kMostOptions = 4;
    QuizPage page_;
    int answer_ = -1;
    std::optional<QuizOutcome> outcome_;
    std::optional<QuizTime> time_;
    TimeBar* time_bar_;
    bool shows_grids_ = false;
    std::vector<ChoiceCard*> choices_;
    QuizGrids* grids_;
    Label *hint_, *verdict_, *because_;
    QWidget* table_;
    QGridLayout* rows_;
    std::vector<Button*> links_;
    Button *show_, *window_, *unlimited_, *next_;
};

}  // namespace bscope::ui
