// QuestionDialog: what cards and quiz look like alike: where one is, a question, what belongs to it in a page
// that scrolls, a row of buttons, and keys that work wherever the focus is. Window thread only.
#pragma once

#include <QDialog>
#include <functional>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

class QHBoxLayout;
class QScrollArea;
class QVBoxLayout;

namespace bscope::ui {

class QuestionDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit QuestionDialog(QWidget* parent);
    void followTheme() override;
    QString question() const { return question_->text(); }
    // Folded, a low strip of the question and a button that opens it again: what it is about is seen beside
    // it.
    void setFolded(bool folded);
    bool isFolded() const { return folded_; }

signals:
    void foldedChanged();
    void showMe();                      // what is seen of it, in the window
    void explain(const QString& text);  // the terms of what is read: F1

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    virtual void refresh() = 0;  // texts and what is visible, for the language of now
    virtual QString readText() const = 0;

    QVBoxLayout* page() const { return page_; }
    Label* paragraph(TextRole role);  // added to the page
    Button* button(ButtonLook look);  // added to the row
    void stretchRow();
    void onKey(Qt::Key key, std::function<void()> run);
    void scrollToTop();
    // The dialog is as wide as this needs, and as high as what is on it then, from reading size to that of
    // the window; 0: reading size. After what is on it is there.
    void growTo(int inside_px);

    Label *place_, *question_;

private:
    void fit();
    int highEnough(int wide) const;

    QScrollArea* scroll_;
    QWidget *inside_, *footer_;
    Button* unfold_;
    int wanted_px_ = 0;
    bool folded_ = false;
    QVBoxLayout *head_, *page_;
    QHBoxLayout* row_;
};

}  // namespace bscope::ui
