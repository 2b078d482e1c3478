// Section: one titled part of the dock: head on the left, a word or a switch on the right, content below, a
// rule at its foot. One that can be folded shows its head alone until it is opened, by a click on the head or
// by its button. Its margins follow the theme's scale.
#pragma once

#include <QAbstractButton>
#include <QVBoxLayout>

#include "widgets/controls/label.h"

namespace bscope::ui {

class Section : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit Section(QWidget* parent = nullptr);
    Label* head() const { return head_; }
    Label* aside() const { return aside_; }  // right of the head, faint
    void setHeadWidget(QWidget* widget);     // instead of the aside
    // The run that the numbers are of where the canvas shows another one (otherRunName()), after the head; all
    // that stands below it is faint then (inkThemeOf()). Empty: they are of what is shown.
    void setOtherRun(const QString& name);
    const QString& otherRun() const { return other_run_; }
    void removeHeadRow();                    // the head itself stays, to be placed anew
    QVBoxLayout* content() const { return content_; }
    bool isOfOtherRun(const QWidget& part) const { return !other_run_.isEmpty() && body_->isAncestorOf(&part); }
    void setRuled(bool on);
    void setSideMargin(int px) { side_margin_ = px; }  // at 100 %
    // From now on it can be folded, and is. name: under which it is remembered.
    void makeFoldable(const QString& name);
    const QString& foldName() const { return fold_name_; }  // empty: it cannot be folded
    bool isOpen() const { return open_ || held_open_ || fold_name_.isEmpty(); }
    bool isChosenOpen() const { return open_; }
    void setOpen(bool on);
    void holdOpen(bool on);  // whatever was chosen, as long as it holds what was asked for
    QAbstractButton* foldButton() const { return fold_; }  // null: it cannot be folded
    void followTheme() override;

signals:
    void openChanged(bool open);  // by the user

protected:
    virtual void otherRunChanged();  // shows it in the row of the head
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void toggle();
    void showFold();
    void nameFold();

    QString other_run_;  // first: labels ask for it when they are made
    Label* head_;
    Label* aside_;
    Label* of_other_ = nullptr;  // made when there is one
    QAbstractButton* fold_ = nullptr;
    QVBoxLayout* rows_;
    QHBoxLayout* head_row_;
    QWidget* body_;
    QVBoxLayout* content_;
    QString fold_name_;
    bool open_ = false, held_open_ = false;
    bool ruled_ = true;
    int side_margin_ = 16;
};

// What a part paints and writes with: the theme, whose inks are faint where a section around the part has numbers
// of another run.
Theme inkThemeOf(const QWidget& part);

}  // namespace bscope::ui
