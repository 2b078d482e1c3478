// LessonPanel: one lesson in four steps: look, guess, reveal, follow-up. Until the guess is made the reveal
// stays closed and numbersHidden() is true, so that the owner of canvas and dock can hide the numbers too.
// LessonList: all lessons to choose from. Window thread only.
#pragma once

#include <QScrollArea>

#include "widgets/controls/button.h"
#include "widgets/controls/section.h"
#include "widgets/lessons/lesson_data.h"
#include "widgets/lessons/lesson_parts.h"

namespace bscope::ui {

class LessonPanel : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);
    // The same id keeps step and guess (new language, new numbers); another one starts at Look.
    void setLesson(const LessonData& lesson);
    const LessonData& lesson() const { return lesson_; }
    LessonStep step() const { return step_; }
    int guess() const { return guess_; }  // index of the chosen answer, -1 = none
    bool numbersHidden() const { return step_ < LessonStep::Reveal; }
    void goTo(LessonStep step);  // not beyond Guess before a guess is made
    // Runs behind the lesson: "run 1 of 2", empty when done. Reveal waits for them.
    void setProgress(const QString& progress);
    void followTheme() override;

    Button* nextButton() const { return next_; }
    Button* backButton() const { return back_; }
    Button* allButton() const { return all_; }
    const std::vector<ChoiceCard*>& choices() const { return choices_; }
    const std::vector<Button*>& tryButtons() const { return try_buttons_; }
    StepBar* stepBar() const { return steps_; }
    bool revealShown() const { return !reveal_->isHidden(); }
    // Which mistake the guess is, where that is shown; else "".
    QString why() const { return why_text_->isVisible() ? why_text_->text() : QString(); }
    QString revealText() const { return reveal_text_->text(); }

signals:
    void stepChanged(bscope::ui::LessonStep step);
    void guessed(int choice, bool right);
    void tryRun(int index);
    void finished(const QString& id);  // Next on the last step
    void leave();                      // to the list of all lessons

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void rebuild();
    void nameParts();
    void refresh();
    void choose(int index);

    LessonData lesson_;
    LessonStep step_ = LessonStep::Look;
    int guess_ = -1;
    QString progress_;

    QScrollArea* scroll_;
    QWidget *page_, *header_, *footer_;
    Label *number_, *title_;
    Button *all_, *back_, *next_;
    StepBar* steps_;
    Section *story_, *look_, *question_, *reveal_, *try_, *follow_up_, *interview_;
    Label *story_text_, *look_text_, *question_text_, *why_text_, *reveal_text_, *comparison_title_,
        *follow_up_text_, *interview_text_;
    ComparisonTable* comparison_;
    std::vector<ChoiceCard*> choices_;
    std::vector<Button*> try_buttons_;
};

class LessonCard;

class LessonList : public QScrollArea {
    Q_OBJECT
public:
    explicit LessonList(QWidget* parent = nullptr);
    void setLessons(std::vector<LessonEntry> lessons);
    QAbstractButton* card(int index) const;
    int count() const { return static_cast<int>(cards_.size()); }

signals:
    void openLesson(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    std::vector<LessonEntry> lessons_;
    std::vector<LessonCard*> cards_;
    Label *title_, *hint_;
    QVBoxLayout* column_;
};

}  // namespace bscope::ui
