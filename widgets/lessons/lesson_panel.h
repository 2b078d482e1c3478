// LessonPanel: one lesson in four steps: look, guess, reveal, follow-up. Until the guess is made the reveal
// stays closed.
// LessonList: all lessons to choose from. Window thread only.
#pragma once

#include <QScrollArea>
#include <QStackedWidget>

#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/focus_group.h"
#include "widgets/controls/section.h"
#include "widgets/lessons/lesson_data.h"
#include "widgets/lessons/lesson_parts.h"
#include "widgets/lessons/lesson_walk.h"

namespace bscope::ui {

class LessonPanel : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);
    LessonWalk& walk() { return walk_; }
    const LessonWalk& walk() const { return walk_; }
    void followTheme() override;

    Button* nextButton() const { return next_; }
    Button* backButton() const { return back_; }
    Button* allButton() const { return all_; }
    const std::vector<ChoiceCard*>& choices() const { return choices_; }
    const std::vector<Button*>& tryButtons() const { return try_buttons_; }
    Button* againButton() const { return again_; }
    Button* marksButton() const { return marks_; }
    Button* tuneButton() const { return tune_; }
    NumberField* numberField() const { return number_field_; }
    StepBar* stepBar() const { return steps_; }
    bool ownsKey(int key) const { return key == Qt::Key_L || key == Qt::Key_M; }
    bool revealShown() const { return !reveal_->isHidden(); }
    // Which mistake the guess is, where that is shown; else "".
    QString why() const { return why_text_->isVisible() ? why_text_->text() : QString(); }
    QString markText() const { return mark_text_->isVisible() ? mark_text_->text() : QString(); }
    QString afterText() const { return after_text_->isVisible() ? after_text_->text() : QString(); }
    // On the first and on the last step; else "".
    QString buildsOnText() const {
        return builds_on_text_->isVisible() ? builds_on_text_->text() : QString();
    }
    QString referencesText() const {
        return references_text_->isVisible() ? references_text_->text() : QString();
    }
    QString placeText() const { return number_->text(); }
    QString revealText() const { return reveal_text_->text(); }
    // While not all runs are there; else "".
    QString settlingText() const { return settling_text_->isVisible() ? settling_text_->text() : QString(); }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    // 1 to 4 choose, after the reveal they start what there is to try, Enter and Right go on, Left goes back,
    // M walks through what is marked, L changes the language.
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    void scrollToStep();
    void nameParts();
    void refresh();
    void showStep();
    void showGuesses();

    LessonWalk walk_;
    LessonStep shown_ = LessonStep::Look;

    QScrollArea* scroll_;
    QWidget *page_, *header_, *footer_;
    Label *number_, *title_;
    Button *all_, *back_, *next_, *again_, *marks_, *tune_;
    QWidget* number_row_;
    NumberField* number_field_;
    Label* number_unit_;
    StepBar* steps_;
    Section *story_, *look_, *question_, *reveal_, *try_section_, *follow_up_, *interview_, *references_;
    QStackedWidget* source_;
    Label *story_text_, *look_text_, *question_text_, *why_text_, *settling_text_, *reveal_text_,
        *comparison_title_, *follow_up_text_, *interview_text_, *after_text_, *source_text_, *mark_text_,
        *builds_on_text_, *references_text_;
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
    // Ways through them; the first choice is all lessons.
    void setPaths(std::vector<LessonPath> paths);
    Segments* paths() const { return choice_; }
    const LessonPath* chosenPath() const;  // null: all lessons
    static constexpr int kMostPaths = 4;
    QAbstractButton* card(int index) const;
    int count() const { return static_cast<int>(cards_.size()); }
    QString hint() const { return hint_->text(); }

signals:
    void openLesson(const QString& id);
    void pathChosen();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void rebuild();
    void showCounts();

    std::vector<LessonEntry> lessons_;
    std::vector<LessonPath> paths_;
    Segments* choice_;
    std::vector<Label*> headings_;
    std::vector<LessonCard*> cards_;
    FocusGroup lines_{this};
    Label *title_, *hint_;
    QVBoxLayout* column_;
};

}  // namespace bscope::ui
